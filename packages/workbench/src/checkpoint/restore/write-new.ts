/** A content written beside its place, with the permissions that it will have there. */
import { closeSync, fchmodSync, fchownSync, openSync, type Stats, statSync, symlinkSync, writeSync } from "node:fs";
import type { FileState } from "@bough/session/entry/index.js";
import { attempt } from "@bough/session/text/index.js";

/** Nobody else reads a file before it has its permissions. */
export const PRIVATE = 0o600;

export interface NewFile {
  readonly wanted: NonNullable<FileState>;
  /** Of a file; a link has none. */
  readonly content: Uint8Array | undefined;
  /** Permissions of the file that it replaces. */
  readonly mode: number | undefined;
  /** The group that its folder gives to new files, if it gives one. */
  readonly group?: number | undefined;
}

/** Throws if there is a file already. */
export function writeBeside(path: string, given: NewFile): void {
  if ("link" in given.wanted) symlinkSync(given.wanted.link, path);
  else writeInto(openSync(path, "wx", PRIVATE), given);
}

/** Into a file that is empty and private. Closes it. */
export function writeInto(file: number, { wanted, content = new Uint8Array(), mode, group }: NewFile): void {
  try {
    // Whoever is not in the group cannot give it away; the file then has their own, as one from elsewhere would.
    if (group !== undefined) attempt(() => fchownSync(file, -1, group));
    for (let sent = 0; sent < content.length; ) sent += writeSync(file, content, sent);
    const wished = modeFor(wanted, mode);
    if (wished !== PRIVATE) fchmodSync(file, wished);
  } finally {
    closeSync(file);
  }
}

/** The group that a folder gives to files made in it; undefined if they get that of whoever makes them. */
export function groupOf(folder: string): number | undefined {
  const stats = attempt(() => statSync(folder));
  return stats !== undefined && (stats.mode & 0o2000) !== 0 ? stats.gid : undefined;
}

/** Of a file; undefined for anything else. */
export function permissionsOf(stats: Stats | undefined): number | undefined {
  return stats?.isFile() === true ? stats.mode & 0o777 : undefined;
}

/**
 * The permissions a file has stay, except for the executable bits; a new one gets what the system gives to new files. A
 * file that gave others less when it was recorded never gives them more.
 */
function modeFor(wanted: FileState, present: number | undefined): number {
  const limit = wanted !== null && "access" in wanted ? 0o111 | Number.parseInt(wanted.access ?? "666", 8) : 0o777;
  const base = (present ?? 0o666 & ~process.umask()) & limit;
  // Whoever may read it may run it.
  return wanted !== null && "mode" in wanted && wanted.mode === "755" ? base | ((base & 0o444) >> 2) : base & ~0o111;
}
