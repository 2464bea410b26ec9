/** The content of one line with every byte parsed, as the engine sees it when it reads the line's entry. */
import { BAD_RECORD_REASONS, parseRecord, type SessionEntry, type SessionHeader } from "../../entry/index.js";
import { newRecordScan, Scan, scanRecord } from "../../entry/internal.js";
import { isSameId } from "../entry-reader.js";
import {
  type DamagedPlace,
  headerWithin,
  idAndParentIn,
  type RecordWithin,
  recordsWithin,
} from "../scan/recover-line.js";
import type { FileLine } from "./walk-lines.js";

export type LineContent =
  | { readonly kind: "blank" }
  | { readonly kind: "title" }
  | { readonly kind: "header"; readonly header: SessionHeader }
  | { readonly kind: "entry"; readonly entry: SessionEntry; readonly text: string }
  | JoinedLine
  /** The ID and parent were read from the first bytes; the rest is damaged. */
  | { readonly kind: "unreadable"; readonly place: DamagedPlace; readonly reason: string }
  | DamagedLine;

export interface DamagedLine {
  readonly kind: "damaged";
  readonly reason: string;
  /** Its ID and parent, if its first bytes still hold them. */
  readonly place: DamagedPlace | undefined;
  /** The header at the start of the line. */
  readonly header?: SessionHeader;
}

/** Whole records among other bytes. */
export interface JoinedLine {
  readonly kind: "joined";
  readonly records: readonly RecordWithin[];
  /** The header at the start of the line. */
  readonly header?: SessionHeader;
  /** The ID and parent of a record of which only the first bytes are left. */
  readonly lost?: DamagedPlace;
}

const BRACE = 0x7d;
const TOO_LONG = "the line is longer than the runtime can hold as text";

export function readLine(line: FileLine): LineContent {
  const { bytes } = line;
  if (line.last < 0) return { kind: "blank" };
  // The engine trusts the first bytes of a line that ends like a record, so damage after them loses only the content.
  const place = line.last === BRACE && line.terminated ? placeInHead(line) : undefined;
  if (line.tooLong) {
    return place === undefined
      ? { kind: "damaged", place: idAndParentIn(bytes), reason: TOO_LONG }
      : { kind: "unreadable", place, reason: TOO_LONG };
  }
  const text = bytes.toString("utf8");
  const record = parseRecord(text);
  if (place === undefined) {
    if (record.kind === "entry") return { kind: "entry", entry: record.entry, text };
    if (record.kind !== "bad") return record;
    const records = recordsWithin(bytes);
    const found = headerWithin(bytes);
    const header = found === undefined ? {} : { header: found };
    if (records.length > 0) return { kind: "joined", records, ...header };
    const reason = bytes.every((byte) => byte === 0) ? "the line is zero bytes" : BAD_RECORD_REASONS[record.reason];
    return { kind: "damaged", place: idAndParentIn(bytes), reason, ...header };
  }
  if (record.kind === "entry" && isSameId(record.entry.id, place.id))
    return { kind: "entry", entry: record.entry, text };
  const records = recordsWithin(bytes);
  if (records.length > 0) {
    return {
      kind: "joined",
      records,
      ...(records.some(({ entry }) => isSameId(entry.id, place.id)) ? {} : { lost: place }),
    };
  }
  const reason = record.kind === "entry" ? "has the field id twice" : "is not JSON";
  return { kind: "unreadable", place, reason: `the line starts like an entry, but ${reason}` };
}

const scan = newRecordScan();

function placeInHead({ bytes, offset }: FileLine): DamagedPlace | undefined {
  const start = offset === 0 && hasByteOrderMark(bytes) ? 3 : 0;
  if (scanRecord(bytes, start, bytes.length, scan) !== Scan.entry) return undefined;
  return {
    id: bytes.toString("utf8", scan.idStart, scan.idEnd),
    parentId: scan.parentStart < 0 ? null : bytes.toString("utf8", scan.parentStart, scan.parentEnd),
  };
}

export function hasByteOrderMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
