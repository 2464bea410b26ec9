/**
 * Reads a whole log that is in order, as almost all are: one pass over the bytes, one over the ids. Gives up without a
 * word as soon as anything is odd; reading carefully and reporting is the job of SessionIndex.
 */
import { kindOf, roleOf, type SessionEntry, type SessionHeader, type TitleLine } from "../../entry/index.js";
import { newRecordScan, Scan, scanRecord } from "../../entry/internal.js";
import type { Log, ScannedLine } from "../../log/index.js";
import { TreeIndex } from "../../tree/index.js";
import { recordIn, wholeLine } from "./line-text.js";

const BRACE = 0x7d;
/** After this many entries the size of the index can be guessed, so that its arrays do not grow step by step. */
const RESERVE_AFTER = 256;

/** The index of a log in order; `undefined` for any other. */
export function quickLoad(
  log: Log,
): { readonly tree: TreeIndex; readonly header: SessionHeader; readonly title: TitleLine | undefined } | undefined {
  const tree = new TreeIndex();
  const scan = newRecordScan();
  let header: SessionHeader | undefined;
  let title: TitleLine | undefined;
  let inOrder = true;
  const end = log.scan(0, (line) => {
    if (!inOrder || line.last < 0) return;
    const plain = line.last === BRACE && line.terminated && header !== undefined;
    if (plain && scanRecord(line.bytes, line.start, line.end, scan) === Scan.entry) {
      tree.load(scan, line.offset, line.length);
      if (tree.count === RESERVE_AFTER) reserve(tree, log.size() / (line.offset + line.length));
      return;
    }
    const record = line.terminated ? recordIn(wholeLine(log, line)) : undefined;
    if (record?.kind === "header" && header === undefined) header = record.header;
    else if (record?.kind === "title" && header === undefined) title = record.title;
    else if (record?.kind === "entry" && header !== undefined) loadParsed(tree, record.entry, line);
    else inOrder = false;
  });
  if (!inOrder || header === undefined || !tree.finishLoading()) return undefined;
  log.accept(end);
  return { tree, header, title };
}

/** An entry with its keys in another order, or with an escape in an id. */
function loadParsed(tree: TreeIndex, entry: SessionEntry, line: ScannedLine): void {
  const bytes = Buffer.from(`${entry.id}${entry.parentId ?? ""}`);
  const idEnd = Buffer.byteLength(entry.id);
  const parentStart = entry.parentId === null ? -1 : idEnd;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const place = { idStart: 0, idEnd, parentStart, parentEnd: bytes.length, timestampStart: -1, bytes, view };
  tree.load({ kind: kindOf(entry), role: roleOf(entry), ...place }, line.offset, line.length);
}

function reserve(tree: TreeIndex, timesMore: number): void {
  const expected = Math.ceil(timesMore * RESERVE_AFTER * 1.05);
  tree.reserve(Math.min(expected, 1 << 24), tree.ids.textOf(0).length);
}
