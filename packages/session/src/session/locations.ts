/** Where sessions live: `$BOUGH_HOME/sessions/--<cwd>--/<timestamp>_<id>.jsonl`. */
import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { join, resolve, sep } from "node:path";
import { attempt } from "../text/index.js";

/** `$BOUGH_HOME`, or `~/.bough`. */
export function boughHome(): string {
  const home = process.env.BOUGH_HOME;
  if (home !== undefined && home !== "") return resolve(home);
  // An empty HOME is not a home: sessions would be strewn over the folders one happens to be in.
  return join(homedir() || userInfo().homedir, ".bough");
}

/** The folder of all projects' folders. */
export function sessionsRoot(): string {
  return join(boughHome(), "sessions");
}

/** Where counts and names of sessions are kept that are too large to be read each time. It may be deleted at any time. */
export function countsCacheFile(): string {
  return join(boughHome(), "cache", "session-counts.jsonl");
}

/**
 * The folder for sessions of a working directory. Separators become dashes, so no `cwd` can name a place outside;
 * control characters too, so that its own name can be shown anywhere. A name that no file system would take is cut, with a
 * hash of the whole path behind it.
 */
export function sessionFolder(cwd: string): string {
  const name = dashedPath(cwd);
  if (Buffer.byteLength(name) <= LONGEST) return join(sessionsRoot(), `--${name}--`);
  const mark = createHash("sha256").update(resolve(cwd)).digest("hex").slice(0, 32);
  return join(sessionsRoot(), `--${startOf(name)}-${mark}--`);
}

/** How the names of the folders for sessions of a working directory, and of those below it, begin. */
export function sessionFolderStart(cwd: string): string {
  return `--${startOf(dashedPath(cwd))}`;
}

/** A name has at most 255 bytes, on every common file system; four of them are the dashes around it. */
const LONGEST = 251;
/** How much of a longer one is kept to be read by people. */
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

/** Whether a file really is in Bough's own folders, archived or not. A link that leads elsewhere is not. */
export function isOwnSessionFile(path: string, home = boughHome()): boolean {
  const file = realPathOf(path);
  if (file === undefined) return false;
  return ["sessions", "archive"].some((name) => {
    const folder = realPathOf(join(home, name));
    return folder !== undefined && file.startsWith(`${folder}${sep}`);
  });
}

function realPathOf(path: string): string | undefined {
  // Not there, or not ours to look at.
  return attempt(() => realpathSync(path));
}
