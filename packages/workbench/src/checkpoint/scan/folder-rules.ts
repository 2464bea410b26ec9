/**
 * Which files of a folder without git are recorded: not those excluded by ignore files or by default, unless a glob
 * names them.
 */
import { dirname, join } from "node:path";
import { statsOf } from "../real-folders.js";
import { IgnoreRules } from "./ignore-rules.js";
import type { Included } from "./included.js";
import { isLeftOut } from "./left-out.js";
import { isSettled, signatureOf } from "./signature.js";

const IGNORE_FILES = [".gitignore", ".ignore", ".rgignore"];

/** How the items of a folder are judged: `left` is an excluded folder that is entered only for what globs name. */
export type Entered = "followed" | "left";

/** The rules during one scan, read when needed. */
export class FolderRules {
  readonly #root: string;
  readonly #included: Included;
  readonly #ignored = new IgnoreRules();

  constructor(root: string, included: Included) {
    this.#root = root;
    this.#included = included;
  }

  /** Undefined: it is excluded. */
  file(path: string, name: string, above: Entered): "followed" | undefined {
    if (above === "followed" && !isLeftOut(name) && !this.#ignored.ignores(join(this.#root, path), "file")) {
      return "followed";
    }
    return this.#included.has(path) ? "followed" : undefined;
  }

  folder(path: string, name: string, above: Entered): Entered | undefined {
    const left = isLeftOut(name);
    if (above === "followed" && !left && !this.#ignored.ignores(join(this.#root, path), "folder")) return "followed";
    if (name === ".git" || !this.#included.mayHold(path)) return undefined;
    return !left || this.#included.names(path) ? "left" : undefined;
  }
}

/**
 * A number that changes when the ignore files of a folder do. NaN, which never equals itself, if that is not certain
 * yet.
 */
export function rulesKey(folder: string, names: readonly string[]): number {
  let key = 0;
  for (const [at, name] of IGNORE_FILES.entries()) {
    if (!names.includes(name)) continue;
    const stats = statsOf(join(folder, name));
    if (stats !== undefined) key += isSettled(stats) ? signatureOf(stats) * (at + 1) : Number.NaN;
  }
  return key;
}

/** The same for all folders above one. */
export function rulesKeyAbove(folder: string): number {
  let key = 0;
  for (let at = dirname(folder); ; at = dirname(at)) {
    key += rulesKey(at, IGNORE_FILES);
    if (at === dirname(at)) return key;
  }
}
