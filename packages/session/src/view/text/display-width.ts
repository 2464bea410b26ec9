/** The number of columns of a text in a terminal. Wide characters and emoji take two, combining marks none. */
import { eastAsianWidth } from "get-east-asian-width";
import { graphemesOf } from "./graphemes.js";

/**
 * Characters of one column each that never combine: Latin, Cyrillic, and the symbols that screens are drawn with.
 * Checking for these first avoids segmenting nearly every line of a screen.
 */
const PLAIN_ONLY =
  /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u0400-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u2190-\u2319\u2500-\u25fc\u26a0\u2713-\u2717\u276f]*$/;
const EMOJI = /\p{Emoji_Presentation}|\ufe0f/u;
const INVISIBLE = /^[\p{Mark}\p{Control}\p{Format}\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]*$/u;

export function displayWidth(text: string): number {
  if (PLAIN_ONLY.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemesOf(text)) width += graphemeWidth(segment);
  return width;
}

/** The start of a text, at most this many columns; if something is cut, it ends with the mark. */
export function cutToWidth(text: string, width: number, mark = "…"): string {
  if (width <= 0) return "";
  // Nothing after this many characters can fit into so few columns, and texts may be megabytes long.
  const near = text.length > width * 16 + 64 ? text.slice(0, width * 16 + 64) : text;
  const markWidth = displayWidth(mark);
  if (PLAIN_ONLY.test(near)) {
    if (near.length <= width) return text;
    return markWidth > width ? near.slice(0, width) : `${near.slice(0, width - markWidth)}${mark}`;
  }
  let used = 0;
  let kept = 0;
  for (const { segment, index } of graphemesOf(near)) {
    const next = used + graphemeWidth(segment);
    if (next > width) return markWidth > width ? near.slice(0, kept) : `${near.slice(0, kept)}${mark}`;
    used = next;
    if (used <= width - markWidth) kept = index + segment.length;
  }
  return near.length === text.length ? text : `${near.slice(0, kept)}${mark}`;
}

/** The text padded with spaces to a width; cut if it is longer. */
export function padToWidth(text: string, width: number, mark = "…"): string {
  const cut = cutToWidth(text, width, mark);
  return cut + " ".repeat(Math.max(0, width - displayWidth(cut)));
}

function graphemeWidth(segment: string): number {
  const point = segment.codePointAt(0) ?? 0;
  if (segment.length === 1 && point >= 0x20 && point < 0x7f) return 1;
  if (INVISIBLE.test(segment)) return 0;
  return EMOJI.test(segment) ? 2 : eastAsianWidth(point);
}
