/** The checkpoints between two entries of a session, in the order in which a move passes them. */
import { type EntryId, FILES_TYPE, type FileDelta, Kind } from "@bough/session/entry/index.js";
import {
  type FilesRecord,
  fileDeltas,
  filesRecord,
  hasTooManyChanges,
  MOST_CHANGES,
} from "@bough/session/entry/internal.js";
import { WorkTurns } from "@bough/session/log/index.js";
import { defined, grouped, isRecord, parsedJson } from "@bough/session/text/index.js";
import { commonAncestor, type FileStep, type FileWay, type TreeSource } from "@bough/session/tree/index.js";
import { CheckpointError } from "./checkpoint-error.js";
import type { BlobStore } from "./store/blob-store.js";

type Source = Pick<TreeSource, "tree" | "entryAt">;

interface WayOptions {
  /** Numbers of entries; -1 is before the first entry. */
  readonly from: number;
  readonly to: number;
  /** Called for an entry whose long list is missing or damaged, or which a newer version wrote. Default: throw. */
  readonly onUnread?: ((entryId: EntryId) => void) | undefined;
  /** Entries that came from other machines; see `arrivedEntries`. */
  readonly arrived?: ReadonlyMap<string, string> | undefined;
}

/** Throws `blob-missing` for a long list that is not on this machine, `newer-record` and `too-many-changes`. */
export async function stepsBetween(
  source: Source,
  { from, to, onUnread, arrived }: WayOptions,
  store: BlobStore,
): Promise<FileWay> {
  const shared = commonAncestor(source.tree, from, to);
  const up = await stepsAbove(source, { from, until: shared, onUnread, arrived }, store);
  const down = await stepsAbove(source, { from: to, until: shared, onUnread, arrived }, store);
  return { up, down: down.reverse() };
}

/** Newest first. Does not parse entries of other kinds. */
async function stepsAbove(
  source: Source,
  { from, until, onUnread, arrived }: Omit<WayOptions, "to"> & { readonly until: number },
  store: BlobStore,
): Promise<FileStep[]> {
  const steps: SummedSteps[] = [];
  const turns = new WorkTurns();
  let records = 0;
  let named = 0;
  for (let at = from; at >= 0 && at !== until; at = source.tree.parentOf(at)) {
    if (at % 64 === 0 && turns.isDue) await turns.yieldNow();
    const unknown = unknownRecordAt(source, at);
    if (unknown !== undefined && onUnread === undefined) throw unknown.error;
    if (unknown !== undefined) onUnread?.(unknown.entryId);
    const found = recordAt(source, at);
    if (found === undefined) continue;
    checkRecords(++records);
    const { entryId, record } = found;
    try {
      const { by, skipped = [], with: others = [] } = record;
      const machine = arrived?.get(entryId);
      const changes = await changesOf(record, store);
      const more = { ...defined({ from: machine }), ...(others.length > 0 ? { with: others } : {}) };
      const step = { entryId, by, changes, skipped, ...more };
      let last = steps.at(-1);
      if (last === undefined || !last.takes(step)) {
        last = new SummedSteps(step);
        steps.push(last);
      }
      named += last.add(step);
      checkNamed(named);
    } catch (error) {
      if (onUnread === undefined || !(error instanceof CheckpointError)) throw error;
      onUnread(entryId);
    }
  }
  return steps.map((one) => one.step());
}

/** Consecutive steps, newest first, combined by path: memory grows with the number of files, not of steps. */
class SummedSteps {
  readonly #newest: FileStep;
  readonly #changes = new Map<string, FileDelta>();
  readonly #skipped = new Map<string, NonNullable<FileStep["skipped"]>[number]>();

  constructor(newest: FileStep) {
    this.#newest = newest;
  }

  /** Whether the step above can be combined: it has the same author and origin. */
  takes({ by, from, with: others }: FileStep): boolean {
    const newest = this.#newest;
    return by === newest.by && from === newest.from && others === undefined && newest.with === undefined;
  }

  /** Returns how many files were added. */
  add({ changes, skipped = [] }: FileStep): number {
    const before = this.#changes.size;
    for (let at = changes.length - 1; at >= 0; at--) {
      const change = changes[at] as FileDelta;
      const newer = this.#changes.get(change.path);
      this.#changes.set(change.path, newer === undefined ? change : { ...newer, before: change.before });
    }
    for (const one of skipped) if (!this.#skipped.has(one.path)) this.#skipped.set(one.path, one);
    return this.#changes.size - before;
  }

  step(): FileStep {
    return { ...this.#newest, changes: [...this.#changes.values()], skipped: [...this.#skipped.values()] };
  }
}

/** The record in an entry, if it has one. */
export function recordAt(
  { tree, entryAt }: Source,
  number: number,
): { readonly entryId: EntryId; readonly record: FilesRecord } | undefined {
  if (tree.kindOf(number) !== Kind.custom) return undefined;
  if (isKnownTooLong(tree, number)) return undefined;
  const entry = entryAt(number);
  if (entry.type !== "custom" || entry.customType !== FILES_TYPE) return undefined;
  if (hasTooManyChanges(entry.data)) noteTooLong(tree, number);
  const record = filesRecord(entry.data);
  return record === undefined ? undefined : { entryId: entry.id, record };
}

/** An entry about files that cannot be read here, so that its changes are unknown. */
interface UnknownRecord {
  readonly entryId: EntryId;
  readonly error: CheckpointError;
}

/** A record written by a later version of Bough, or one with too many changes. */
export function unknownRecordAt({ tree, entryAt }: Source, number: number): UnknownRecord | undefined {
  if (tree.kindOf(number) !== Kind.custom) return undefined;
  if (isKnownTooLong(tree, number)) return tooLong(tree.ids.textOf(number));
  const entry = entryAt(number);
  if (entry.type !== "custom" || entry.customType !== FILES_TYPE || !isRecord(entry.data)) return undefined;
  if (hasTooManyChanges(entry.data)) {
    noteTooLong(tree, number);
    return tooLong(entry.id);
  }
  const isNewer = typeof entry.data.v === "number" && entry.data.v > 1;
  return isNewer ? { entryId: entry.id, error: newerRecord(entry.id) } : undefined;
}

/** Entries whose lists are too long. Parsing one takes a minute, so it is done only once. */
const TOO_LONG = new WeakMap<Source["tree"], Set<number>>();

function noteTooLong(tree: Source["tree"], number: number): void {
  TOO_LONG.set(tree, (TOO_LONG.get(tree) ?? new Set()).add(number));
}

function isKnownTooLong(tree: Source["tree"], number: number): boolean {
  return TOO_LONG.get(tree)?.has(number) === true;
}

function tooLong(entryId: EntryId): UnknownRecord {
  return { entryId, error: tooManyChanges(`Entry ${entryId} records`) };
}

/** Throws `too-many-changes` if a session names more files than the limit. */
export function checkNamed(count: number): void {
  if (count > MOST_CHANGES) throw tooManyChanges("This session records");
}

/** Far above what happens: a session of 100,000 entries is long, and most entries are not records. */
const MOST_RECORDS = 500_000;

/** Throws `too-many-changes` if a session has more records than the limit. */
export function checkRecords(count: number, who = "This session"): void {
  if (count <= MOST_RECORDS) return;
  const most = grouped(MOST_RECORDS);
  throw new CheckpointError("too-many-changes", `${who} records changes of files in more than ${most} entries`, {
    hint: "Bough itself never records that many. The conversation can be read and continued; files are not restored.",
  });
}

function tooManyChanges(who: string): CheckpointError {
  return new CheckpointError("too-many-changes", `${who} changes of more than ${grouped(MOST_CHANGES)} files`, {
    hint: "Bough itself never records that many. The conversation can be read and continued; files are not restored.",
  });
}

function newerRecord(entryId: EntryId): CheckpointError {
  return new CheckpointError("newer-record", `A newer version of Bough recorded file changes in entry ${entryId}`, {
    data: { entryId },
    hint: "This version cannot read them, so files are not restored across that entry. Update Bough.",
  });
}

/** Whether the session has any checkpoint. */
export function hasFileRecords(source: Source): boolean {
  for (let number = source.tree.count - 1; number >= 0; number--)
    if (unknownRecordAt(source, number) !== undefined || recordAt(source, number) !== undefined) return true;
  return false;
}

/** The changes of a record, whether they are in it or in a content of their own. */
export async function changesOf({ changes, changesIn }: FilesRecord, store: BlobStore): Promise<readonly FileDelta[]> {
  if (changesIn === undefined) return changes;
  // The content matches its hash, but the hash comes from the author of the record.
  const list = parsedJson((await store.get(changesIn)).toString());
  if (hasTooManyChanges({ changes: list })) throw tooManyChanges("This session has a record of");
  return fileDeltas(list) ?? [];
}

/**
 * The contents that a record names, each with a path for people. A long list of changes is itself one of them; the
 * contents that it names are included only if it is on this machine.
 */
export async function contentsOf(record: FilesRecord, store: BlobStore): Promise<ReadonlyMap<string, string>> {
  const named = new Map<string, string>();
  const { changesIn } = record;
  if (changesIn !== undefined) {
    named.set(changesIn, "list of changes");
    if (!store.has(changesIn)) return named;
  }
  for (const { path, before, after } of await changesOf(record, store))
    for (const state of [before, after]) if (state !== null && "hash" in state) named.set(state.hash, path);
  return named;
}

/** A longer list is stored as a content, to limit the length of the line. */
const MOST_BYTES = 64 * 1024;

/** The record as written to the session. */
export async function storedRecord(record: FilesRecord, store: BlobStore): Promise<FilesRecord> {
  const text = JSON.stringify(record.changes);
  if (Buffer.byteLength(text) <= MOST_BYTES) return record;
  return { ...record, changes: [], changesIn: await store.put(Buffer.from(text)) };
}
