/** Which folder the records of a session refer to, depending on where it is viewed from. */
import { grouped } from "@bough/session/text/index.js";
import { CheckpointError } from "./checkpoint-error.js";
import { type FilesRoot, filesRoot, type NoFilesRoot } from "./files-root.js";
import { MOST_FILES } from "./scan/scanner.js";

interface SessionRootOptions {
  /** Where the session was made. */
  readonly sessionCwd: string;
  /** Where the question is asked. */
  readonly cwd: string;
  /** `$BOUGH_HOME`. */
  readonly home: string;
}

/**
 * The current folder, if it is the session's or another copy of the same repository; otherwise the session's own; and
 * if that is gone, the current folder, because it may have been moved. Throws `files-off`.
 */
export async function sessionRoot({ sessionCwd, cwd, home }: SessionRootOptions): Promise<FilesRoot> {
  const [made, here] = [await filesRoot(sessionCwd, home), await filesRoot(cwd, home)];
  if (isRoot(made)) return isRoot(here) && here.store === made.store ? here : made;
  if (made.off === "gone" && isRoot(here)) return here;
  throw filesOff(isRoot(here) ? made.off : here.off, cwd);
}

/** The same for writing: only the current folder, because a session file can name any folder. Throws `files-off`. */
export async function writableRoot(options: SessionRootOptions): Promise<FilesRoot> {
  const found = await sessionRoot(options);
  const here = await filesRoot(options.cwd, options.home);
  if (isRoot(here) && here.root === found.root) return found;
  throw new CheckpointError("files-off", `This session belongs to another folder: ${found.root}`, {
    data: { cwd: options.cwd, root: found.root },
    hint: "Nothing was changed. If you trust the session, run this in that folder, or pass it with --cwd.",
  });
}

/** The root of the current folder. Throws `files-off`. */
export async function rootHere(cwd: string, home: string): Promise<FilesRoot> {
  const here = await filesRoot(cwd, home);
  if (isRoot(here)) return here;
  throw filesOff(here.off, cwd);
}

function isRoot(found: FilesRoot | NoFilesRoot): found is FilesRoot {
  return !("off" in found);
}

const WHY: Readonly<Record<NoFilesRoot["off"], string>> = {
  home: "Files are not recorded in your home folder",
  system: "Files are not recorded in the root folder of the system",
  repository: "Files are not recorded inside a git folder",
  many: `Files are not recorded in a folder of more than ${grouped(MOST_FILES)} files`,
  gone: "The folder no longer exists",
  worktree: "Files are not recorded, because git names another folder as the working tree (core.worktree)",
};

function filesOff(off: NoFilesRoot["off"], cwd: string): CheckpointError {
  return new CheckpointError("files-off", WHY[off], {
    data: { cwd },
    hint: "Run it in the project's folder, or pass --cwd.",
  });
}
