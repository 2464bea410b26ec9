/** The lines of a transcript, read in pieces: no string ever holds the whole file. */
import { closeSync, openSync, readSync } from "node:fs";

export interface ForeignLine {
  /** First line is 1; empty lines count. */
  readonly line: number;
  readonly offset: number;
  /** Bytes without the newline. */
  readonly length: number;
  readonly text: string;
  /** False for a last line without a newline: it may be cut. */
  readonly terminated: boolean;
}

const CHUNK = 1 << 20;
const NEWLINE = 0x0a;

/** Every line that is not empty. A line is held as a whole, so one beyond the runtime's longest string throws. */
export function* foreignLines(path: string): Generator<ForeignLine> {
  const file = openSync(path, "r");
  try {
    let held: Buffer[] = [];
    let heldLength = 0;
    let offset = 0;
    let line = 0;
    let at = 0;
    // One buffer for all reads: lines are text by the time the next read comes.
    const chunk = Buffer.allocUnsafe(CHUNK);
    for (;;) {
      const got = readSync(file, chunk, 0, CHUNK, at);
      if (got === 0) break;
      at += got;
      let start = 0;
      for (
        let newline = chunk.indexOf(NEWLINE);
        newline >= 0 && newline < got;
        newline = chunk.indexOf(NEWLINE, start)
      ) {
        const piece = chunk.subarray(start, newline);
        const bytes = heldLength === 0 ? piece : Buffer.concat([...held, piece]);
        held = [];
        heldLength = 0;
        line += 1;
        const text = bytes.toString("utf8");
        if (text.trim() !== "") yield { line, offset, length: bytes.length, text, terminated: true };
        offset += bytes.length + 1;
        start = newline + 1;
      }
      if (start < got) {
        held.push(Buffer.from(chunk.subarray(start, got)));
        heldLength += got - start;
      }
    }
    if (heldLength === 0) return;
    const text = Buffer.concat(held).toString("utf8");
    if (text.trim() !== "") yield { line: line + 1, offset, length: heldLength, text, terminated: false };
  } finally {
    closeSync(file);
  }
}

/** The value of a line; undefined where it is no JSON object. */
export function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    // Damage: the caller counts it, with its line.
    return undefined;
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function stringIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
