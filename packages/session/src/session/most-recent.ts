import { type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../text/index.js";
import { peekHeader } from "./open/open-log.js";
import { sessionNames } from "./sessions-folder.js";

/**
 * The path of the session in a folder that was written to last, or null. Files without a readable header do not count.
 * Throws `read-failed` if the folder exists but cannot be read.
 */
export function findMostRecentSession(dir: string): string | null {
  for (const { path } of sessionFilesIn(dir)) if (hasHeader(path)) return path;
  return null;
}

function hasHeader(path: string): boolean {
  // Unreadable, or gone since the folder was read: not a session to continue.
  return attempt(() => peekHeader(path) !== undefined) ?? false;
}

export interface SessionFileStat {
  readonly path: string;
  readonly size: number;
  readonly modifiedMs: number;
}

/**
 * The `.jsonl` files of a folder, newest first; empty if the folder does not exist. Throws `read-failed` if it cannot
 * be read.
 */
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
  // A link loop, or a folder that cannot be entered: nothing readable.
  return attempt(() => statSync(path, { throwIfNoEntry: false }));
}
