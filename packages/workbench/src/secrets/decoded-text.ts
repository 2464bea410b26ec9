/** Decodes percent-encoding, even if applied repeatedly: `%40` is an at sign, and so is `%2540`. */
import { type TextView, textView } from "./text-view.js";

/** Printable ASCII characters, encoded once or repeatedly. No secret pattern contains others. */
const ENCODED = /%(?:25)*([2-7][0-9a-f])/gi;

/** Undefined if the text contains no percent-encoding. */
export function decodedText(original: string): TextView | undefined {
  return textView(original, ENCODED, ([, code]) => characterOf(code as string));
}

/** Decodes a single value. */
export function withoutEncoding(value: string): string {
  return value.replace(ENCODED, (_all, code: string) => characterOf(code));
}

function characterOf(code: string): string {
  return String.fromCharCode(Number.parseInt(code, 16));
}
