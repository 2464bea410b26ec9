import { type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../text/index.js";
import { peekHeader } from "./open/open-log.js";
import { sessionNames } from "./sessions-folder.js";

/**
 * Path of the session in a folder that was written to last, or null. Files without a readable header do not count. Throws
 * `read-failed` if the folder is there and cannot be read.
 */
export function findMostRecentSession(dir: string): string | null {
  for (const { path } of sessionFilesIn(dir)) if (hasHeader(path)) return path;
  return null;
}

function hasHeader(path: string): boolean {
  // Not ours to read, or gone since the folder was read: it is not the session to continue with.
  return attempt(() => peekHeader(path) !== undefined) ?? false;
}

export interface SessionFileStat {
  readonly path: string;
  readonly size: number;
  readonly modifiedMs: number;
}

/** The `.jsonl` files of a folder, newest first; none if it is not there. Throws `read-failed` if it cannot be read. */
export function sessionFilesIn(dir: string, names = sessionNames(dir)): SessionFileStat[] {
  const files: SessionFileStat[] = [];
  for (const name of names) {
    if (!name.endsWith(".jsonl")) continue;
    const path = join(dir, name);
    const stats = statsOf(path);
    if (stats?.isFile()) files.push({ path, size: stats.size, modifiedMs: stats.mtimeMs });
  }
  return files.sort((a, b) => b.modifiedMs - a.modifiedMs || (a.path < b.path ? 1 : -1));
}

function statsOf(path: string): Stats | undefined {
  // A link that leads to itself, or into a folder that is not ours to enter: nothing that could be read.
  return attempt(() => statSync(path, { throwIfNoEntry: false }));
}
