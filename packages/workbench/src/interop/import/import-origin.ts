/** What an imported session remembers about its source: where it was, and how much of it existed at each import. */
import { createHash, type Hash } from "node:crypto";
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { dirname, relative } from "node:path";
import type { CustomEntry, EntryId } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { isRecord } from "@bough/session/text/index.js";
import type { AgentName, ForeignSession } from "../contract.js";
import { pieceBuffer } from "../file-head.js";
import { foreignId } from "../foreign-entry.js";
import { type LossReport, TORN_LINE } from "../loss-report.js";

/** The `customType` of the entry that ends each import. It is a root, so it never becomes the leaf. */
export const ORIGIN_TYPE = "bough.origin";

export interface OriginFile {
  readonly path: string;
  /** Number of records that were read, not counting an incomplete last line. */
  readonly records: number;
  readonly bytes: number;
  readonly sha256: string;
}

export interface ImportOrigin {
  readonly agent: AgentName;
  /** The session's ID in its own program. */
  readonly id: string;
  readonly path: string;
  readonly files: readonly OriginFile[];
}

type FileStamp = Omit<OriginFile, "records">;

export function stampFiles(source: ForeignSession): FileStamp[] {
  return source.files.map((path) => {
    const { size } = statSync(path);
    return { path, bytes: size, sha256: hashOfStart(path, size) };
  });
}

/** `earlier`: number of entries before this import, which distinguishes two imports of the same files. */
export function originEntry(
  source: ForeignSession,
  stamps: readonly FileStamp[],
  report: LossReport,
  earlier = 0,
): CustomEntry<ImportOrigin> {
  const files = stamps.map((stamp) => ({ ...stamp, records: recordsSeen(report, stamp.path) }));
  const { agent, id, path } = source;
  return {
    type: "custom",
    id: foreignId("origin", id, earlier, ...files.map(({ sha256 }) => sha256)),
    parentId: null,
    timestamp: source.modified.toISOString(),
    customType: ORIGIN_TYPE,
    data: { agent, id, path, files },
  };
}

function recordsSeen(report: LossReport, file: string): number {
  let records = 0;
  for (const count of report.counts) if (count.file === file && count.type !== TORN_LINE) records += count.count;
  return records;
}

/** The earlier imports of a session, oldest first. */
export function originsOf(session: SessionManager): ImportOrigin[] {
  return originEntriesOf(session).map(({ data }) => data);
}

/** ID of the entry that ended the last import. */
export function lastOriginId(session: SessionManager): EntryId | undefined {
  return originEntriesOf(session).at(-1)?.id;
}

function originEntriesOf(session: SessionManager): { readonly id: EntryId; readonly data: ImportOrigin }[] {
  return session.getChildIds(null).flatMap((id) => {
    const entry = session.getEntry(id) as CustomEntry<unknown> | undefined;
    const isOne = entry?.type === "custom" && entry.customType === ORIGIN_TYPE && isOrigin(entry.data);
    return isOne ? [{ id, data: entry.data as ImportOrigin }] : [];
  });
}

function isOrigin(data: unknown): data is ImportOrigin {
  return isRecord(data) && Array.isArray(data.files) && data.files.every((file) => isRecord(file));
}

/**
 * For each file, how many records each earlier import saw; 0 if the file did not exist. Files are identified by their
 * path relative to the main one.
 */
export function cutsFrom(origins: readonly ImportOrigin[], source: ForeignSession): Map<string, readonly number[]> {
  return new Map(
    source.files.map((path, at) => [path, origins.map((origin) => fileOf(origin, source, at)?.records ?? 0)]),
  );
}

/** The files that were rewritten since the last import: they no longer start with the same bytes. */
export function rewrittenFiles(origins: readonly ImportOrigin[], source: ForeignSession): string[] {
  const last = origins.at(-1);
  if (last === undefined) return [];
  return source.files.filter((path, at) => {
    const known = fileOf(last, source, at);
    return known !== undefined && hashOfStart(path, known.bytes) !== known.sha256;
  });
}

/** The same file in an earlier import. The main file counts as the same anywhere, since the source may have moved. */
function fileOf(origin: ImportOrigin, source: ForeignSession, at: number): OriginFile | undefined {
  if (at === 0) return origin.files[0];
  const name = relative(dirname(source.path), source.files[at] as string);
  return origin.files.find((file) => relative(dirname(origin.path), file.path) === name);
}

/** The hash of a file's first bytes, or of all if it is shorter, including the write-ahead log of a database. */
function hashOfStart(path: string, bytes: number): string {
  const hash = createHash("sha256");
  addStart(hash, path, bytes);
  const log = `${path}-wal`;
  if (existsSync(log)) addStart(hash, log, Number.POSITIVE_INFINITY);
  return hash.digest("hex");
}

function addStart(hash: Hash, path: string, bytes: number): void {
  const file = openSync(path, "r");
  try {
    const chunk = pieceBuffer(file);
    for (let at = 0; at < bytes; ) {
      const got = readSync(file, chunk, 0, Math.min(chunk.length, bytes - at), at);
      if (got === 0) break;
      hash.update(chunk.subarray(0, got));
      at += got;
    }
  } finally {
    closeSync(file);
  }
}
