/** Untrusted text made safe and short for one line of a screen. */

const ESCAPES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])/g;
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
/** Characters that reorder or hide what stands around them. */
const TRICKS = /[\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
const SPACES = /\s+/g;

/** Without escape sequences, control characters and characters that reorder text. Newlines and tabs stay. */
export function withoutControls(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(ESCAPES, "").replace(CONTROLS, "").replace(TRICKS, "");
}

/** The beginning of a text as words on one line: at most so many characters. Cheap, however long the text is. */
export function firstWords(text: string, most = 400): string {
  return withoutControls(text.slice(0, most * 2))
    .replace(SPACES, " ")
    .trim()
    .slice(0, most);
}
