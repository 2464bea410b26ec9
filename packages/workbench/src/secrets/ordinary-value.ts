/** Values that may be secret where they were found and are words everywhere else: `parser`, `Summer2024!`, `abc123`. */

const SHORTEST_STRONG = 8;
/** One word or a few written as one, and what people put after it to please a form. */
const WORD = /^(?:\p{Lu}?\p{Ll}{0,15}(?:\p{Lu}\p{Ll}{1,15}){0,3}|\p{Lu}{1,15})[\d\p{P}\p{S}]{0,5}$/u;

/** True: masking it wherever it is would blacken what has nothing to do with it, and tell what it was. */
export function isOrdinary(value: string): boolean {
  return value.length < SHORTEST_STRONG || new Set(value).size < 5 || WORD.test(value);
}
