/** Text as displayed: without color codes and invisible characters, which could split a secret that stays readable. */
import { type TextView, textView } from "./text-view.js";

const SEQUENCE = "\\x1b\\[[0-?]*[ -/]*[@-~]|\\x1b\\][^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)|\\x1b[@-_]";
const CONTROL = "[\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]";
/** Unicode format characters (zero width, direction, soft hyphen), variation selectors, and the grapheme joiner. */
const INVISIBLE = "\\p{Cf}|[\\ufe00-\\ufe0f]|\\u034f";
const HIDDEN = new RegExp(`${SEQUENCE}|${CONTROL}|${INVISIBLE}`, "gu");

/** Undefined if the text has no hidden characters. */
export function shownText(original: string): TextView | undefined {
  return textView(original, HIDDEN, () => "");
}

/** A single value as displayed. */
export function withoutHidden(value: string): string {
  return value.replace(HIDDEN, "");
}
