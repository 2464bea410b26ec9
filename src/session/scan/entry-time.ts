import { SessionError } from "../../entry/index.js";
import type { Log } from "../../log/index.js";
import type { TreeIndex } from "../../tree/index.js";
import { recordIn } from "./line-text.js";

/** As Bough writes the first keys of a line; other orders are parsed. */
const HEAD = /^\{"type":"[^"\\]*","id":"[^"\\]*","parentId":(?:null|"[^"\\]*"),"timestamp":"([^"\\]*)"/;
const HEAD_BYTES = 512;

/** Has a tree read the times of its entries from their lines. */
export function readTimes(tree: TreeIndex, log: Log): void {
  tree.times.readBy((n) => entryTime(log, tree.offsetOf(n), tree.lengthOf(n)));
}

/** In milliseconds; NaN where the line does not say, or the log is closed. */
function entryTime(log: Log, offset: number, length: number): number {
  if (offset < 0) return Number.NaN;
  try {
    const head = HEAD.exec(log.readAt(offset, Math.min(length, HEAD_BYTES)).toString("latin1"));
    if (head !== null) return Date.parse(head[1] as string);
    const record = recordIn(log.readAt(offset, length));
    return record.kind === "entry" ? Date.parse(record.entry.timestamp) : Number.NaN;
  } catch (error) {
    // The order of siblings is asked for after closing too: then it is the order of the file.
    if (error instanceof SessionError && error.code === "closed") return Number.NaN;
    throw error;
  }
}
