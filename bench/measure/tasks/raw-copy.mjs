/** Limit of a fork: reading the bytes and writing them to a new file. */
import { closeSync, openSync, writeSync } from "node:fs";
import { readPieces } from "../read-pieces.mjs";

/** @param {{ path: string, target: string }} input */
export function run({ path, target }) {
  const start = performance.now();
  const file = openSync(target, "w");
  let bytes = 0;
  readPieces(path, (piece) => {
    bytes += writeSync(file, piece);
  });
  closeSync(file);
  return { ms: performance.now() - start, check: bytes };
}
