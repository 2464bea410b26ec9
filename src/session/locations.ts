/** Where sessions live: `$BOUGH_HOME/sessions/--<cwd>--/<timestamp>_<id>.jsonl`. */
import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** `$BOUGH_HOME`, or `~/.bough`. */
export function boughHome(): string {
  const home = process.env.BOUGH_HOME;
  return home === undefined || home === "" ? join(homedir(), ".bough") : resolve(home);
}

/** The folder of all projects' folders. */
export function sessionsRoot(): string {
  return join(boughHome(), "sessions");
}

/** The folder for sessions of a working directory. Separators become dashes, so no `cwd` can name a place outside. */
export function sessionFolder(cwd: string): string {
  const name = resolve(cwd)
    .replace(/^[/\\]/, "")
    .replace(/[/\\:]/g, "-");
  return join(sessionsRoot(), `--${name}--`);
}

export function sessionFileName(timestamp: string, id: string): string {
  return `${timestamp.replace(/[:.]/g, "-")}_${id.replace(/[^A-Za-z0-9._-]/g, "-")}.jsonl`;
}
