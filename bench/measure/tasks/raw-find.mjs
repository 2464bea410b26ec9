/** Limit of a search inside Node: reading the bytes and finding the word. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readPieces } from "../read-pieces.mjs";

/** @param {{ dir: string, word: string }} input */
export function run({ dir, word }) {
  const needle = Buffer.from(word);
  const start = performance.now();
  let found = 0;
  for (const name of readdirSync(dir)) {
    readPieces(join(dir, name), (piece) => {
      for (let at = piece.indexOf(needle); at >= 0; at = piece.indexOf(needle, at + 1)) found++;
    });
  }
  return { ms: performance.now() - start, extra: { found } };
}
