/** A prompt option of the command line: the text itself, or the file that contains it. */
import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { errorText } from "@bough/session/text/index.js";
import { usageError } from "../cli-error.js";

/**
 * The content of a file if one is named, otherwise the text unchanged. A single word that looks like a path must be a
 * file: no one means it as instructions, and an agent must not start without them.
 */
export function promptText(flag: string, given: string): string {
  const path = resolve(given.startsWith("~/") ? join(homedir(), given.slice(2)) : given);
  const stats = statSync(path, { throwIfNoEntry: false });
  const isPath = /^(?:\/|\.\.?\/|~\/|[A-Za-z]:\\)\S+$/.test(given);
  if (stats?.isFile() !== true) {
    if (!isPath) return given;
    throw usageError(`--${flag}: ${stats === undefined ? "File not found" : "Not a file"}: ${path}`);
  }
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw usageError(`--${flag}: Cannot read ${path}: ${errorText(error)}`);
  }
}
