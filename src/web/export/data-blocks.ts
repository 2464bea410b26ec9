/** Data inside the page: blocks that no browser runs and that nothing in them can end. */
import type { SessionEntry } from "../../entry/index.js";
import { pathTo, type TreeSource } from "../../tree/index.js";
import { chunkOf } from "../data/chunk-of.js";

/** An entry is in a chunk of about this many characters; a chunk is read when one of its entries is shown. */
const CHUNK_LENGTH = 128 * 1024;
/** Entries at the end of the path that the first screens show. */
const FIRST_ENTRIES = 120;
/** More than this before the script would delay it. */
const FIRST_LENGTH = 3 * 1024 * 1024;

/** JSON in which `<` is written otherwise: neither an end tag nor a comment can begin in it. */
export function inertJson(value: unknown): string {
  return JSON.stringify(value).replace(/</g, "\\u003c");
}

export function dataBlock(id: string, text: string): string {
  return `<script type="application/json" id="${id}">${text}</script>\n`;
}

/** The first entries of all chunks. Goes by the lengths in the index. */
export function chunkStarts({ tree }: TreeSource): number[] {
  const starts: number[] = [];
  let length = Number.POSITIVE_INFINITY;
  for (let n = 0; n < tree.count; n++) {
    const own = tree.lengthOf(n);
    if (length + own > CHUNK_LENGTH && length > 0) {
      starts.push(n);
      length = 0;
    }
    length += own;
  }
  return starts;
}

/** The order of the chunks in the page: what the first screens show, and then from the newest to the oldest. */
export function chunkOrder(
  source: TreeSource,
  starts: readonly number[],
): { first: readonly number[]; rest: readonly number[] } {
  const { tree, leaf } = source;
  const first = new Set<number>();
  let length = 0;
  const path = pathTo(tree, leaf);
  for (let at = path.length - 1; at >= Math.max(0, path.length - FIRST_ENTRIES) && length < FIRST_LENGTH; at--) {
    const chunk = chunkOf(starts, path[at] as number);
    if (first.has(chunk)) continue;
    first.add(chunk);
    const end = starts[chunk + 1] ?? tree.count;
    for (let n = starts[chunk] as number; n < end; n++) length += tree.lengthOf(n);
  }
  const rest: number[] = [];
  for (let chunk = starts.length - 1; chunk >= 0; chunk--) if (!first.has(chunk)) rest.push(chunk);
  return { first: [...first], rest };
}

/** One entry as a line, with the fields in the order of the format, so that the lines are a session file. */
export function entryLine(entry: SessionEntry): string {
  const { type, id, parentId, timestamp, ...fields } = entry;
  return inertJson({ type, id, parentId, timestamp, ...fields });
}
