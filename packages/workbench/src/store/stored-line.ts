/**
 * What stores and syncs read from a line. Lines come from other machines: damaged ones have no facts and are skipped.
 */
import { createHash } from "node:crypto";
import { POSITION_TYPE, type SessionEntry, type SessionHeader } from "@bough/session/entry/index.js";
import { isEntry, isHeader, parseObject, type RawRecord, SYNC_CAUSE } from "@bough/session/entry/internal.js";
import { isRecord } from "@bough/session/text/index.js";

/** Marks a line that was rewritten because its ID was taken; see `unite`. */
export const SYNCED_FROM = "syncedFrom";

interface LinePlace {
  readonly id: string;
  readonly parentId: string | null;
  readonly type: string;
}

export interface HeaderFacts extends LinePlace {
  readonly kind: "header";
  readonly record: Readonly<RawRecord> & SessionHeader;
}

export interface EntryFacts extends LinePlace {
  readonly kind: "entry";
  readonly record: Readonly<RawRecord> & SessionEntry;
}

export type LineFacts = HeaderFacts | EntryFacts;

/** Undefined for a line that is not a header or an entry. */
export function lineFacts(bytes: Uint8Array): LineFacts | undefined {
  const read = parseObject(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"));
  if (read.kind === "bad") return undefined;
  const { record } = read;
  if (isHeader(record)) return { kind: "header", id: record.id, parentId: null, type: record.type, record };
  if (record.parentId === undefined) record.parentId = null;
  if (isEntry(record)) return { kind: "entry", id: record.id, parentId: record.parentId, type: record.type, record };
  return undefined;
}

/** Whether a line belongs to this copy only: position records written by a pull, and lines rewritten for this copy. */
export function staysHere({ record }: LineFacts): boolean {
  if (SYNCED_FROM in record) return true;
  if (record.type !== "custom" || record.customType !== POSITION_TYPE) return false;
  return isRecord(record.data) && record.data.cause === SYNC_CAUSE;
}

/** The identity of a line: two lines are the same if all their bytes are equal. */
export function lineHash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
