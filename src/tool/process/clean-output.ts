/** Output of a program as text for a conversation: about what a terminal would have left on the screen. */
import { stripVTControlCharacters } from "node:util";

/**
 * Colors and cursor movements go; of a line that was drawn over (`\r`) the last drawing stays; other control characters
 * go; wrong UTF-8 becomes U+FFFD.
 */
export function cleanOutput(bytes: Buffer): string {
  return stripVTControlCharacters(bytes.toString("utf8"))
    .split("\n")
    .map(lastDrawing)
    .join("\n")
    .replace(/[\x00-\x08\x0b-\x1f\x7f]/g, "");
}

function lastDrawing(line: string): string {
  const text = trimEndOf(line, "\r");
  return text.slice(text.lastIndexOf("\r") + 1);
}

/** A regular expression would try every run of the character again from each of its places. */
export function trimEndOf(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}

/** The end of a text: at most this many characters, beginning at a line where that costs little, never inside a character. */
export function lastPart(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  let from = text.length - maxCharacters;
  const code = text.charCodeAt(from);
  if (code >= 0xdc00 && code <= 0xdfff) from++;
  const line = text.indexOf("\n", from);
  return text.slice(line >= 0 && line - from < maxCharacters / 10 ? line + 1 : from);
}

/** Bytes from the middle of a stream may begin inside a character; its rest says nothing. */
export function wholeCharacters(bytes: Buffer): Buffer {
  let from = 0;
  while (from < 3 && from < bytes.length && ((bytes[from] ?? 0) & 0xc0) === 0x80) from++;
  return bytes.subarray(from);
}
