/** When an entry was written, read from its line. */

import { SessionError } from "../../entry/index.js";
import { newRecordScan, Scan, scanRecord } from "../../entry/internal.js";
import type { Log } from "../../log/index.js";
import type { TreeIndex } from "../../tree/index.js";
import { isoMilliseconds } from "./iso-milliseconds.js";
import { recordIn } from "./line-text.js";

/** Enough for the first keys of a line; a line whose time comes later is parsed. */
const HEAD_BYTES = 512;

/** Makes a tree read the times of its entries from their lines. */
export function readTimes(tree: TreeIndex, log: Log): void {
  const heads = new HeadTimes();
  tree.times.readBy((n) => {
    try {
      return entryTime(log, { offset: tree.offsetOf(n), length: tree.lengthOf(n) }, heads);
    } catch (error) {
      // Siblings may still be sorted after closing: they then keep the order of the file.
      if (error instanceof SessionError && error.code === "closed") return Number.NaN;
      throw error;
    }
  });
}

/** In milliseconds; NaN if the line has no valid time. */
function entryTime(
  log: Log,
  { offset, length }: { readonly offset: number; readonly length: number },
  heads: HeadTimes,
): number {
  if (offset < 0) return Number.NaN;
  const time = heads.read(log.readAt(offset, Math.min(length, HEAD_BYTES)));
  if (!Number.isNaN(time)) return time;
  const record = recordIn(log.readAt(offset, length));
  return record.kind === "entry" ? Date.parse(record.entry.timestamp) : Number.NaN;
}

/**
 * Times from the first bytes of lines. Thousands of lines share one block of memory, so the view of a block is cached.
 */
class HeadTimes {
  readonly #scan = newRecordScan();
  #block: Uint8Array = new Uint8Array(0);

  /** NaN if the first bytes hold no time. */
  read(head: Buffer): number {
    if (this.#block.buffer !== head.buffer) this.#block = new Uint8Array(head.buffer);
    const start = head.byteOffset;
    if (scanRecord(this.#block, start, start + head.length, this.#scan) !== Scan.entry) return Number.NaN;
    if (this.#scan.timestampStart < 0) return Number.NaN;
    return isoMilliseconds(this.#block, this.#scan.timestampStart);
  }
}
