/** What is in a folder that may not be there, or not be ours to read: then nothing. */
import { type Dirent, readdirSync } from "node:fs";
import { attempt } from "../text/index.js";

export function namesIn(folder: string): string[] {
  return attempt(() => readdirSync(folder)) ?? [];
}

/** The same, with what kind of thing each is. */
export function itemsIn(folder: string): Dirent[] {
  return attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [];
}
