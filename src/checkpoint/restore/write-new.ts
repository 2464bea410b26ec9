/** A content written beside its place, with the permissions that it will have there. */
import { chmodSync, closeSync, openSync, writeSync } from "node:fs";
import type { FileState } from "../../entry/index.js";

/** Throws if there is a file already. */
export function writeNew(path: string, content: Uint8Array, mode: number): void {
  const file = openSync(path, "wx", mode);
  try {
    for (let sent = 0; sent < content.length; ) sent += writeSync(file, content, sent);
  } finally {
    closeSync(file);
  }
  // The mask of the process takes bits away that the file had.
  if ((mode & process.umask()) !== 0) chmodSync(path, mode);
}

/**
 * The permissions a file has stay, except for the executable bits; a new one gets what the system gives to new files. A
 * file that gave others less when it was recorded never gives them more.
 */
export function modeFor(wanted: FileState, present: number | undefined): number {
  const limit = wanted !== null && "access" in wanted ? 0o111 | Number.parseInt(wanted.access ?? "666", 8) : 0o777;
  const base = (present ?? 0o666 & ~process.umask()) & limit;
  // Whoever may read it may run it.
  return wanted !== null && "mode" in wanted && wanted.mode === "755" ? base | ((base & 0o444) >> 2) : base & ~0o111;
}
