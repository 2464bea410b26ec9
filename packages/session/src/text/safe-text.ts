/**
 * Makes untrusted text safe to display, whatever it contains. The single place for it, so that all callers are equally
 * careful.
 */

/** Of an unterminated sequence only the start is removed, so that it cannot hide what follows. */
const ESCAPES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-~])/g;
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
/** Characters that reorder or hide the text around them. */
const TRICKS = /[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Removes escape sequences, control characters and characters that reorder text. Newlines and tabs are kept. */
export function withoutControls(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(ESCAPES, "").replace(CONTROLS, "").replace(TRICKS, "");
}
