/** When an entry was written, read from its line. */
import { newRecordScan, Scan, SessionError, scanRecord } from "../../entry/index.js";
import type { Log } from "../../log/index.js";
import type { TreeIndex } from "../../tree/index.js";
import { isoMilliseconds } from "./iso-milliseconds.js";
import { recordIn } from "./line-text.js";

/** As much as the first keys of a line need; whatever does not fit is parsed. */
const HEAD_BYTES = 512;

/** Has a tree read the times of its entries from their lines. */
export function readTimes(tree: TreeIndex, log: Log): void {
  const scan = newRecordScan();
  tree.times.readBy((n) => {
    try {
      return entryTime(log, { offset: tree.offsetOf(n), length: tree.lengthOf(n) }, scan);
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
  scan: ReturnType<typeof newRecordScan>,
): number {
  if (offset < 0) return Number.NaN;
  const head = log.readAt(offset, Math.min(length, HEAD_BYTES));
  if (scanRecord(head, 0, head.length, scan) === Scan.entry) {
    const time = isoMilliseconds(head, scan.timestampStart);
    if (!Number.isNaN(time)) return time;
  }
  const record = recordIn(log.readAt(offset, length));
  return record.kind === "entry" ? Date.parse(record.entry.timestamp) : Number.NaN;
}
