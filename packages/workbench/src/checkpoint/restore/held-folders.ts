/**
 * Opens paths below a root through real folders only: while files are restored, someone may put a link in place of a
 * folder.
 */
import { closeSync, constants, existsSync, mkdirSync, openSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { foldersAbove, RealFolders } from "../real-folders.js";

/** Linux: opens a path without reading what it names. */
const O_PATH = 0x200000;
const FOLDER = O_PATH | constants.O_DIRECTORY;
/** Folders held open at a time. */
const MOST_HELD = 32;

/**
 * On Linux each folder is opened from the one above it and kept open. Elsewhere the folders are checked right before
 * use, which leaves a short race.
 */
export class HeldFolders {
  readonly root: string;
  readonly #held = new Map<string, number>();
  readonly #byDescriptor = process.platform === "linux" && existsSync("/proc/self/fd");

  constructor(root: string) {
    this.root = root;
  }

  /** A path for one immediate system call. Undefined if a folder above it is missing, a link, or not a folder. */
  at(path: string): string | undefined {
    return this.#through(path, "find");
  }

  /** The same; creates missing folders. Undefined if this system does not allow the name. */
  made(path: string): string | undefined {
    return this.#through(path, "make");
  }

  /** Call it after every pause, and at the end. */
  forget(): void {
    for (const descriptor of this.#held.values()) closeSync(descriptor);
    this.#held.clear();
  }

  #through(path: string, missing: "find" | "make"): string | undefined {
    if (!this.#byDescriptor) return this.#byName(path, missing);
    try {
      return `/proc/self/fd/${this.#folder(dirname(path), missing)}/${basename(path)}`;
    } catch (error) {
      if (isNoFolder(error)) return undefined;
      throw error;
    }
  }

  #folder(path: string, missing: "find" | "make"): number {
    const known = this.#held.get(path);
    if (known !== undefined) return known;
    const descriptor = path === "." ? openSync(this.root, FOLDER) : this.#below(path, missing);
    this.#held.set(path, descriptor);
    return descriptor;
  }

  #below(path: string, missing: "find" | "make"): number {
    const step = `/proc/self/fd/${this.#folder(dirname(path), missing)}/${basename(path)}`;
    try {
      return openSync(step, FOLDER | constants.O_NOFOLLOW);
    } catch (error) {
      if (missing === "find" || (error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      mkdirSync(step);
      return openSync(step, FOLDER | constants.O_NOFOLLOW);
    } finally {
      if (this.#held.size > MOST_HELD) this.#letGo(path);
    }
  }

  /** Closes all but the folders above a path. */
  #letGo(path: string): void {
    const needed = new Set([".", ...foldersAbove(path)]);
    for (const [folder, descriptor] of this.#held) {
      if (needed.has(folder)) continue;
      closeSync(descriptor);
      this.#held.delete(folder);
    }
  }

  #byName(path: string, missing: "find" | "make"): string | undefined {
    const folders = new RealFolders(this.root);
    const file = join(this.root, path);
    if (missing === "make" && folders.above(path) === "missing") {
      try {
        mkdirSync(dirname(file), { recursive: true });
      } catch (error) {
        if (isNoFolder(error)) return undefined;
        throw error;
      }
      folders.forget();
    }
    return folders.above(path) === undefined ? file : undefined;
  }
}

/** Something else is in the way, or the name is not allowed. A full disk is a different error. */
function isNoFolder(error: unknown): boolean {
  return NO_FOLDER.has((error as NodeJS.ErrnoException).code ?? "");
}

const NO_FOLDER: ReadonlySet<string> = new Set([
  "ENOENT",
  "ENOTDIR",
  "EEXIST",
  "ELOOP",
  "ENAMETOOLONG",
  "EINVAL",
  "EILSEQ",
]);
