/**
 * Reads a whole log that is in order, as almost all are: one pass over the bytes, one over the IDs. Gives up silently
 * at the first irregularity; careful reading and reporting is the job of SessionIndex.
 */
import { kindOf, roleOf, type SessionEntry, type SessionHeader, type TitleLine } from "../../entry/index.js";
import { newRecordScan, Scan, scanRecord } from "../../entry/internal.js";
import type { Log, ScanEnd, ScannedLine } from "../../log/index.js";
import { inOneGo, type Steps } from "../../text/index.js";
import { TreeIndex } from "../../tree/index.js";
import { recordIn, wholeLine } from "./line-text.js";
import { scanSteps } from "./scan-steps.js";

export interface QuickLoaded {
  readonly tree: TreeIndex;
  readonly header: SessionHeader;
  readonly title: TitleLine | undefined;
}

const BRACE = 0x7d;
/** After this many entries the final size can be estimated, so that the index's arrays do not grow step by step. */
const RESERVE_AFTER = 256;

/** The index of a log in order; `undefined` for any other. */
export function quickLoad(log: Log): QuickLoaded | undefined {
  const loading = new QuickLoading(log);
  return inOneGo(loading.finish(log.scan(0, loading.take)));
}

/** Like `quickLoad`, in steps of one slice of the log. */
export function* quickLoadSteps(log: Log, slice?: number): Steps<QuickLoaded | undefined> {
  const loading = new QuickLoading(log);
  const end = yield* scanSteps(log, 0, loading.take, { slice, isOver: () => !loading.inOrder });
  yield;
  const loaded = yield* loading.finish(end);
  yield;
  return loaded;
}

class QuickLoading {
  inOrder = true;
  readonly #log: Log;
  readonly #tree = new TreeIndex();
  readonly #scan = newRecordScan();
  #header: SessionHeader | undefined;
  #title: TitleLine | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  readonly take = (line: ScannedLine): void => {
    if (!this.inOrder || line.last < 0) return;
    const tree = this.#tree;
    const plain = line.last === BRACE && line.terminated && this.#header !== undefined;
    if (plain && scanRecord(line.bytes, line.start, line.end, this.#scan) === Scan.entry) {
      tree.load(this.#scan, line.offset, line.length);
      if (tree.count === RESERVE_AFTER) reserve(tree, this.#log.size() / (line.offset + line.length));
      return;
    }
    const record = line.terminated ? recordIn(wholeLine(this.#log, line)) : undefined;
    if (record?.kind === "header" && this.#header === undefined) this.#header = record.header;
    else if (record?.kind === "title" && this.#header === undefined) this.#title = record.title;
    else if (record?.kind === "entry" && this.#header !== undefined) loadParsed(tree, record.entry, line);
    else this.inOrder = false;
  };

  *finish(end: ScanEnd): Steps<QuickLoaded | undefined> {
    const header = this.#header;
    if (!this.inOrder || header === undefined || !(yield* this.#tree.finishLoading())) return undefined;
    this.#log.accept(end);
    return { tree: this.#tree, header, title: this.#title };
  }
}

/** Adds an entry with its keys in an unusual order, or with an escape in an ID. */
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
