/**
 * Where the new contents of a restore are prepared: in the root itself, so that no folder on the way can be swapped or
 * moved away with them. A rename must stay on one file system, so for paths on another one it is that file system's top
 * folder, or, if that is not writable, the next folder on the way that is.
 */
import { accessSync, constants, statSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "@bough/session/text/index.js";
import { foldersAbove } from "../real-folders.js";
import { ExactNames } from "../scan/exact-names.js";

export class TemporaryFolders {
  readonly #root: string;
  readonly #names: ExactNames;
  readonly #known = new Map<string, string>();

  constructor(root: string) {
    this.#root = root;
    this.#names = new ExactNames(root);
  }

  /** Relative to the root; "" is the root. */
  for(path: string): string {
    // A different spelling does not count: that folder may have to be deleted first.
    const folders = [...foldersAbove(path).filter((folder) => this.#names.hasFolder(folder)), ""];
    const [nearest = ""] = folders;
    const known = this.#known.get(nearest);
    if (known !== undefined) return known;
    const device = this.#device(nearest);
    const found = folders.toReversed().find((folder) => this.#device(folder) === device && this.#isOpen(folder));
    this.#known.set(nearest, found ?? nearest);
    return found ?? nearest;
  }

  #device(folder: string): number | undefined {
    return attempt(() => statSync(join(this.#root, folder)).dev);
  }

  #isOpen(folder: string): boolean {
    try {
      accessSync(join(this.#root, folder), constants.W_OK);
      return true;
    } catch {
      return false;
    }
  }
}
