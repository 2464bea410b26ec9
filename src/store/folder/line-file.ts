/** One replica's lines of one session in a folder: a file that only grows and may arrive late, in part or twice. */
import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder, scanLines } from "../../log/index.js";

const NEWLINE = 0x0a;

/** The complete lines from an offset, and the offset after the last of them. One that is still arriving is left for later. */
export function readLines(path: string, from: number, most: number): { lines: Uint8Array[]; end: number } {
  const fd = openSync(path, "r");
  try {
    const { size } = fstatSync(fd);
    const lines: Uint8Array[] = [];
    // A sync tool may put back an older version. Reading all of it again is right: lines that are known are passed over.
    let end = from <= size ? from : 0;
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
    return { lines, end };
  } finally {
    closeSync(fd);
  }
}

/** Thrown through a scan to end it. */
const ENOUGH = Symbol("enough");

/** Appends lines and waits for the disk. A torn last line of a writer that was killed gets its end first. */
export function appendLines(path: string, lines: readonly Uint8Array[]): { start: number; end: number } {
  makeFolder(dirname(path));
  const fd = openSync(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, 0o600);
  try {
    const { size } = fstatSync(fd);
    const last = Buffer.alloc(1);
    const torn = size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE;
    const newline = Buffer.from([NEWLINE]);
    const bytes = Buffer.concat([...(torn ? [newline] : []), ...lines.flatMap((line) => [line, newline])]);
    for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written);
    fsyncSync(fd);
    return { start: size, end: size + bytes.length };
  } finally {
    closeSync(fd);
  }
}

export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
