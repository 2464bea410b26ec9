/** When files changed, as their file system says. */
import { dirname, join } from "node:path";
import type { FileDelta } from "../../entry/index.js";
import { attempt } from "../../text/index.js";
import { statsOf } from "../real-folders.js";
import type { ChangeTime } from "./attribute-changes.js";

/**
 * Written at one time and renamed, or given other rights, at another: each of them may have been the change. A file that
 * is gone went at the latest when the nearest folder that is left last changed.
 */
export function changeTime(root: string, { path, after }: FileDelta): ChangeTime | undefined {
  if (after !== null) {
    const stats = attempt(() => statsOf(join(root, path)));
    return stats === undefined ? undefined : { moments: [stats.ctimeMs, stats.mtimeMs], isLatest: false };
  }
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const stats = attempt(() => statsOf(join(root, folder)));
    if (stats?.isDirectory() === true) return { moments: [stats.ctimeMs], isLatest: true };
    // A file where the folder was.
    if (stats !== undefined) return { moments: [stats.ctimeMs], isLatest: true };
    if (folder === "." || folder === dirname(folder)) return undefined;
  }
}
