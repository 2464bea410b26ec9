/**
 * Folders that need not be listed again: on most file systems a folder's time changes whenever a name in it is added,
 * removed or renamed. Writes to a file do not show in its folder, so files are still checked one by one.
 */
import { type Stats, statfsSync } from "node:fs";
import { attempt } from "@bough/session/text/index.js";
import { statsOf } from "../real-folders.js";
import { isSettled, signatureOf } from "./signature.js";

/** Types of file systems that do this: ext, btrfs, xfs, tmpfs, zfs, overlay, f2fs. */
const TIMED: ReadonlySet<number> = new Set([
  0xef53, 0x9123683e, 0x58465342, 0x01021994, 0x2fc12fc1, 0x794c7630, 0xf2f52010,
]);

export function hasTimedFolders(folder: string): boolean {
  return TIMED.has(attempt(() => statfsSync(folder).type) ?? 0);
}

export class FolderKeys {
  /** Device of the root: another file system may be mounted below it. */
  readonly #device: number | undefined;
  readonly ofRoot: number;

  constructor(root: string) {
    const stats = attempt(() => statsOf(root));
    this.#device = stats !== undefined && hasTimedFolders(root) ? stats.dev : undefined;
    this.ofRoot = stats === undefined ? 0 : this.keyOf(stats);
  }

  /** Equal keys mean equal names; take the stats before listing. 0 if unknown, or not certain yet. */
  keyOf(stats: Stats): number {
    return stats.dev === this.#device && isSettled(stats) ? signatureOf(stats) : 0;
  }
}
