/** Finds the extensions of a package: those listed in its manifest, or those in its `extensions` folder. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { readTextFile } from "@bough/session/log/index.js";
import { isRecord, jsonObject } from "@bough/session/text/index.js";

const SCRIPT = /(?<!\.d)\.[cm]?[jt]s$/;
const INDEX = /^index\.[cm]?[jt]s$/;
/** Deeper than the extensions of any normal package. */
const MOST_LEVELS = 6;

/**
 * Sorted paths of scripts, relative to the folder; undefined if the package has no extensions. The manifest lists them
 * in `bough.extensions` or `pi.extensions`: files, folders, patterns with `*`, and exclusions with `!`. Paths outside
 * the folder are ignored.
 */
export function packageScripts(folder: string): readonly string[] | undefined {
  const read = readTextFile(join(folder, "package.json"));
  const manifest = read.kind === "text" ? jsonObject(read.text) : undefined;
  const listed = listIn(manifest?.bough) ?? listIn(manifest?.pi);
  if (listed !== undefined) return scriptsFor(folder, listed);
  const found = scriptsFor(folder, ["extensions"]);
  return found.length === 0 ? undefined : found;
}

function listIn(field: unknown): readonly string[] | undefined {
  const list = isRecord(field) ? field.extensions : undefined;
  return Array.isArray(list) ? list.filter((item): item is string => typeof item === "string") : undefined;
}

function scriptsFor(folder: string, wanted: readonly string[]): readonly string[] {
  const named = wanted.map((path) => path.replace(/^([!+-]?)(?:\.\/)?/, "$1").replace(/\/$/, ""));
  const isInside = (path: string) => !path.split(/[/\\]/).includes("..") && !path.startsWith("/");
  const excluded = named.filter((path) => /^[!-]/.test(path)).map((path) => pattern(path.slice(1)));
  const found = named
    .filter((path) => !/^[!-]/.test(path))
    .map((path) => path.replace(/^\+/, ""))
    .filter(isInside)
    .flatMap((path) => (path.includes("*") ? matching(folder, pattern(path)) : scriptsAt(folder, path)));
  return [...new Set(found)].filter((path) => !excluded.some((rule) => rule.test(path))).sort();
}

/** A script, the index script of a folder, or every script in a folder without one. */
function scriptsAt(folder: string, path: string): readonly string[] {
  const stats = statSync(join(folder, path), { throwIfNoEntry: false });
  if (stats?.isFile() === true) return SCRIPT.test(path) ? [path] : [];
  if (stats?.isDirectory() !== true) return [];
  const names = readdirSync(join(folder, path)).sort();
  const index = names.find((name) => INDEX.test(name));
  if (index !== undefined) return [`${path}/${index}`];
  return names.flatMap((name) => {
    const inner = `${path}/${name}`;
    if (statSync(join(folder, inner), { throwIfNoEntry: false })?.isDirectory() !== true)
      return scriptsAt(folder, inner);
    return readdirSync(join(folder, inner))
      .filter((file) => INDEX.test(file))
      .slice(0, 1)
      .map((file) => `${inner}/${file}`);
  });
}

function matching(folder: string, rule: RegExp): readonly string[] {
  const found: string[] = [];
  const visit = (path: string, level: number): void => {
    for (const item of readdirSync(join(folder, path), { withFileTypes: true })) {
      if (item.name === "node_modules" || item.name.startsWith(".")) continue;
      const inner = path === "" ? item.name : `${path}/${item.name}`;
      if (item.isDirectory() && level < MOST_LEVELS) visit(inner, level + 1);
      else if (SCRIPT.test(inner) && rule.test(inner)) found.push(inner);
    }
  };
  visit("", 0);
  return found;
}

/** `*` matches anything within a name, `**` any folders. */
function pattern(glob: string): RegExp {
  const parts = glob.replace(/^\.\//, "").split(/(\*\*\/?|\*)/);
  const source = parts.map((part) => {
    if (part.startsWith("**")) return "(?:.*/)?";
    return part === "*" ? "[^/]*" : part.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${source.join("")}$`);
}
