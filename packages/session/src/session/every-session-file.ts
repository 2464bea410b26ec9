/** All session files, found by name only. */
import { join } from "node:path";
import { archiveRoot } from "./archive-session.js";
import { boughHome } from "./locations.js";
import { type OnUnreadable, projectFolders } from "./sessions-folder.js";

interface EveryFileOptions {
  /** Default: `$BOUGH_HOME`. */
  readonly home?: string;
  /** Whether to include archived ones. */
  readonly archived: "include" | "leave-out";
  /** Called for each project folder that cannot be read. Without it, that throws. */
  readonly onUnreadable?: OnUnreadable;
}

/**
 * All `.jsonl` files below `sessions` and `archive`, including damaged ones. Throws `read-failed` if a folder cannot be
 * listed: an unreadable folder is not an empty one.
 */
export function everySessionFile({ home = boughHome(), archived, onUnreadable }: EveryFileOptions): readonly string[] {
  const roots = [join(home, "sessions"), ...(archived === "include" ? [archiveRoot(home)] : [])];
  return roots.flatMap((root) =>
    [...projectFolders(root, onUnreadable)].flatMap(({ folder, names }) =>
      names.filter((name) => name.endsWith(".jsonl")).map((name) => join(folder, name)),
    ),
  );
}
