import { lstat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isInside } from "./inside.js";

/**
 * The nearest folder, from this one up to the working directory, that git would take for a bare or nested repository.
 * It may have come with the project, and its configuration can run commands.
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
