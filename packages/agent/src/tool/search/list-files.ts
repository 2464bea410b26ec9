/** Lists the paths under a folder that match a glob and are not ignored. */
import { type Dirent, lstatSync, readdir } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { globMatcher, type PathMatcher } from "@bough/session/text/index.js";
import type { IgnoreRules } from "@bough/workbench/checkpoint/internal.js";
import type { FileSystemAdapter } from "tinyglobby";
import { isInside } from "../path/inside.js";
import { ToolFailure } from "../tool-failure.js";

interface ListFilesOptions {
  /** A real path. */
  readonly root: string;
  /** As returned by `searchGlob`. */
  readonly pattern: string;
  /** With `any` and `folder`, paths of folders end with a slash. */
  readonly kind: "file" | "folder" | "any";
  /** Undefined includes ignored paths. */
  readonly rules: IgnoreRules | undefined;
  /** Paths that are always skipped. */
  readonly isClosed: (path: string) => boolean;
  readonly signal: AbortSignal;
}

/**
 * Sorted folder by folder, by name. Links are listed but never followed, so a walk cannot leave the root. Ignored
 * folders and `.git` are not entered.
 */
export async function listFiles(options: ListFilesOptions): Promise<readonly string[]> {
  const { root, pattern, kind, signal } = options;
  const isWanted = wantedPaths(pattern);
  // Imported here, because most sessions start without a search.
  const { glob } = await import("tinyglobby");
  const from = walkStart(pattern);
  const found = await glob("**", {
    cwd: join(root, from),
    ...(/\*\*|[{!]/.test(pattern) ? {} : { deep: pattern.split("/").length - from.split("/").length }),
    dot: true,
    expandDirectories: false,
    followSymbolicLinks: false,
    onlyFiles: kind === "file",
    onlyDirectories: kind === "folder",
    fs: filteredFileSystem(options),
    signal,
  });
  signal.throwIfAborted();
  return found
    .map((path) => (from === "" ? path : `${from}/${path}`))
    .filter((path) => isWanted(path))
    .filter((path) => path !== "./" && path !== "." && path !== "" && isInside(root, join(root, path)))
    .sort(comparePaths);
}

/** tinyglobby only walks; its own matcher can take forever on a pattern with many stars. */
function wantedPaths(pattern: string): PathMatcher {
  const isExcluding = pattern.startsWith("!");
  const matcher = globMatcher(isExcluding ? pattern.slice(1) : pattern);
  if (typeof matcher === "string") throw new ToolFailure(matcher);
  if (!isExcluding) return matcher;
  // Excluding a folder excludes everything below it.
  return (path) => {
    const names = path.replace(/\/$/, "").split("/");
    return !names.some((_, index) => matcher(names.slice(0, index + 1).join("/")));
  };
}

/** The leading folders of a pattern without wildcards: the walk can start there. */
function walkStart(pattern: string): string {
  const names = pattern.split("/");
  const first = names.findIndex((name) => /[*?[\]{}()!\\]/.test(name));
  return names.slice(0, first < 0 ? -1 : first).join("/");
}

/** Compares name by name along the path, so that the contents of a folder stay together. */
function comparePaths(a: string, b: string): number {
  const left = a.split("/");
  const right = b.split("/");
  for (let index = 0; index < left.length && index < right.length; index++) {
    const one = left[index] ?? "";
    const other = right[index] ?? "";
    if (one !== other) return one < other ? -1 : 1;
  }
  return left.length - right.length;
}

/**
 * Filters what the walk sees, so that skipped folders are never entered. If the walk starts below the root, the folders
 * on the way there are checked too.
 */
function filteredFileSystem({ root, rules, isClosed }: ListFilesOptions): FileSystemAdapter {
  const isOpen = (path: string, kind: "file" | "folder"): boolean =>
    basename(path) !== ".git" && !isClosed(path) && (rules === undefined || !rules.ignores(path, kind));
  const entered = new Set([root]);
  const mayEnter = (folder: string): boolean => {
    for (let on = folder; !entered.has(on); on = dirname(on)) {
      if (!isInside(root, on) || !isRealFolder(on) || !isOpen(on, "folder")) return false;
    }
    return true;
  };
  const filtered = (
    path: string,
    settings: { readonly withFileTypes: true },
    done: (error: NodeJS.ErrnoException | null, entries: Dirent[]) => void,
  ): void => {
    const folder = resolve(path);
    if (!mayEnter(folder)) {
      done(null, []);
      return;
    }
    readdir(folder, settings, (error, entries = []) => {
      const open = entries.filter((entry) => isOpen(join(folder, entry.name), entry.isDirectory() ? "folder" : "file"));
      for (const entry of open) if (entry.isDirectory()) entered.add(join(folder, entry.name));
      done(error, error === null ? open.map(linkAsFile) : []);
    });
  };
  return { readdir: filtered as FileSystemAdapter["readdir"] & typeof readdir };
}

function isRealFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** tinyglobby can only follow or skip links; this makes it list them. */
function linkAsFile(entry: Dirent): Dirent {
  if (!entry.isSymbolicLink()) return entry;
  const file = { name: entry.name, isFile: () => true, isDirectory: () => false, isSymbolicLink: () => false };
  return file as Dirent;
}
