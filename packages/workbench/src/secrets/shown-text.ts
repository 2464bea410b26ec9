/** A text as it is seen: without colors and invisible characters, which would split a secret that everyone can read. */
import { type TextView, textView } from "./text-view.js";

const SEQUENCE = "\\x1b\\[[0-?]*[ -/]*[@-~]|\\x1b\\][^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)|\\x1b[@-_]";
const CONTROL = "[\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]";
/** Everything that Unicode calls a format character: zero width, direction, soft hyphen; and what joins to a letter unseen. */
const INVISIBLE = "\\p{Cf}|[\\ufe00-\\ufe0f]|\\u034f";
const HIDDEN = new RegExp(`${SEQUENCE}|${CONTROL}|${INVISIBLE}`, "gu");

/** Undefined if nothing is hidden. */
export function shownText(original: string): TextView | undefined {
  return textView(original, HIDDEN, () => "");
}

/** One value as it is seen. */
export function withoutHidden(value: string): string {
  return value.replace(HIDDEN, "");
}
