/** Which folders below a root are real ones, all the way down. Remembers for as long as nothing else can run. */
import { lstatSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";

/** What keeps a folder from being one. */
export type NoFolder = "missing" | "link-above" | "file-above" | "unreachable" | "unreadable";

export class RealFolders {
  readonly root: string;
  #known = new Map<string, NoFolder | undefined>();

  constructor(root: string) {
    this.root = root;
  }

  /** What keeps the folder of a path from being one; undefined if it is a real folder, all the way from the root. */
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

  /** To be called after every pause, and when folders were made or removed. */
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

/** Links are not followed. Throws for anything but a path that is not there. */
export function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, IF_THERE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
}

/** No path like this can be there. */
const IMPOSSIBLE: ReadonlySet<string | undefined> = new Set(["ENAMETOOLONG", "ELOOP", "EINVAL"]);

/**
 * The same; `unreachable` if no path like this can be there, as one that is too long, and `unreadable` if it is not known
 * what is there, because its folder is closed to us.
 */
export function reachableStats(path: string): Stats | "unreachable" | "unreadable" | undefined {
  try {
    return statsOf(path);
  } catch (error) {
    return IMPOSSIBLE.has((error as NodeJS.ErrnoException).code) ? "unreachable" : "unreadable";
  }
}
