/** When an entry was written, read from its line. */

import { SessionError } from "../../entry/index.js";
import { newRecordScan, Scan, scanRecord } from "../../entry/internal.js";
import type { Log } from "../../log/index.js";
import type { TreeIndex } from "../../tree/index.js";
import { isoMilliseconds } from "./iso-milliseconds.js";
import { recordIn } from "./line-text.js";

/** As much as the first keys of a line need; whatever does not fit is parsed. */
const HEAD_BYTES = 512;

/** Has a tree read the times of its entries from their lines. */
export function readTimes(tree: TreeIndex, log: Log): void {
  const heads = new HeadTimes();
  tree.times.readBy((n) => {
    try {
      return entryTime(log, { offset: tree.offsetOf(n), length: tree.lengthOf(n) }, heads);
    } catch (error) {
      // The order of siblings is asked for after closing too: then it is the order of the file.
      if (error instanceof SessionError && error.code === "closed") return Number.NaN;
      throw error;
    }
  });
}

/** In milliseconds; NaN if the line does not say. */
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

/** Times from the first bytes of lines. Lines by the thousand come from one block of memory, which is looked at as a whole. */
class HeadTimes {
  readonly #scan = newRecordScan();
  #block: Uint8Array = new Uint8Array(0);

  /** NaN if the first bytes do not tell. */
  read(head: Buffer): number {
    if (this.#block.buffer !== head.buffer) this.#block = new Uint8Array(head.buffer);
    const start = head.byteOffset;
    if (scanRecord(this.#block, start, start + head.length, this.#scan) !== Scan.entry) return Number.NaN;
    if (this.#scan.timestampStart < 0) return Number.NaN;
    return isoMilliseconds(this.#block, this.#scan.timestampStart);
  }
}
