/** Where sessions are stored: `$BOUGH_HOME/sessions/--<cwd>--/<timestamp>_<id>.jsonl`. */
import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { join, resolve, sep } from "node:path";
import { attempt } from "../text/index.js";

/** `$BOUGH_HOME`, or `~/.bough`. */
export function boughHome(): string {
  const home = process.env.BOUGH_HOME;
  if (home !== undefined && home !== "") return resolve(home);
  // An empty HOME is ignored: sessions would be scattered over whatever folders are current.
  return join(homedir() || userInfo().homedir, ".bough");
}

/** The folder that holds a folder per project. */
export function sessionsRoot(): string {
  return join(boughHome(), "sessions");
}

/** The folder that holds the folders of attempts: copies of projects, in which agents work apart from the original. */
export function attemptsRoot(home: string = boughHome()): string {
  return join(home, "attempts");
}

/** The ID of the attempt whose folder holds this path; both must be real paths. Undefined for all other paths. */
export function attemptIdOf(path: string, home: string): string | undefined {
  const start = `${attemptsRoot(home)}${sep}`;
  if (!path.startsWith(start)) return undefined;
  const [id = "", tree] = path.slice(start.length).split(sep);
  return tree !== undefined && /^[0-9a-f]{12}$/.test(id) ? id : undefined;
}

/** The cache of counts and names of sessions that are too large to read each time. It may be deleted at any time. */
export function countsCacheFile(): string {
  return join(boughHome(), "cache", "session-counts.jsonl");
}

/**
 * The folder for the sessions of a working directory. Separators become dashes, so that no `cwd` can escape the
 * sessions folder; so do control characters, so that the name is safe to display. A name too long for the file system
 * is cut and gets a hash of the whole path.
 */
export function sessionFolder(cwd: string): string {
  const name = dashedPath(cwd);
  if (Buffer.byteLength(name) <= LONGEST) return join(sessionsRoot(), `--${name}--`);
  const mark = createHash("sha256").update(resolve(cwd)).digest("hex").slice(0, 32);
  return join(sessionsRoot(), `--${startOf(name)}-${mark}--`);
}

/** The start of the folder names for the sessions of a working directory and of those below it. */
export function sessionFolderStart(cwd: string): string {
  return `--${startOf(dashedPath(cwd))}`;
}

/** Common file systems allow 255 bytes in a name; four are the dashes around it. */
const LONGEST = 251;
/** How much of a longer name is kept for people to read. */
const KEPT = 200;

function dashedPath(cwd: string): string {
  return resolve(cwd)
    .replace(/^[/\\]/, "")
    .replace(/[/\\:\u0000-\u001f\u007f-\u009f]/g, "-");
}

function startOf(name: string): string {
  let bytes = 0;
  let start = "";
  for (const character of name) {
    bytes += Buffer.byteLength(character);
    if (bytes > KEPT) break;
    start += character;
  }
  return start;
}

export function sessionFileName(timestamp: string, id: string): string {
  return `${timestamp.replace(/[:.]/g, "-")}_${id.replace(/[^A-Za-z0-9._-]/g, "-")}.jsonl`;
}

/** Whether a file really is in Bough's own folders, archived or not. A link that leads elsewhere does not count. */
export function isOwnSessionFile(path: string, home = boughHome()): boolean {
  const file = realPathOf(path);
  if (file === undefined) return false;
  return ["sessions", "archive"].some((name) => {
    const folder = realPathOf(join(home, name));
    return folder !== undefined && file.startsWith(`${folder}${sep}`);
  });
}

function realPathOf(path: string): string | undefined {
  // Missing, or no permission.
  return attempt(() => realpathSync(path));
}
