/** Writes the file of a recipe piece by piece, so that memory does not grow with its size. */
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { sessionLines } from "./session-lines.mjs";

const PIECE = 1 << 20;

/**
 * @param {string} path
 * @param {import("./session-lines.mjs").Recipe} recipe
 * @returns {{ entries: number, bytes: number }}
 */
export function writeSession(path, recipe) {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, "w", 0o600);
  try {
    let entries = -1;
    let bytes = 0;
    let piece = "";
    for (const line of sessionLines(recipe)) {
      entries++;
      piece += line;
      if (piece.length < PIECE) continue;
      bytes += writeAll(file, piece);
      piece = "";
    }
    bytes += writeAll(file, piece);
    return { entries, bytes };
  } finally {
    closeSync(file);
  }
}

/**
 * Answers the number of bytes.
 *
 * @param {number} file
 * @param {string} text
 */
export function writeAll(file, text) {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
  return bytes.length;
}
