import { isTemporaryName } from "@bough/session/log/index.js";

/** What is never followed, unless a setting names it: what tools put beside a project and make again. */
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

/** A content that a restore is about to move into place. */
const TEMPORARY = /^\.bough-[0-9a-f-]{36}-\d+$/;

/** The name of such a temporary file. */
export function temporaryName(id: string, number: number): string {
  return `.bough-${id}-${number}`;
}

export function isLeftOut(name: string): boolean {
  // What `edit` or `write` of another session is about to move into place is not there for anyone to keep.
  return LEFT_OUT.has(name) || TEMPORARY.test(name) || isTemporaryName(name);
}

/** The same for the whole path of a file that git does not know. */
export function isPathLeftOut(path: string): boolean {
  return path.split("/").some(isLeftOut);
}
