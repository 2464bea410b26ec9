/** Reading a file from its start. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** What is read at once. */
const MOST = 1 << 20;
const LEAST = 1 << 12;

/** A buffer to read an open file piece by piece. A small file gets a small one: most are, and there are many of them. */
export function pieceBuffer(file: number): Buffer {
  return Buffer.allocUnsafe(Math.min(MOST, Math.max(LEAST, fstatSync(file).size)));
}

/** At most `length` bytes. Undefined for what is not a file, or not ours to read: opening it says so. */
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
