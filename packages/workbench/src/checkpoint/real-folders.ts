/** Which folders below a root are real, all the way down. The answers are valid only until other code can run. */
import { lstatSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";

/** Why a path is not a real folder. */
export type NoFolder = "missing" | "link-above" | "file-above" | "unreachable" | "unreadable";

export class RealFolders {
  readonly root: string;
  #known = new Map<string, NoFolder | undefined>();

  constructor(root: string) {
    this.root = root;
  }

  /** Why the folder of a path is not real; undefined if it is, all the way from the root. */
  above(path: string): NoFolder | undefined {
    return this.#at(dirname(path));
  }

  #at(folder: string): NoFolder | undefined {
    if (folder === ".") return undefined;
    if (this.#known.has(folder)) return this.#known.get(folder);
    const found = this.#at(dirname(folder)) ?? kindOf(join(this.root, folder));
    this.#known.set(folder, found);
    return found;
  }

  /** Call it after every pause, and after folders were created or removed. */
  forget(): void {
    this.#known.clear();
  }
}

/** The folders above a path, the nearest first; not the root itself. */
export function foldersAbove(path: string): readonly string[] {
  const found: string[] = [];
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) found.push(path.slice(0, at));
  return found;
}

function kindOf(path: string): NoFolder | undefined {
  const stats = reachableStats(path);
  if (typeof stats === "string") return stats;
  if (stats === undefined) return "missing";
  if (stats.isSymbolicLink()) return "link-above";
  return stats.isDirectory() ? undefined : "file-above";
}

const IF_THERE = { throwIfNoEntry: false } as const;

/** Does not follow links. Throws for any error except a missing path. */
export function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, IF_THERE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
}

/** Errors of paths that cannot exist. */
const IMPOSSIBLE: ReadonlySet<string | undefined> = new Set(["ENAMETOOLONG", "ELOOP", "EINVAL"]);

/**
 * The same; `unreachable` if no such path can exist (for example, it is too long), `unreadable` if its folder is not
 * accessible.
 */
export function reachableStats(path: string): Stats | "unreachable" | "unreadable" | undefined {
  try {
    return statsOf(path);
  } catch (error) {
    return IMPOSSIBLE.has((error as NodeJS.ErrnoException).code) ? "unreachable" : "unreadable";
  }
}
