/** What is in a folder that may not be there, or not be ours to read: then nothing. */
import { type Dirent, readdirSync } from "node:fs";
import { attempt } from "../text/index.js";

export function namesIn(folder: string): string[] {
  return attempt(() => readdirSync(folder)) ?? [];
}

/** Names where it matters: a folder that is not there is empty, and one that cannot be read throws. */
export function readNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** As `namesIn`, with what kind of thing each is. */
export function itemsIn(folder: string): Dirent[] {
  return attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [];
}
