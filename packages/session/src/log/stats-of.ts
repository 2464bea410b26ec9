/**
 * Stats of a path, with the same result on every version of Node: in some, `throwIfNoEntry: false` hides other errors
 * too.
 */
import { type Stats, statSync } from "node:fs";

/**
 * Undefined if nothing has this name. A file in place of a folder is an error, as is a folder that cannot be entered.
 */
export function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Whether a folder exists and is accessible. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
