/**
 * Changes a small text file that others may change too: reads it, rewrites it whole, and never overwrites what someone
 * else wrote.
 */
import { realpathSync } from "node:fs";
import { readTextFile } from "./read-text-file.js";
import { WholeFile } from "./write-whole.js";

/** How often another program may write in between. */
const ATTEMPTS = 5;

/**
 * Replaces the text of a file with the result of `change`, which gets undefined if the file does not exist. The new
 * file is private and complete before it replaces the old one. `change` runs again if the file changed in the meantime;
 * if it throws, the file is unchanged. `refused` turns a reason such as "it is a folder" into an error.
 */
export function changeFile(
  file: string,
  change: (before: string | undefined) => string | undefined,
  refused: (reason: string) => Error = (reason) => new Error(reason),
): void {
  const textOf = () => {
    const read = readTextFile(file);
    if (read.kind === "unreadable") throw refused(`it could not be read: ${read.reason}`);
    return read.kind === "text" ? read.text : undefined;
  };
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const before = textOf();
    const next = change(before);
    if (next === before) return;
    const written = new WholeFile(linkTarget(file), { existing: "replace", durable: true });
    try {
      written.write(next ?? "");
      if (textOf() !== before) continue;
      written.moveIntoPlace();
      return;
    } finally {
      written.close();
    }
  }
  throw refused("another program keeps writing to it");
}

/** Users may keep such files elsewhere and link to them: the link stays a link. */
function linkTarget(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    // Missing, or a dangling link: the file is created here.
    return file;
  }
}
