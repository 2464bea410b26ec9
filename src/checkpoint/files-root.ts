/** Which folder the files of a session are in, and where its contents are stored. */
import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { gitRoot } from "./scan/git-files.js";
import { runGit } from "./scan/run-git.js";

export interface FilesRoot {
  /** A real path: the top of the git repository, or the working folder. */
  readonly root: string;
  readonly isGit: boolean;
  /** The folder of the store. */
  readonly store: string;
}

/** Files are not followed there, because of this. */
export interface NoFilesRoot {
  readonly off: "home" | "system" | "gone";
}

/** `home` is `$BOUGH_HOME`. A home folder and `/` hold everything there is: they are never a root. */
export async function filesRoot(cwd: string, home: string): Promise<FilesRoot | NoFilesRoot> {
  let folder: string;
  try {
    folder = realpathSync(cwd);
  } catch {
    return { off: "gone" };
  }
  const top = await gitRoot(folder);
  const root = top ?? folder;
  if (root === dirname(root)) return { off: "system" };
  if (root === realHome()) return { off: "home" };
  const first = top === undefined ? undefined : await firstCommit(root);
  const store = join(home, "files", keyOf(first ?? root));
  return { root, isGit: top !== undefined, store };
}

/** A repository that was moved or cloned again is found by its first commit. */
async function firstCommit(root: string): Promise<string | undefined> {
  const said = await runGit(["rev-list", "--max-parents=0", "HEAD"], { cwd: root });
  return said?.toString().trim().split("\n").sort()[0] || undefined;
}

function keyOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

function realHome(): string {
  try {
    return realpathSync(homedir());
  } catch {
    return homedir();
  }
}
