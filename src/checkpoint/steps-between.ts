/** The checkpoints between two entries of a session, in the order in which a move meets them. */
import { type EntryId, FILES_TYPE, type FileDelta, Kind } from "../entry/index.js";
import { type FilesRecord, fileDeltas, filesRecord } from "../entry/internal.js";
import { parsedJson } from "../text/index.js";
import { commonAncestor, type FileStep, type FileWay, type TreeSource } from "../tree/index.js";
import type { BlobStore } from "./store/blob-store.js";

/** Numbers of entries; -1 is before the first one. Throws `blob-missing` for a long list that is not on this machine. */
export async function stepsBetween(
  source: Pick<TreeSource, "tree" | "entryAt">,
  { from, to }: { readonly from: number; readonly to: number },
  store: BlobStore,
): Promise<FileWay> {
  const shared = commonAncestor(source.tree, from, to);
  const up = await stepsAbove(source, { from, until: shared }, store);
  const down = await stepsAbove(source, { from: to, until: shared }, store);
  return { up, down: down.reverse() };
}

/** Newest first. Entries of other kinds are not parsed. */
async function stepsAbove(
  { tree, entryAt }: Pick<TreeSource, "tree" | "entryAt">,
  { from, until }: { readonly from: number; readonly until: number },
  store: BlobStore,
): Promise<FileStep[]> {
  const steps: FileStep[] = [];
  for (let at = from; at >= 0 && at !== until; at = tree.parentOf(at)) {
    if (tree.kindOf(at) !== Kind.custom) continue;
    const entry = entryAt(at);
    if (entry.type !== "custom" || entry.customType !== FILES_TYPE) continue;
    const record = filesRecord(entry.data);
    if (record !== undefined)
      steps.push({ entryId: entry.id as EntryId, by: record.by, changes: await changesOf(record, store) });
  }
  return steps;
}

/** The changes of a record, wherever they are. */
export async function changesOf({ changes, changesIn }: FilesRecord, store: BlobStore): Promise<readonly FileDelta[]> {
  if (changesIn === undefined) return changes;
  // A blob is what its hash says, but whoever wrote the record chose the hash.
  return fileDeltas(parsedJson((await store.get(changesIn)).toString())) ?? [];
}

/** A longer list goes into a blob, so that a line stays a line. */
const MOST_BYTES = 64 * 1024;

/** The record as it is written. */
export async function storedRecord(record: FilesRecord, store: BlobStore): Promise<FilesRecord> {
  const text = JSON.stringify(record.changes);
  if (Buffer.byteLength(text) <= MOST_BYTES) return record;
  return { ...record, changes: [], changesIn: await store.put(Buffer.from(text)) };
}
