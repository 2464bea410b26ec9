/** Values that may be a secret in one place and an ordinary word elsewhere: `parser`, `Summer2024!`, `abc123`. */

const SHORTEST_STRONG = 8;
/** One word or a few joined ones, with the digits and symbols that people append to satisfy a form. */
const WORD = /^(?:\p{Lu}?\p{Ll}{0,15}(?:\p{Lu}\p{Ll}{1,15}){0,3}|\p{Lu}{1,15})[\d\p{P}\p{S}]{0,5}$/u;

/** If true, masking every occurrence would hide unrelated text, and so reveal the value. */
export function isOrdinary(value: string): boolean {
  return value.length < SHORTEST_STRONG || new Set(value).size < 5 || WORD.test(value);
}
