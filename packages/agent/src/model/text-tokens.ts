/**
 * Estimates a text's tokens from its characters: about four per token in ASCII, two or three in other alphabets, and
 * one in Chinese, Japanese and Korean. A single ratio would be off by a factor of four there.
 */
export function estimateTextTokens(text: string): number {
  let twelfths = 0;
  for (let i = 0; i < text.length; i++) twelfths += twelfthsOf(text.charCodeAt(i));
  return Math.ceil(twelfths / 12);
}

/**
 * Twelfths of a token per UTF-16 unit: integers, so that sums are exact. A surrogate pair (emoji, rare ideographs)
 * counts as two tokens.
 */
function twelfthsOf(unit: number): number {
  if (unit < 0x80) return 3;
  // Latin with accents, Greek, Cyrillic, Hebrew, Arabic, Indic, Thai.
  if (unit < 0x1100) return 5;
  const wide =
    unit < 0x1200 ||
    (unit >= 0x2e80 && unit < 0xa4d0) ||
    (unit >= 0xac00 && unit < 0xe000) ||
    (unit >= 0xf900 && unit < 0xfb00);
  return wide || unit >= 0xff00 ? 12 : 6;
}
