/** Paths under a folder that match a glob, without what ignore files leave out. */
import { type Dirent, readdir } from "node:fs";
import { join, resolve } from "node:path";
import { type FileSystemAdapter, glob } from "tinyglobby";
import { isInside } from "../path/inside.js";
import type { IgnoreRules } from "./ignore-rules.js";

export interface ListFilesOptions {
  /** A real path. */
  readonly root: string;
  /** As `searchGlob` gives it. */
  readonly pattern: string;
  /** `any` marks folders with a slash at the end, and so does `folder`. */
  readonly kind: "file" | "folder" | "any";
  /** Undefined where ignored paths are wanted too. */
  readonly rules: IgnoreRules | undefined;
  /** Paths that are left out whatever the pattern says. */
  readonly isClosed: (path: string) => boolean;
  readonly signal: AbortSignal;
}

/**
 * Sorted as a person reads a tree: folder by folder, by name. Links are named, never followed, so a walk cannot leave
 * the root. Ignored folders and `.git` are not entered at all.
 */
export async function listFiles(options: ListFilesOptions): Promise<readonly string[]> {
  const { root, pattern, kind, signal } = options;
  const exclude = pattern.startsWith("!");
  const found = await glob(exclude ? "**" : pattern, {
    cwd: root,
    ...(exclude ? { ignore: pattern.slice(1) } : {}),
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
    .filter((path) => path !== "./" && path !== "." && path !== "" && isInside(root, join(root, path)))
    .sort(comparePaths);
}

/** Name by name along the path, so that what is in a folder stays together. */
export function comparePaths(a: string, b: string): number {
  const left = a.split("/");
  const right = b.split("/");
  for (let index = 0; index < left.length && index < right.length; index++) {
    const one = left[index] ?? "";
    const other = right[index] ?? "";
    if (one !== other) return one < other ? -1 : 1;
  }
  return left.length - right.length;
}

/** The walk sees the tree through this: what is filtered here is never entered. */
function filteredFileSystem({ root, rules, isClosed }: ListFilesOptions): FileSystemAdapter {
  const keep = (folder: string, entry: Dirent): boolean => {
    const path = join(folder, entry.name);
    if (entry.name === ".git" || isClosed(path)) return false;
    return rules === undefined || !rules.ignores(path, entry.isDirectory() ? "folder" : "file");
  };
  const filtered = (
    path: string,
    settings: { readonly withFileTypes: true },
    done: (error: NodeJS.ErrnoException | null, entries: Dirent[]) => void,
  ): void => {
    const folder = resolve(path);
    // A pattern may still point outside, hidden in braces.
    if (!isInside(root, folder)) {
      done(null, []);
      return;
    }
    readdir(folder, settings, (error, entries = []) => {
      done(error, error === null ? entries.filter((entry) => keep(folder, entry)) : []);
    });
  };
  return { readdir: filtered as FileSystemAdapter["readdir"] & typeof readdir };
}
