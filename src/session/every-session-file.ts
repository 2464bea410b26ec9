/** All session files there are, by their names alone. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { SessionError } from "../entry/index.js";
import { archiveRoot } from "./archive-session.js";
import { boughHome } from "./locations.js";

interface EveryFileOptions {
  /** Default: `$BOUGH_HOME`. */
  readonly home?: string;
  /** Whether archived ones count. */
  readonly archived: "include" | "leave-out";
}

/**
 * The `.jsonl` files below `sessions` and `archive`, also damaged ones. Throws `read-failed` if a folder cannot be listed: one that
 * cannot be read is not an empty one.
 */
export function everySessionFile({ home = boughHome(), archived }: EveryFileOptions): readonly string[] {
  const roots = [join(home, "sessions"), ...(archived === "include" ? [archiveRoot(home)] : [])];
  return roots.flatMap((root) =>
    namesBelow(root).flatMap((folder) =>
      namesBelow(join(root, folder))
        .filter((name) => name.endsWith(".jsonl"))
        .map((name) => join(root, folder, name)),
    ),
  );
}

function namesBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    // A file beside the folders of projects is none of ours.
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw new SessionError("read-failed", `Cannot read the sessions folder: ${folder}`, {
      data: { path: folder },
      hint: `Check its owner: ls -ld ${folder}`,
      cause: error,
    });
  }
}
