/** Untrusted text made safe and short for one line of a screen. */
import { visibleText, withoutControls } from "../../entry/index.js";

export { visibleText, withoutControls };

const SPACES = /\s+/g;

/** The beginning of a text as words on one line: at most so many characters. Cheap, however long the text is. */
export function firstWords(text: string, most = 400): string {
  return withoutControls(text.slice(0, most * 2))
    .replace(SPACES, " ")
    .trim()
    .slice(0, most);
}
