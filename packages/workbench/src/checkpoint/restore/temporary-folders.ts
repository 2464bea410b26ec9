/**
 * Where the new contents of a restore wait: in the root itself, so that no folder on the way to them can be swapped or
 * moved away with them. A rename has to stay on one file system, so below another one they wait in its top folder, and if
 * that may not be written to, in the next one on the way that may.
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
    // One with another spelling does not count: it may have to go first.
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
