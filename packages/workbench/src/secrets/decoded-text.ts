/** A text as it was before it became part of an address: `%40` is an at sign, and so is `%2540`. */
import { type TextView, textView } from "./text-view.js";

/** Visible characters of ASCII, encoded once or several times over. Others are in no secret's shape. */
const ENCODED = /%(?:25)*([2-7][0-9a-f])/gi;

/** Undefined if nothing is encoded. */
export function decodedText(original: string): TextView | undefined {
  return textView(original, ENCODED, ([, code]) => characterOf(code as string));
}

/** One value as it was. */
export function withoutEncoding(value: string): string {
  return value.replace(ENCODED, (_all, code: string) => characterOf(code));
}

function characterOf(code: string): string {
  return String.fromCharCode(Number.parseInt(code, 16));
}
