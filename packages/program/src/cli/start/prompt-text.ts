/** A prompt that is given on the command line: the text itself, or the file it is in. */
import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { errorText } from "@bough/session/text/index.js";
import { usageError } from "../cli-error.js";

/**
 * What a file contains if one is named, otherwise the text as it is. One word that starts like a path has to be a file:
 * no one means it as instructions, and an agent without its instructions does something else.
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
