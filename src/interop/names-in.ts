/** The items of a folder that may not be there. */
import { type Dirent, readdirSync } from "node:fs";

/** Empty for a folder that is not there, or not ours to read: nothing is found in it. */
export function namesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
