/**
 * Whether a path exists under exactly this name. Some file systems answer to both `A` and `a`, or to two spellings of
 * `é`.
 */
import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { attempt } from "@bough/session/text/index.js";
import { RealFolders } from "../real-folders.js";

export class ExactNames {
  readonly #root: string;
  readonly #folders: RealFolders;
  #listed = new Map<string, ReadonlySet<string>>();

  constructor(root: string) {
    this.#root = root;
    this.#folders = new RealFolders(root);
  }

  has(path: string): boolean {
    const folder = dirname(path);
    if (folder !== "." && !this.has(folder)) return false;
    return this.#folders.above(path) === undefined && this.#names(folder).has(basename(path));
  }

  /** The same for a real folder, not a link. */
  hasFolder(path: string): boolean {
    return this.has(path) && this.#folders.above(`${path}/x`) === undefined;
  }

  #names(folder: string): ReadonlySet<string> {
    const known = this.#listed.get(folder);
    if (known !== undefined) return known;
    const names = new Set(attempt(() => readdirSync(join(this.#root, folder))));
    this.#listed.set(folder, names);
    return names;
  }

  /** Call it after every pause. */
  forget(): void {
    this.#folders.forget();
    this.#listed.clear();
  }
}
