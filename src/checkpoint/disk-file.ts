/** What is at a path below the root now. Links are never followed, neither the file's own nor one in a folder above it. */
import { lstatSync, readlinkSync, type Stats } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FileState } from "../entry/index.js";
import { hashOf } from "./store/blob-store.js";

export type DiskFile =
  | { readonly kind: "file"; readonly state: FileState; readonly content?: Buffer }
  /** A folder, a socket, a file that cannot be read, or a path through a link or a file. */
  | { readonly kind: "blocked"; readonly why: BlockedWhy };

export type BlockedWhy = "folder" | "special" | "unreadable" | "link-above" | "file-above";

/** The content of a file comes along, so that it can be stored without being read again. */
export async function diskFile(root: string, path: string): Promise<DiskFile> {
  const above = parentOf(root, path);
  if (above !== undefined) return above === "missing" ? { kind: "file", state: null } : { kind: "blocked", why: above };
  const file = join(root, path);
  const stats = statsOf(file);
  if (stats === undefined) return { kind: "file", state: null };
  if (stats.isDirectory()) return { kind: "blocked", why: "folder" };
  try {
    if (stats.isSymbolicLink()) return { kind: "file", state: { link: readlinkSync(file) } };
    if (!stats.isFile()) return { kind: "blocked", why: "special" };
    const content = await readFile(file);
    const state = { hash: hashOf(content), mode: modeOf(stats), size: content.length };
    return { kind: "file", state, content };
  } catch (error) {
    // Gone since it was looked at.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { kind: "file", state: null };
    return { kind: "blocked", why: "unreadable" };
  }
}

/** What keeps the folder of a path from being one; undefined if it is a real folder, all the way from the root. */
export function parentOf(root: string, path: string): "missing" | "link-above" | "file-above" | undefined {
  const parts = dirname(path).split("/");
  if (parts[0] === ".") return undefined;
  for (let at = 1; at <= parts.length; at++) {
    const stats = statsOf(join(root, ...parts.slice(0, at)));
    if (stats === undefined) return "missing";
    if (stats.isSymbolicLink()) return "link-above";
    if (!stats.isDirectory()) return "file-above";
  }
  return undefined;
}

export function modeOf(stats: Pick<Stats, "mode">): "644" | "755" {
  return (stats.mode & 0o100) === 0 ? "644" : "755";
}

/** Throws for anything but a path that is not there. */
export function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
}
