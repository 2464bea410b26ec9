/** Paths under a folder that match a glob, without what ignore files leave out. */
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
  /** As `searchGlob` gives it. */
  readonly pattern: string;
  /** `any` marks folders with a slash at the end, and so does `folder`. */
  readonly kind: "file" | "folder" | "any";
  /** Undefined if ignored paths are wanted too. */
  readonly rules: IgnoreRules | undefined;
  /** Paths that are omitted whatever the pattern says. */
  readonly isClosed: (path: string) => boolean;
  readonly signal: AbortSignal;
}

/**
 * Sorted as a user reads a tree: folder by folder, by name. Links are named, never followed, so a walk cannot leave
 * the root. Ignored folders and `.git` are not entered at all.
 */
export async function listFiles(options: ListFilesOptions): Promise<readonly string[]> {
  const { root, pattern, kind, signal } = options;
  const isWanted = wantedPaths(pattern);
  // Only now: most sessions begin without a search.
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

/** The walk only lists: its own matcher can take forever over a pattern with many stars. */
function wantedPaths(pattern: string): PathMatcher {
  const isExcluding = pattern.startsWith("!");
  const matcher = globMatcher(isExcluding ? pattern.slice(1) : pattern);
  if (typeof matcher === "string") throw new ToolFailure(matcher);
  if (!isExcluding) return matcher;
  // What is excluded takes everything below it along.
  return (path) => {
    const names = path.replace(/\/$/, "").split("/");
    return !names.some((_, index) => matcher(names.slice(0, index + 1).join("/")));
  };
}

/** The folders a pattern names before its first sign: nothing else has to be looked at. */
function walkStart(pattern: string): string {
  const names = pattern.split("/");
  const first = names.findIndex((name) => /[*?[\]{}()!\\]/.test(name));
  return names.slice(0, first < 0 ? -1 : first).join("/");
}

/** Name by name along the path, so that what is in a folder stays together. */
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
 * The walk sees the tree through this: what is filtered here is never entered. The walk may also begin deeper than the
 * root, where the pattern begins with names; then the way there is checked like any other.
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

/** The walk knows links as something to follow or to leave out. Here they are something to name. */
function linkAsFile(entry: Dirent): Dirent {
  if (!entry.isSymbolicLink()) return entry;
  const file = { name: entry.name, isFile: () => true, isDirectory: () => false, isSymbolicLink: () => false };
  return file as Dirent;
}
