/** Temporary files of `edit` and `write` that a killed process left beside the files it was about to replace. */
import { lstatSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { isTemporaryName, isTemporaryNameFor, namesIn } from "@bough/session/log/index.js";
import { attempt } from "@bough/session/text/index.js";
import { RealFolders } from "../real-folders.js";
import type { WorkFolder } from "./work-folder.js";

/**
 * Removes the temporary files of a process that has ended. Matches their exact names only: beside a file that it
 * announced, with its process ID and the ID of one of its calls.
 */
export function removeLeftTemporaries(root: string, { announced, calls, pid }: WorkFolder): void {
  for (const path of new Set(announced.map((one) => one.path))) {
    // Never follow a link.
    if (new RealFolders(root).above(path) !== undefined) continue;
    const folder = dirname(join(root, path));
    for (const name of namesIn(folder).filter(isTemporaryName)) {
      if (!calls.some(({ id }) => isTemporaryNameFor(path, { pid, token: id }, name))) continue;
      const file = join(folder, name);
      attempt(() => {
        if (lstatSync(file).isFile()) rmSync(file);
      });
    }
  }
}
