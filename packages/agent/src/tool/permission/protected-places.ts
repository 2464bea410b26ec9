/** Folders whose files decide what runs or is allowed later: changes there need confirmation in every mode. */
import { join, sep } from "node:path";
import { attemptIdOf, attemptsRoot } from "@bough/session/session/internal.js";
import { plainName, protectionOf } from "@bough/session/text/index.js";
import { isInside, type WorkPlace } from "../path/inside.js";

/** Why a change to this real path always needs confirmation; undefined for ordinary files. */
export function protectedReason(path: string, { cwd, home }: WorkPlace): string | undefined {
  // The folder of an attempt is in Bough's own folder; what it contains is the project's. The record beside it is not.
  const copy = attemptFolder(cwd, home);
  const own = copy !== undefined && isInside(copy, path) ? copy : undefined;
  if (own === undefined && isInside(home, path))
    return "This folder contains Bough's own settings, extensions and sessions.";
  for (const name of (own === undefined ? path : path.slice(own.length)).split(sep)) {
    if (isGitName(name)) return "Files in .git can make git run commands.";
    if (isBoughName(name)) return "Files in .bough decide what Bough loads and allows.";
  }
  return undefined;
}

/** The copy of a project that holds this folder. */
function attemptFolder(cwd: string, home: string): string | undefined {
  const id = attemptIdOf(cwd, home);
  if (id === undefined) return undefined;
  const place = join(attemptsRoot(home), id);
  const [name = ""] = cwd.slice(place.length + 1).split(sep);
  return join(place, name);
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
