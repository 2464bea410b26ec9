import { lstat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isInside } from "./inside.js";

/**
 * The folder, or one above it up to the working directory, that git would take for a bare repository, or for one of its
 * own within this one. Its settings can run commands, and may have come with it.
 */
export async function plantedRepository(folder: string, cwd: string): Promise<string | undefined> {
  for (let at = folder; isInside(cwd, at); at = dirname(at)) {
    if (await exists(join(at, ".git"))) return at === cwd ? undefined : at;
    const [head, objects, refs, common] = await Promise.all(
      ["HEAD", "objects", "refs", "commondir"].map((name) => exists(join(at, name))),
    );
    if (head && ((objects && refs) || common)) return at;
    if (at === dirname(at)) return undefined;
  }
  return undefined;
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
