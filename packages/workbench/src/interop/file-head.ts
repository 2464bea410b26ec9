/** Helpers for reading a file from the start. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** Bytes per read. */
const MOST = 1 << 20;
const LEAST = 1 << 12;

/** A buffer for reading an open file in pieces, sized to the file: most files are small, and there are many. */
export function pieceBuffer(file: number, most = MOST): Buffer {
  return Buffer.allocUnsafe(Math.min(most, Math.max(LEAST, fstatSync(file).size)));
}

/** The first bytes of a file. Undefined if it is not a file or not readable, which opening it will report. */
export function headOf(path: string, length: number): Buffer | undefined {
  try {
    const file = openSync(path, "r");
    try {
      const stats = fstatSync(file);
      if (!stats.isFile()) return undefined;
      const bytes = Buffer.allocUnsafe(Math.min(length, stats.size));
      return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}
