/** A content written next to its target, with its final permissions. */
import { closeSync, fchmodSync, fchownSync, openSync, type Stats, statSync, symlinkSync, writeSync } from "node:fs";
import type { FileState } from "@bough/session/entry/index.js";
import { attempt } from "@bough/session/text/index.js";

/** No one else may read a file before it has its permissions. */
export const PRIVATE = 0o600;

export interface NewFile {
  readonly wanted: NonNullable<FileState>;
  /** Of a file; undefined for a link. */
  readonly content: Uint8Array | undefined;
  /** Permissions of the file it replaces. */
  readonly mode: number | undefined;
  /** The group that its folder assigns to new files, if any. */
  readonly group?: number | undefined;
}

/** Throws if the file already exists. */
export function writeBeside(path: string, given: NewFile): void {
  if ("link" in given.wanted) symlinkSync(given.wanted.link, path);
  else writeInto(openSync(path, "wx", PRIVATE), given);
}

/** Writes into an empty, private file and closes it. */
export function writeInto(file: number, { wanted, content = new Uint8Array(), mode, group }: NewFile): void {
  try {
    // Only members of the group may assign it; otherwise the file keeps the user's own, as a new file would.
    if (group !== undefined) attempt(() => fchownSync(file, -1, group));
    for (let sent = 0; sent < content.length; ) sent += writeSync(file, content, sent);
    const wantedMode = modeFor(wanted, mode);
    if (wantedMode !== PRIVATE) fchmodSync(file, wantedMode);
  } finally {
    closeSync(file);
  }
}

/** The group that a folder assigns to files created in it; undefined if they get the creator's group. */
export function groupOf(folder: string): number | undefined {
  const stats = attempt(() => statSync(folder));
  return stats !== undefined && (stats.mode & 0o2000) !== 0 ? stats.gid : undefined;
}

/** Undefined for anything but a file. */
export function permissionsOf(stats: Stats | undefined): number | undefined {
  return stats?.isFile() === true ? stats.mode & 0o777 : undefined;
}

/**
 * Keeps the permissions of an existing file, except for the executable bits; a new file gets the system's default. A
 * file that was more private when it was recorded never becomes less so.
 */
function modeFor(wanted: FileState, present: number | undefined): number {
  const limit = wanted !== null && "access" in wanted ? 0o111 | Number.parseInt(wanted.access ?? "666", 8) : 0o777;
  const base = (present ?? 0o666 & ~process.umask()) & limit;
  // Executable for everyone who can read it.
  return wanted !== null && "mode" in wanted && wanted.mode === "755" ? base | ((base & 0o444) >> 2) : base & ~0o111;
}
