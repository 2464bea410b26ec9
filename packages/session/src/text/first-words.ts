/** The beginning of an untrusted text, safe for one line on screen. */
import { withoutControls } from "./safe-text.js";

const SPACES = /\s+/g;

/** The beginning of a text on one line, up to `most` characters. Cheap, however long the text is. */
export function firstWords(text: string, most = 400): string {
  return withoutControls(text.slice(0, most * 2))
    .replace(SPACES, " ")
    .trim()
    .slice(0, most);
}

/** Longer titles are cut, so that a sentence with two of them still fits a wide status line. */
const TITLE = 48;

/** Like `firstWords`, for use in a sentence: an ellipsis marks a cut. */
export function titleOf(text: string, most = TITLE): string {
  const letters = [...firstWords(text, most * 4)];
  if (letters.length <= most) return letters.join("");
  return `${letters
    .slice(0, most - 1)
    .join("")
    .trimEnd()}…`;
}
