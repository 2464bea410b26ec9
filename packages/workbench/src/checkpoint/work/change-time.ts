/** When files changed, as their file system says. */
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
  /** What is gone, by the last part of its path. */
  readonly #gone = new Map<string, FileState[]>();

  /** Of changes that were found together; `since` is when the look before began. */
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
   * Written at one time and renamed, or given other rights, at another: each of them may have been the change. A file that
   * came with a folder keeps its own times, and only the folder has a new one. A file that is gone went at the latest when
   * the nearest folder that is left last changed.
   */
  of({ path, after }: FileDelta): ChangeTime | undefined {
    if (after === null) return this.#ofGone(path);
    const stats = this.#statsOf(path);
    if (stats === undefined) return undefined;
    const own = { moments: [stats.ctimeMs, stats.mtimeMs], isLatest: false };
    if (!isOlder(stats, this.#since) && !this.#isMoved(path, after)) return own;
    const folders = foldersAbove(path).flatMap((folder) => this.#statsOf(folder)?.ctimeMs ?? []);
    const newer = folders.filter((time) => time > stats.ctimeMs);
    // Whatever is put into the folder afterwards changes its time as well.
    return newer.length === 0 ? own : { moments: newer, isLatest: true };
  }

  #ofGone(path: string): ChangeTime | undefined {
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      // It may also be a file where the folder was.
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
