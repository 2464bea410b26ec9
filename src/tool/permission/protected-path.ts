/** Files that decide what runs later without anyone being asked: each change to one is asked about, in every mode. */
import { sep } from "node:path";
import { isInside, type WorkPlace } from "../path/inside.js";

/** Folders by name, wherever they are, and what a change in them can do. */
const FOLDERS: Readonly<Record<string, string>> = {
  ".git": "Files in .git can make git run commands.",
  ".bough": "Files in .bough decide what Bough loads and allows.",
};

/** Why a change to this real path is always asked about; undefined for ordinary files. */
export function protectedReason(path: string, { home }: WorkPlace): string | undefined {
  if (isInside(home, path)) return "This folder holds Bough's own settings, extensions and sessions.";
  for (const name of path.split(sep)) {
    // Some file systems take .GIT for .git.
    const reason = FOLDERS[name.toLowerCase()];
    if (reason !== undefined) return reason;
  }
  return undefined;
}
