/**
 * Reads a small text file that may come from anywhere: never blocks, never follows a link out, never reads too much.
 */
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, type Stats, statSync } from "node:fs";
import { isInside } from "./inside.js";

type TextFile =
  | { readonly kind: "text"; readonly text: string /** Without links. */; readonly real: string }
  | { readonly kind: "absent" }
  | { readonly kind: "unreadable"; readonly reason: string };

export interface ReadTextOptions {
  /** A folder without links in its path. A file outside it is not read, however it is linked. */
  readonly within?: string | undefined;
  /** Never read, under any name: links and hard links to one of them are refused. */
  readonly refuse?: readonly string[];
  /** In bytes. Default: 4 MiB. */
  readonly limit?: number;
}

const LIMIT = 4 * 1024 * 1024;

export function readTextFile(file: string, options: ReadTextOptions = {}): TextFile {
  let descriptor: number;
  try {
    // Opening a pipe would block until its other end is opened.
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return { kind: "absent" };
    return { kind: "unreadable", reason: code === "EISDIR" ? "it is a folder" : (error as Error).message };
  }
  try {
    return readOpened(file, descriptor, options);
  } catch (error) {
    return { kind: "unreadable", reason: (error as Error).message };
  } finally {
    closeSync(descriptor);
  }
}

function readOpened(file: string, descriptor: number, { within, refuse, limit = LIMIT }: ReadTextOptions): TextFile {
  const opened = fstatSync(descriptor);
  if (!opened.isFile()) return { kind: "unreadable", reason: kindOfFile(opened) };
  if ((refuse ?? []).some((path) => isSameFile(opened, path))) return { kind: "unreadable", reason: "it holds keys" };
  const real = realpathSync(file);
  // What was opened counts, not what the name leads to by now.
  if (within !== undefined && !(isInside(within, real) && isSameFile(opened, real))) {
    return { kind: "unreadable", reason: `it is a link to a file outside the project: ${real}` };
  }
  const bytes = Buffer.alloc(Math.min(limit, opened.size || limit) + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes.length; length += read) {
    read = readSync(descriptor, bytes, length, bytes.length - length, null);
  }
  if (opened.size > limit || length > limit) {
    return { kind: "unreadable", reason: `it is larger than ${Math.round(limit / 1024)} KB` };
  }
  return { kind: "text", text: bytes.toString("utf8", 0, length).replace(/^\uFEFF/, ""), real };
}

function isSameFile({ ino, dev }: Stats, path: string): boolean {
  const other = statSync(path, { throwIfNoEntry: false });
  return other !== undefined && other.ino === ino && other.dev === dev;
}

function kindOfFile(stats: Stats): string {
  if (stats.isDirectory()) return "it is a folder";
  if (stats.isFIFO()) return "it is a pipe, not a file";
  return stats.isSocket() ? "it is a socket, not a file" : "it is a device, not a file";
}
