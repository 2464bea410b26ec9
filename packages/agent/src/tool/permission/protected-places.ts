/** Places whose files decide what runs or is allowed later: changes there are asked about in every mode. */
import { sep } from "node:path";
import { plainName, protectionOf } from "@bough/session/text/index.js";
import { isInside, type WorkPlace } from "../path/inside.js";

/** Why a change to this real path is always asked about; undefined for ordinary files. */
export function protectedReason(path: string, { home }: WorkPlace): string | undefined {
  if (isInside(home, path)) return "This folder holds Bough's own settings, extensions and sessions.";
  for (const name of path.split(sep)) {
    if (isGitName(name)) return "Files in .git can make git run commands.";
    if (isBoughName(name)) return "Files in .bough decide what Bough loads and allows.";
  }
  return undefined;
}

/** Whether a file or folder of this name is such a place, wherever it is. */
export function isProtectedName(name: string): boolean {
  return isGitName(name) || isBoughName(name);
}

/** Some file systems take .GIT, or a name with a dot at its end, for .git. */
function isGitName(name: string): boolean {
  return protectionOf(name) === "git";
}

function isBoughName(name: string): boolean {
  return plainName(name) === ".bough";
}
