/** The first bytes of a file. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** At most `length` bytes. Undefined for what is not a file, or not ours to read: opening it says so. */
export function headOf(path: string, length: number): Buffer | undefined {
  try {
    const file = openSync(path, "r");
    try {
      if (!fstatSync(file).isFile()) return undefined;
      const bytes = Buffer.allocUnsafe(length);
      return bytes.subarray(0, readSync(file, bytes, 0, length, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}
