/** One replica's lines of one session in a folder: a file that only grows and may arrive late, incomplete or twice. */
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { makeFolder, scanLines } from "@bough/session/log/index.js";
import { isSameMark, type Mark, markAt } from "../file-cursor.js";

const NEWLINE = 0x0a;
/** How many of the bytes before a mark are compared to tell whether a file is still the same one. */
const CHECKED_BYTES = 1_024;

/**
 * The complete lines after a mark, and the mark after the last of them. A line that is still arriving is left for
 * later. If a sync tool put another version in place of the file, all of it is read again; callers skip lines they
 * know.
 */
export function readLines(path: string, from: Mark | undefined, most: number): { lines: Uint8Array[]; end: Mark } {
  const fd = openSync(path, "r");
  try {
    const lines: Uint8Array[] = [];
    let end = from !== undefined && isSameMark(markIn(fd, from.at), from) ? from.at : 0;
    let bytes = 0;
    const read = (buffer: Buffer, at: number, length: number, offset: number) =>
      readSync(fd, buffer, at, length, offset);
    try {
      scanLines(read, end, (line) => {
        if (!line.terminated) return;
        if (bytes >= most) throw ENOUGH;
        end = line.offset + line.length + 1;
        if (line.last < 0) return;
        const copy = Buffer.allocUnsafe(line.length);
        readSync(fd, copy, 0, line.length, line.offset);
        lines.push(copy);
        bytes += copy.length;
      });
    } catch (error) {
      if (error !== ENOUGH) throw error;
    }
    return { lines, end: markIn(fd, end) };
  } finally {
    closeSync(fd);
  }
}

/** The mark at the end of a file. */
export function endOf(path: string): Mark {
  return inFile(path, (fd) => markIn(fd, fstatSync(fd).size));
}

/** Whether the file still exists and is unchanged up to the mark. */
export function isUnchangedTo(path: string, mark: Mark): boolean {
  return isFile(path) && inFile(path, (fd) => isSameMark(markIn(fd, mark.at), mark));
}

function inFile<T>(path: string, work: (fd: number) => T): T {
  const fd = openSync(path, "r");
  try {
    return work(fd);
  } finally {
    closeSync(fd);
  }
}

function markIn(fd: number, at: number): Mark {
  const tail = Buffer.alloc(Math.min(CHECKED_BYTES, at));
  const got = readSync(fd, tail, 0, tail.length, at - tail.length);
  return markAt(at, tail.subarray(0, got));
}

/** Thrown through a scan to end it. */
const ENOUGH = Symbol("enough");

/**
 * Appends lines and waits for the disk. First terminates a torn last line left by a killed writer. `end` is undefined
 * if another program wrote in between, because the position of the lines is then unknown.
 */
export function appendLines(path: string, lines: readonly Uint8Array[]): { start: Mark; end: Mark | undefined } {
  makeFolder(dirname(path));
  const fd = openSync(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  try {
    const { size } = fstatSync(fd);
    const start = markIn(fd, size);
    const last = Buffer.alloc(1);
    const torn = size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE;
    const newline = Buffer.from([NEWLINE]);
    const bytes = Buffer.concat([...(torn ? [newline] : []), ...lines.flatMap((line) => [line, newline])]);
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    fsyncSync(fd);
    const written = Buffer.alloc(bytes.length);
    readSync(fd, written, 0, written.length, size);
    return { start, end: written.equals(bytes) ? markIn(fd, size + bytes.length) : undefined };
  } finally {
    closeSync(fd);
  }
}

/** False for links, which could point anywhere: never read through one. */
export function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

export function modifiedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
