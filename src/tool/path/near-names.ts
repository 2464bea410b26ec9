/** Names close to a missing one, for "did you mean". */
import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { editDistance } from "../../text/index.js";

const MOST_SUGGESTIONS = 3;
const MOST_NAMES = 5000;

/**
 * Existing paths that look like the missing one: the first part of it that does not exist is compared with what is
 * in its folder. Empty if nothing is near or the folder cannot be read.
 */
export async function nearNames(missing: string): Promise<readonly string[]> {
  let path = missing;
  for (;;) {
    const folder = dirname(path);
    const names = await namesIn(folder);
    if (names !== undefined) {
      return closest(basename(path), names.slice(0, MOST_NAMES)).map((name) => join(folder, name));
    }
    if (folder === path) return [];
    path = folder;
  }
}

async function namesIn(folder: string): Promise<readonly string[] | undefined> {
  try {
    return await readdir(folder);
  } catch {
    // Missing or closed to us: the folder above may know more.
    return undefined;
  }
}

function closest(wanted: string, names: readonly string[]): readonly string[] {
  const most = Math.max(wanted.length < 3 ? 1 : 2, Math.floor(wanted.length / 4));
  return names
    .map((name) => ({ name, distance: distanceOf(wanted, name) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, MOST_SUGGESTIONS)
    .map(({ name }) => name);
}

/** Case and a different or missing extension count little: `Readme` is near `README.md`. */
function distanceOf(wanted: string, name: string): number {
  const a = wanted.toLowerCase();
  const b = name.toLowerCase();
  if (stem(a) === stem(b)) return a === b ? 0 : 1;
  return editDistance(a, b);
}

function stem(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}
