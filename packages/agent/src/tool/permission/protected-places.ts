/** Folders whose files decide what runs or is allowed later: changes there need confirmation in every mode. */
import { sep } from "node:path";
import { plainName, protectionOf } from "@bough/session/text/index.js";
import { isInside, type WorkPlace } from "../path/inside.js";

/** Why a change to this real path always needs confirmation; undefined for ordinary files. */
export function protectedReason(path: string, { home }: WorkPlace): string | undefined {
  if (isInside(home, path)) return "This folder contains Bough's own settings, extensions and sessions.";
  for (const name of path.split(sep)) {
    if (isGitName(name)) return "Files in .git can make git run commands.";
    if (isBoughName(name)) return "Files in .bough decide what Bough loads and allows.";
  }
  return undefined;
}

/** Whether a file or folder with this name is protected, wherever it is. */
export function isProtectedName(name: string): boolean {
  return isGitName(name) || isBoughName(name);
}

/** Some file systems treat .GIT, or a name with a trailing dot, as .git. */
function isGitName(name: string): boolean {
  return protectionOf(name) === "git";
}

function isBoughName(name: string): boolean {
  return plainName(name) === ".bough";
}
