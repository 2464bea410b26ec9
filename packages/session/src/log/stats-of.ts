/** What is at a path, with the same answer on every version of Node: `throwIfNoEntry` takes some errors for nothing, in some. */
import { type Stats, statSync } from "node:fs";

/** Undefined if nothing has this name. A file where a folder should be is an error, as is a folder that may not be entered. */
export function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Whether there is a folder that can be looked at. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
