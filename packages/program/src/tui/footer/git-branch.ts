/** A folder's git branch, read from files without running git. */
import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The branch name; a short commit if no branch is checked out; undefined outside a repository. */
export function gitBranch(folder: string): string | undefined {
  const git = gitFolder(folder);
  if (git === undefined) return undefined;
  try {
    const head = readFileSync(join(git, "HEAD"), "utf8").trim();
    const name = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
    if (name !== undefined) return name;
    return /^[0-9a-f]{7,}$/.test(head) ? head.slice(0, 7) : undefined;
  } catch {
    return undefined;
  }
}

/** In a worktree this is a file that points to its folder. */
function gitFolder(folder: string): string | undefined {
  for (let place = resolve(folder); ; place = dirname(place)) {
    const found = join(place, ".git");
    try {
      if (statSync(found).isDirectory()) return found;
      const elsewhere = /^gitdir: (.+)$/m.exec(readFileSync(found, "utf8"))?.[1];
      return elsewhere === undefined ? undefined : resolve(place, elsewhere.trim());
    } catch {
      if (dirname(place) === place) return undefined;
    }
  }
}
