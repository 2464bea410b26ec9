/** Limit: reading the bytes. */
import { readPieces } from "../read-pieces.mjs";

/** @param {{ path: string }} input */
export function run({ path }) {
  const start = performance.now();
  let bytes = 0;
  readPieces(path, (piece) => {
    bytes += piece.length;
  });
  return { ms: performance.now() - start, check: bytes };
}
