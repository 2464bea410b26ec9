/** Folders of git that belong to the working directory although they are elsewhere: those of a worktree. */
import { existsSync, lstatSync, readFileSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { isInside } from "@bough/session/log/index.js";
import { attempt } from "@bough/session/text/index.js";
import { gitFileTarget } from "./protected-places.js";

/**
 * The folder that a worktree shares with its repository, which commits write. Only if the repository names this worktree
 * too: a `.git` file that came with the project could name any folder.
 */
export function outsideGitFolders(cwd: string): readonly string[] {
  const file = join(cwd, ".git");
  const own = gitFileTarget(file);
  if (own === undefined || isInside(cwd, own)) return [];
  const read = (name: string) => attempt(() => readFileSync(join(own, name), "utf8").trim());
  const [back, shared] = [read("gitdir"), read("commondir")];
  if (back === undefined || shared === undefined) return [];
  const common = attempt(() => realpathSync(resolve(own, shared)));
  const isMutual = attempt(() => realpathSync(resolve(own, back))) === attempt(() => realpathSync(file));
  if (common === undefined || !isMutual || !isInside(join(common, "worktrees"), own)) return [];
  const isRepository = ["HEAD", "objects", "refs", "config"].every((name) => existsSync(join(common, name)));
  return isRepository && attempt(() => lstatSync(common).isDirectory()) === true ? [common] : [];
}
