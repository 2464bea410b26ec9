/** Changing a small text file that others may change too: read, rewritten whole, and never over what someone else wrote. */
import { realpathSync } from "node:fs";
import { readTextFile } from "./read-text-file.js";
import { WholeFile } from "./write-whole.js";

/** So often someone else may write in between. */
const ATTEMPTS = 5;

/**
 * Replaces the text of a file with what `change` makes of it; undefined is a file that is not there. The new file is
 * private and complete before it takes the place of the old one. `change` runs again if the file changed meanwhile, and
 * what it throws ends everything, with the file as it was. `refused` makes an error of a reason such as "it is a folder".
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
    const written = new WholeFile(behindLink(file), { existing: "replace", durable: true });
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

/** People keep such files elsewhere and link to them: the link stays a link. */
function behindLink(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    // Not there yet, or a link to nothing: the file is made here.
    return file;
  }
}
