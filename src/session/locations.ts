/** Where sessions live: `$BOUGH_HOME/sessions/--<cwd>--/<timestamp>_<id>.jsonl`. */
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
 * control characters too, so that its own name can be shown anywhere.
 */
export function sessionFolder(cwd: string): string {
  const name = resolve(cwd)
    .replace(/^[/\\]/, "")
    .replace(/[/\\:\u0000-\u001f\u007f-\u009f]/g, "-");
  return join(sessionsRoot(), `--${name}--`);
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
