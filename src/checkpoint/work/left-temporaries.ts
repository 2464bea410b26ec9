/** Temporary files of `edit` and `write` that a killed process left beside the files it was about to replace. */
import { lstatSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { namesIn } from "../../log/index.js";
import { attempt } from "../../text/index.js";
import { RealFolders } from "../real-folders.js";
import type { WorkFolder } from "./work-folder.js";

/**
 * Removes those of a process that has ended. Only what has the exact name that it gave: beside a file that it announced,
 * with its process number and the id of one of its calls.
 */
export function removeLeftTemporaries(root: string, { announced, calls, pid }: WorkFolder): void {
  const tokens = new Set(calls.map(({ id }) => id.replace(/[^A-Za-z0-9_-]/g, "").slice(-40)));
  for (const path of new Set(announced.map((one) => one.path))) {
    // Never through a link.
    if (new RealFolders(root).above(path) !== undefined) continue;
    const folder = dirname(join(root, path));
    const start = `.${basename(path).slice(0, 40)}.${pid}-`;
    for (const name of namesIn(folder)) {
      const token = name.startsWith(start) ? /^(.*)-\d+\.tmp$/.exec(name.slice(start.length))?.[1] : undefined;
      if (token === undefined || !tokens.has(token)) continue;
      const file = join(folder, name);
      attempt(() => {
        if (lstatSync(file).isFile()) rmSync(file);
      });
    }
  }
}
