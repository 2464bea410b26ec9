import { statSync } from "node:fs";
import { join } from "node:path";
import { namesIn } from "../../log/index.js";
import { type SessionFileStat, sessionFilesIn } from "../most-recent.js";

/** The `.jsonl` files in folders and in the folders right below them, and those named, newest first, each once. */
export function sessionFiles(folders: readonly string[], named: readonly string[]): SessionFileStat[] {
  const byPath = new Map<string, SessionFileStat>();
  for (const folder of folders) {
    for (const file of sessionFilesIn(folder)) byPath.set(file.path, file);
    for (const name of namesIn(folder)) {
      if (name.endsWith(".jsonl")) continue;
      for (const file of sessionFilesIn(join(folder, name))) byPath.set(file.path, file);
    }
  }
  for (const path of named) {
    const stats = statSync(path, { throwIfNoEntry: false });
    // One that is not there stays in the list, so that the search can say so.
    byPath.set(path, { path, size: stats?.size ?? 0, modifiedMs: stats?.mtimeMs ?? 0 });
  }
  return [...byPath.values()].sort((a, b) => b.modifiedMs - a.modifiedMs || (a.path < b.path ? 1 : -1));
}
