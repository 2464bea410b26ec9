/**
 * Scans a file for the first line that may hold a match, and leaves the rest to another thread. It needs so little that
 * a worker with it starts in half the time: most searches find nothing in most files.
 */
import { closeSync, openSync, statSync } from "node:fs";
import { candidateLines } from "./match/candidate-lines.js";
import type { LineFilter } from "./match/line-filter.js";
import type { FileStep } from "./search-hit.js";

/** Steps without hits. The last one has `rest` if there is a line to examine, or the file cannot be read. */
export function* scanFile(path: string, filter: LineFilter): Generator<FileStep, void, undefined> {
  let done = 0;
  try {
    // Reading a pipe would block until something is written to it.
    const fd = statSync(path).isFile() ? openSync(path, "r") : undefined;
    if (fd === undefined) yield { hits: [], done, rest: { from: 0 } };
    else {
      try {
        for (const { lines, tooLong, done: read } of candidateLines({ fd, from: 0 }, filter)) {
          const [first = tooLong] = lines;
          if (first === undefined) {
            done = read;
            yield { hits: [], done };
          } else {
            yield { hits: [], done: first.offset, rest: { from: first.offset } };
            return;
          }
        }
      } finally {
        closeSync(fd);
      }
    }
  } catch {
    // The next read gets the same error and can report it.
    yield { hits: [], done, rest: { from: done } };
  }
}
