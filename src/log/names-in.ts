/** What is in a folder that may not be there, or not be ours to read: then nothing. */
import { type Dirent, readdirSync } from "node:fs";

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The same, with what kind of thing each is. */
export function itemsIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
