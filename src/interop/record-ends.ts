/** The records at both ends of a transcript: enough to tell whose it is and what to call it. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { objectIn } from "./foreign-lines.js";

export interface RecordEnds {
  readonly head: readonly Readonly<Record<string, unknown>>[];
  /** Empty where the head holds the whole file. */
  readonly tail: readonly Readonly<Record<string, unknown>>[];
}

const END = 1 << 16;

/** Undefined where there is no such file, or not one that can be read. */
export function recordsAtEnds(path: string): RecordEnds | undefined {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    // Gone, or not ours to read: to a list it is not there.
    return undefined;
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return undefined;
    const head = recordsIn(textAt(file, 0, END).split("\n"));
    if (stats.size <= END) return { head, tail: [] };
    const tail = textAt(file, Math.max(END, stats.size - END), END).split("\n");
    return { head, tail: recordsIn(tail.slice(1)) };
  } catch {
    // The disk does not give the bytes: whoever opens this very session is told so.
    return undefined;
  } finally {
    closeSync(file);
  }
}

function textAt(file: number, offset: number, length: number): string {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.toString("utf8", 0, readSync(file, bytes, 0, length, offset));
}

function recordsIn(lines: readonly string[]): Readonly<Record<string, unknown>>[] {
  return lines.map(objectIn).filter((record) => record !== undefined);
}
