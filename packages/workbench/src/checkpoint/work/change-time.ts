/** When files changed, according to their file system. */
import { basename, dirname, join } from "node:path";
import type { FileDelta, FileState } from "@bough/session/entry/index.js";
import { sameFile } from "@bough/session/entry/internal.js";
import { attempt } from "@bough/session/text/index.js";
import { foldersAbove, statsOf } from "../real-folders.js";
import { isOlder } from "../scan/signature.js";
import type { ChangeTime } from "./attribute-changes.js";

export class ChangeTimes {
  readonly #root: string;
  readonly #since: number;
  /** States of deleted files, by file name. */
  readonly #gone = new Map<string, FileState[]>();

  /** For changes that one scan found; `since` is when the previous scan began. */
  constructor(root: string, { changes, since }: { readonly changes: readonly FileDelta[]; readonly since: number }) {
    this.#root = root;
    this.#since = since;
    for (const { path, before, after } of changes) {
      if (after !== null) continue;
      const name = basename(path);
      const states = this.#gone.get(name);
      if (states === undefined) this.#gone.set(name, [before]);
      else states.push(before);
    }
  }

  /**
   * The content may have been written at one moment and the file renamed, or its mode changed, at another; either may
   * have been the change. A file that arrived with a folder keeps its own times, and only the folder has a new one. A
   * deleted file was deleted no later than the last change of the nearest remaining folder.
   */
  of({ path, after }: FileDelta): ChangeTime | undefined {
    if (after === null) return this.#ofGone(path);
    const stats = this.#statsOf(path);
    if (stats === undefined) return undefined;
    const own = { moments: [stats.ctimeMs, stats.mtimeMs], isLatest: false };
    if (!isOlder(stats, this.#since) && !this.#isMoved(path, after)) return own;
    const folders = foldersAbove(path).flatMap((folder) => this.#statsOf(folder)?.ctimeMs ?? []);
    const newer = folders.filter((time) => time > stats.ctimeMs);
    // Anything put into the folder later changes its time as well.
    return newer.length === 0 ? own : { moments: newer, isLatest: true };
  }

  #ofGone(path: string): ChangeTime | undefined {
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      // This may also be a file that replaced the folder.
      const stats = this.#statsOf(folder);
      if (stats !== undefined) return { moments: [stats.ctimeMs], isLatest: true };
      if (folder === "." || folder === dirname(folder)) return undefined;
    }
  }

  #isMoved(path: string, state: FileState): boolean {
    return this.#gone.get(basename(path))?.some((gone) => sameFile(gone, state)) === true;
  }

  #statsOf(path: string) {
    return attempt(() => statsOf(join(this.#root, path)));
  }
}
