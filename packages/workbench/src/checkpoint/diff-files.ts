/** The difference of files between two entries of a session, or between an entry and the disk. Changes nothing. */
import type { EntryId, FileDelta, FileState, SkippedFile } from "@bough/session/entry/index.js";
import { type FilesRecord, sameFile } from "@bough/session/entry/internal.js";
import { inOneGo, inSlices, type Steps, WorkTurns } from "@bough/session/log/index.js";
import { type FileWay, fileTargets, type TreeSource } from "@bough/session/tree/index.js";
import {
  type BlockedWhy,
  type FileDifference,
  lineDifference,
  type NoDiff,
  replacedLines,
} from "@bough/session/view/door.js";
import { CheckpointError } from "./checkpoint-error.js";
import { diskFile } from "./disk-file.js";
import { pathFilter } from "./path-filter.js";
import { changesOf, checkNamed, checkRecords, recordAt, stepsBetween, unknownRecordAt } from "./steps-between.js";
import type { BlobStore } from "./store/blob-store.js";
import { textContent } from "./text-content.js";

type Source = Pick<TreeSource, "tree" | "entryAt">;

interface ReadOptions {
  readonly store: BlobStore;
  /** Only these paths, or what is below them. Default: all. */
  readonly paths?: readonly string[];
  readonly signal?: AbortSignal;
}

/** Files whose states differ, by path. */
export interface ChangedFiles {
  readonly changes: readonly FileDelta[];
  /** Paths whose current state cannot be determined. */
  readonly blocked: ReadonlyMap<string, BlockedWhy>;
  /** Entries whose change list is not on this machine: their changes are missing from `changes`. */
  readonly unread: readonly EntryId[];
  /** Paths that changed but are not recorded, each with its last reported reason. */
  readonly skipped: readonly SkippedFile[];
}

/** Between two entries, by number; -1 is before the first one. */
export async function filesBetween(
  source: Source,
  ends: { readonly from: number; readonly to: number },
  { store, paths }: ReadOptions,
): Promise<ChangedFiles> {
  const unread: EntryId[] = [];
  const way = await stepsBetween(source, { ...ends, onUnread: (entryId) => unread.push(entryId) }, store);
  const isChosen = pathFilter(paths);
  const changes = fileTargets(way)
    .filter(({ path }) => isChosen(path))
    .map(({ path, expected, wanted }) => ({ path, before: expected, after: wanted }));
  return { changes, blocked: new Map(), unread, skipped: skippedOn(way, paths) };
}

/** Paths that changed on the way but are not recorded, each with its last reported reason. */
export function skippedOn({ up, down }: FileWay, paths?: readonly string[]): readonly SkippedFile[] {
  const isChosen = pathFilter(paths);
  const skipped = new Map<string, SkippedFile>();
  for (const step of [...up.toReversed(), ...down]) {
    for (const one of step.skipped ?? []) if (isChosen(one.path)) skipped.set(one.path, one);
  }
  return [...skipped.values()];
}

/**
 * From the state of an entry to what is on disk now. Looks only at paths that a checkpoint of the session names, on any
 * branch.
 */
export async function filesToDisk(
  source: Source,
  from: number,
  { root, store, paths, signal }: ReadOptions & { readonly root: string },
): Promise<ChangedFiles> {
  const { states, unread, skipped } = await statesAt(source, from, {
    store,
    signal,
  });
  const isChosen = pathFilter(paths);
  const changes: FileDelta[] = [];
  const blocked = new Map<string, BlockedWhy>();
  for (const path of [...states.keys()].filter(isChosen).sort()) {
    signal?.throwIfAborted();
    const before = states.get(path) as FileState;
    const disk = diskFile(root, path);
    if (disk.kind === "file") {
      if (!sameFile(before, disk.state)) changes.push({ path, before, after: disk.state });
    } else if (before !== null || disk.why === "special" || disk.why === "unreadable") {
      // If the entry has no file there, a folder or link above the path is not a difference.
      changes.push({ path, before, after: null });
      blocked.set(path, disk.why);
    }
  }
  return { changes, blocked, unread, skipped: skipped.filter(({ path }) => isChosen(path)) };
}

interface FileStates extends Pick<ChangedFiles, "unread" | "skipped"> {
  readonly states: ReadonlyMap<string, FileState>;
}

/** The state at an entry of each path that the session names on any branch. */
export async function statesAt(source: Source, at: number, { store, signal }: ReadOptions): Promise<FileStates> {
  const { tree } = source;
  const states = new Map<string, FileState>();
  const unread: EntryId[] = [];
  const skipped = new Map<string, SkippedFile>();
  const passed = new Set<number>();
  // Most entries are not records; no promise is created for those, because a session may have a hundred thousand.
  const changesAt = (number: number): Promise<readonly FileDelta[]> | undefined => {
    if (passed.has(number)) return undefined;
    const unknown = unknownRecordAt(source, number);
    // The change is too large to describe, so the rest would not help.
    if (unknown?.error.code === "too-many-changes") throw unknown.error;
    if (unknown !== undefined) unread.push(unknown.entryId);
    const found = recordAt(source, number);
    if (found === undefined && unknown === undefined) return undefined;
    passed.add(number);
    checkRecords(passed.size);
    if (found === undefined) return undefined;
    for (const one of found.record.skipped ?? []) if (!skipped.has(one.path)) skipped.set(one.path, one);
    return knownChanges(found, store, unread);
  };
  const turns = new WorkTurns();
  for (let number = at; number >= 0; number = tree.parentOf(number)) {
    if (number % 64 === 0 && turns.isDue) await turns.yieldNow();
    signal?.throwIfAborted();
    const changes = changesAt(number);
    if (changes === undefined) continue;
    for (const { path, after } of (await changes).toReversed()) if (!states.has(path)) states.set(path, after);
    checkNamed(states.size);
  }
  // Parents come before their children: the first record elsewhere that names a path has its initial state.
  for (let number = 0; number < tree.count; number++) {
    if (number % 64 === 0 && turns.isDue) await turns.yieldNow();
    signal?.throwIfAborted();
    const changes = changesAt(number);
    if (changes === undefined) continue;
    for (const { path, before } of await changes) if (!states.has(path)) states.set(path, before);
    checkNamed(states.size);
  }
  return { states, unread, skipped: [...skipped.values()] };
}

/** Empty if its list is not on this machine; the entry is then added to `unread`. */
async function knownChanges(
  { entryId, record }: { readonly entryId: EntryId; readonly record: FilesRecord },
  store: BlobStore,
  unread: EntryId[],
): Promise<readonly FileDelta[]> {
  try {
    return await changesOf(record, store);
  } catch (error) {
    if (!(error instanceof CheckpointError)) throw error;
    unread.push(entryId);
    return [];
  }
}

interface DiffOptions {
  readonly store: Pick<BlobStore, "get">;
  /** The root, if the second side is the disk, whose contents are not stored. */
  readonly disk?: string;
  /** The root, if the first side is the disk. */
  readonly fromDisk?: string;
  /** Skip this many files at the start without reading them. */
  readonly skip?: number;
  readonly signal?: AbortSignal;
}

/** How many files `diffFiles` yields; a rename counts once. */
export function countDifferences({ changes }: Pick<ChangedFiles, "changes">): number {
  return inOneGo(withRenames(changes)).length;
}

/**
 * Yields one file at a time, so that many contents are never in memory at once. Renames are found by equal contents.
 */
export async function* diffFiles(
  { changes, blocked }: Pick<ChangedFiles, "changes" | "blocked">,
  { store, disk, fromDisk, skip = 0, signal }: DiffOptions,
): AsyncGenerator<FileDifference> {
  const turns = new WorkTurns();
  for (const named of (await inSlices(withRenames(changes), turns)).slice(skip)) {
    signal?.throwIfAborted();
    if (turns.isDue) await turns.yieldNow();
    const { path, before, after } = named;
    const why = blocked.get(path);
    if (why !== undefined) {
      yield { ...named, noDiff: why };
      continue;
    }
    if (named.change === "mode" || (named.change === "renamed" && sameContent(before, after))) {
      yield { ...named, added: 0, removed: 0, hunks: "" };
      continue;
    }
    const old = fromDisk === undefined ? await textOf(before, store) : await textOnDisk(fromDisk, named.from ?? path);
    const fresh = disk === undefined ? await textOf(after, store) : await textOnDisk(disk, path);
    yield { ...named, ...difference(old, fresh) };
  }
}

type Content = { readonly text: string } | { readonly noDiff: NoDiff };

function difference(before: Content, after: Content): Pick<FileDifference, "added" | "removed" | "hunks" | "noDiff"> {
  if ("noDiff" in before) return before;
  if ("noDiff" in after) return after;
  return lineDifference(before.text, after.text) ?? replacedLines(before.text, after.text);
}

async function textOf(state: FileState, store: Pick<BlobStore, "get">): Promise<Content> {
  if (state === null) return { text: "" };
  if ("link" in state) return { text: state.link };
  try {
    return decoded(await store.get(state.hash));
  } catch (error) {
    if (!(error instanceof CheckpointError)) throw error;
    return { noDiff: error.code === "blob-missing" ? "missing" : "damaged" };
  }
}

async function textOnDisk(root: string, path: string): Promise<Content> {
  const file = diskFile(root, path);
  if (file.kind === "blocked") return { noDiff: file.why };
  if (file.content !== undefined) return decoded(file.content);
  return { text: file.state !== null && "link" in file.state ? file.state.link : "" };
}

function decoded(content: Buffer): Content {
  const text = textContent(content);
  return text === undefined ? { noDiff: "binary" } : { text };
}

type NamedChange = Pick<FileDifference, "path" | "change" | "from" | "before" | "after">;

/** Linear in the number of changes: thousands may have the same content. */
function* withRenames(changes: readonly FileDelta[]): Steps<readonly NamedChange[]> {
  const gone = new Map<string, { readonly files: FileDelta[]; taken: number }>();
  for (const change of changes) {
    yield;
    const hash = change.after === null ? contentHash(change.before) : undefined;
    if (hash === undefined) continue;
    const alike = gone.get(hash);
    if (alike === undefined) gone.set(hash, { files: [change], taken: 0 });
    else alike.files.push(change);
  }
  const from = new Map<string, FileDelta>();
  for (const { path, before, after } of changes) {
    yield;
    const hash = before === null ? contentHash(after) : undefined;
    const alike = hash === undefined ? undefined : gone.get(hash);
    const source = alike?.files[alike.taken];
    if (alike === undefined || source === undefined) continue;
    alike.taken += 1;
    from.set(path, source);
  }
  const moved = new Set([...from.values()].map(({ path }) => path));
  const named: NamedChange[] = [];
  for (const { path, before, after } of changes) {
    yield;
    if (moved.has(path)) continue;
    const source = from.get(path);
    if (source === undefined) named.push({ path, change: changeOf(before, after), before, after });
    else named.push({ path, change: "renamed", from: source.path, before: source.before, after });
  }
  return named;
}

/** Empty files are all alike, so they are never matched as renames. */
function contentHash(state: FileState): string | undefined {
  return state !== null && "hash" in state && state.size > 0 ? state.hash : undefined;
}

function changeOf(before: FileState, after: FileState): FileDifference["change"] {
  if (before === null) return "added";
  if (after === null) return "deleted";
  return sameContent(before, after) ? "mode" : "changed";
}

function sameContent(before: FileState, after: FileState): boolean {
  return before !== null && after !== null && "hash" in before && "hash" in after && before.hash === after.hash;
}
