/** Makes text from elsewhere safe to show, whatever it holds. In one place, so that all callers are equally careful. */

/** Of a sequence that never ends only the start is taken away: it must not hide what comes behind. */
const ESCAPES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-~])/g;
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
/** Characters that reorder or hide what is around them. */
const TRICKS = /[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Without escape sequences, control characters and characters that reorder text. Newlines and tabs stay. */
export function withoutControls(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(ESCAPES, "").replace(CONTROLS, "").replace(TRICKS, "");
}
