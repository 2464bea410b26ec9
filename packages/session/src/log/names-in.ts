/** The names in a folder; empty if the folder is missing or unreadable. */
import { type Dirent, readdirSync } from "node:fs";
import { attempt } from "../text/index.js";

export function namesIn(folder: string): string[] {
  return attempt(() => readdirSync(folder)) ?? [];
}

/** Like `namesIn`, but an unreadable folder throws; a missing one is empty. */
export function readNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Like `namesIn`, with the type of each item. */
export function itemsIn(folder: string): Dirent[] {
  return attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [];
}
