/** The characters that a regular expression with the flags `i` and `u` treats as equal. */

const CHANGES_WITH_CASE = /[\p{Changes_When_Casemapped}\p{Changes_When_Casefolded}]/u;
/** No letters with case are assigned after this. */
const LAST_LETTER = 0x1ffff;
let cased: string | undefined;

/**
 * A character and its case variants, itself first. Asks the regular expression engine, so it cannot disagree with the
 * final match: `é` É, `σ` Σ ς, and also `k` K and the Kelvin sign, `s` S and the long s.
 */
export function caseVariants(character: string): string[] {
  if (character <= "\x7f") return asciiVariants(character);
  if (!CHANGES_WITH_CASE.test(character)) return [character];
  cased ??= casedCharacters();
  const variants = cased.match(new RegExp(character, "giu")) ?? [];
  return [character, ...variants.filter((variant) => variant !== character)];
}

function asciiVariants(character: string): string[] {
  const variants = [...new Set([character, character.toLowerCase(), character.toUpperCase()])];
  if (variants.includes("k")) variants.push("\u212a");
  if (variants.includes("s")) variants.push("\u017f");
  return variants;
}

function casedCharacters(): string {
  const letters: string[] = [];
  for (let code = 0x41; code <= LAST_LETTER; code++) {
    const character = String.fromCodePoint(code);
    if (CHANGES_WITH_CASE.test(character)) letters.push(character);
  }
  return letters.join("");
}
