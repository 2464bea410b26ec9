/** Finds the actual name of a file for a path that was typed or copied from elsewhere. */
import { existsSync, readdirSync } from "node:fs";
import { join, parse, sep } from "node:path";
import { attempt } from "@bough/session/text/index.js";

/**
 * Returns the path itself if it exists. Otherwise looks up each missing part in its folder, where names that look the
 * same match: macOS puts a narrow space before AM and PM and decomposes accents, editors make quotes curly, and people
 * type no-break spaces. Unless each part has exactly one match, the path is returned unchanged.
 */
export function existingSpelling(path: string): string {
  if (existsSync(path)) return path;
  const { root } = parse(path);
  let found = root;
  for (const part of path.slice(root.length).split(sep)) {
    const name = existsSync(join(found, part)) ? part : onlySameName(found, part);
    if (name === undefined) return path;
    found = join(found, name);
  }
  return found;
}

function onlySameName(folder: string, wanted: string): string | undefined {
  const names = attempt(() => readdirSync(folder)) ?? [];
  const same = names.filter((name) => asRead(name) === asRead(wanted));
  return same.length === 1 ? same[0] : undefined;
}

/** Normalizes a name to what it looks like. */
function asRead(name: string): string {
  return name
    .normalize("NFC")
    .replace(/[\p{Zs}\u200b]/gu, " ")
    .replace(/[\u2018\u2019\u201b\u02bc]/g, "'")
    .replace(/[\u201c\u201d\u201f]/g, '"');
}
