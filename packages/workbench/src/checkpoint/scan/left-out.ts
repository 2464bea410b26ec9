import { isTemporaryName } from "@bough/session/log/index.js";

/** Names that are never recorded unless a setting names them: generated files that tools can recreate. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ".bough",
  ".git",
  ".hg",
  ".svn",
  ".tox",
  ".venv",
  "__pycache__",
  "bower_components",
  "node_modules",
  "venv",
]);

/** A prepared content that a restore is about to move into place. */
const TEMPORARY = /^\.bough-[0-9a-f-]{36}-\d+$/;

/** The name of such a temporary file. */
export function temporaryName(id: string, number: number): string {
  return `.bough-${id}-${number}`;
}

export function isLeftOut(name: string): boolean {
  // A temporary file that `edit` or `write` of another session is about to rename must not be recorded.
  return LEFT_OUT.has(name) || TEMPORARY.test(name) || isTemporaryName(name);
}

/** The same for the whole path of a file that git does not track. */
export function isPathLeftOut(path: string): boolean {
  return path.split("/").some(isLeftOut);
}
