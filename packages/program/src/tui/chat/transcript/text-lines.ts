/** Draws only the visible lines of long texts: nothing else is cut, wrapped or measured. */
import { wrapWords } from "@bough/session/view/internal.js";

/** Very long lines are wrapped in pieces of this size, because wrapping takes quadratic time. */
const PIECE = 1500;

/** Wrapped at spaces; tabs become spaces. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const line of text.split("\n")) {
    for (const piece of piecesOf(line)) for (const one of wrapWords(piece, width)) lines.push(one);
  }
  return lines;
}

function* piecesOf(line: string): Generator<string> {
  if (line.length <= PIECE) {
    yield line;
    return;
  }
  for (let at = 0; at < line.length; ) {
    let end = Math.min(line.length, at + PIECE);
    // Never between the halves of a surrogate pair.
    if (end < line.length && isHighHalf(line.charCodeAt(end - 1))) end -= 1;
    yield line.slice(at, end);
    at = end;
  }
}

function isHighHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

export function countLines(text: string): number {
  const trimmed = withoutLastNewline(text);
  if (trimmed === "") return 0;
  let count = 1;
  for (let at = trimmed.indexOf("\n"); at >= 0; at = trimmed.indexOf("\n", at + 1)) count++;
  return count;
}

export function firstLines(text: string, most: number): string {
  const trimmed = withoutLastNewline(text);
  let end = -1;
  for (let count = 0; count < most; count++) {
    end = trimmed.indexOf("\n", end + 1);
    if (end < 0) return trimmed;
  }
  return trimmed.slice(0, end);
}

export function lastLines(text: string, most: number): string {
  const trimmed = withoutLastNewline(text);
  let start = trimmed.length;
  for (let count = 0; count < most; count++) {
    if (start <= 0) return trimmed;
    start = trimmed.lastIndexOf("\n", start - 1);
    if (start < 0) return trimmed;
  }
  return trimmed.slice(start + 1);
}

function withoutLastNewline(text: string): string {
  return text.replace(/\n+$/, "");
}
