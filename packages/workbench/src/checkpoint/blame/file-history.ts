/** Every recorded change of a file, in all sessions of its folder, under every name it had. */
import { readFileSync } from "node:fs";
import { type EntryId, type FileDelta, type FileState, SessionError } from "@bough/session/entry/index.js";
import { type FilesRecord, filesRecord } from "@bough/session/entry/internal.js";
import { WorkTurns } from "@bough/session/log/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { errorText } from "@bough/session/text/index.js";
import { CheckpointError } from "../checkpoint-error.js";
import { changesOf, recordAt } from "../steps-between.js";
import type { BlobStore } from "../store/blob-store.js";
import { checkpointsIn } from "../store/store-sessions.js";

/** What one checkpoint did to the file. */
export interface HistoryChange {
  readonly session: HistorySession;
  /** Number of the checkpoint in its session. */
  readonly number: number;
  readonly recordId: EntryId;
  /** Milliseconds. */
  readonly time: number;
  readonly by: FilesRecord["by"];
  readonly tool: string | undefined;
  readonly path: string;
  /** What the file was called before, if the step renamed it. */
  readonly from: string | undefined;
  readonly before: FileState;
  readonly after: FileState;
}

export interface HistorySession {
  readonly file: string;
  readonly manager: SessionManager;
  /** Changes of the file by the number of their checkpoint. */
  readonly changes: ReadonlyMap<number, readonly HistoryChange[]>;
}

export interface FileHistory {
  readonly sessions: readonly HistorySession[];
  /** Oldest first. */
  readonly changes: readonly HistoryChange[];
  /** Sessions and change lists that could not be read: their changes are unknown. */
  readonly unread: readonly { readonly file: string; readonly reason: string }[];
  close(): void;
}

interface HistoryOptions {
  readonly store: BlobStore;
  /** Session files that may name it. */
  readonly files: readonly string[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

export async function fileHistory(path: string, options: HistoryOptions): Promise<FileHistory> {
  const unread = new Map<string, string>();
  const { names, files } = await namesOf(path, { ...options, unread });
  const sessions: HistorySession[] = [];
  const all: HistoryChange[] = [];
  const close = () => {
    for (const { manager } of sessions) manager.close();
  };
  try {
    for (const file of files) {
      options.signal?.throwIfAborted();
      const opened = await openHistory(file, { names, store: options.store, unread });
      if (opened === undefined) continue;
      sessions.push(opened);
      for (const changes of opened.changes.values()) all.push(...changes);
    }
  } catch (error) {
    close();
    throw error;
  }
  all.sort((a, b) => a.time - b.time || a.number - b.number);
  return { sessions, changes: all, unread: [...unread].map(([file, reason]) => ({ file, reason })), close };
}

interface Search extends HistoryOptions {
  readonly unread: Map<string, string>;
}

/** All names that the file had, and the session files that mention one of them. */
async function namesOf(
  path: string,
  { files, store, unread, signal, onProgress }: Search,
): Promise<{ readonly names: ReadonlySet<string>; readonly files: readonly string[] }> {
  const names = new Set([path]);
  const turns = new WorkTurns();
  for (;;) {
    const known = names.size;
    const hits: string[] = [];
    for (const [done, file] of files.entries()) {
      signal?.throwIfAborted();
      if (turns.isDue) await turns.yieldNow();
      onProgress?.(done, files.length);
      if (await speaksOf(file, { names, store, unread })) hits.push(file);
    }
    // A name found late may occur in a session file that was already passed.
    if (names.size === known) return { names, files: hits };
  }
}

interface FileSearch {
  /** Grows with every rename. */
  readonly names: Set<string>;
  readonly store: BlobStore;
  readonly unread: Map<string, string>;
}

async function speaksOf(file: string, { names, store, unread }: FileSearch): Promise<boolean> {
  let found = false;
  try {
    if (!mayName(file, names)) return false;
    for await (const data of checkpointsIn(file)) {
      const record = filesRecord(data);
      if (record === undefined) continue;
      const deltas = await knownChanges(record, { store, file, unread });
      for (const delta of deltas) {
        if (!names.has(delta.path)) continue;
        found = true;
        const from = renamedFrom(delta, deltas);
        if (from !== undefined) names.add(from.path);
      }
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") unread.set(file, errorText(error));
    return false;
  }
  return found;
}

const LISTED = Buffer.from('"changesIn"');

/** Most sessions never name the file: a byte search tells, without parsing a line. */
function mayName(file: string, names: ReadonlySet<string>): boolean {
  const bytes = readFileSync(file);
  return bytes.includes(LISTED) || [...names].some((name) => bytes.includes(JSON.stringify(name)));
}

async function knownChanges(
  record: FilesRecord,
  at: { readonly store: BlobStore; readonly file: string; readonly unread: Map<string, string> },
): Promise<readonly FileDelta[]> {
  try {
    return await changesOf(record, at.store);
  } catch (error) {
    if (!(error instanceof CheckpointError)) throw error;
    at.unread.set(at.file, error.message);
    return [];
  }
}

/** A rename: the same content appeared elsewhere in the same step. */
function renamedFrom(delta: FileDelta, deltas: readonly FileDelta[]): FileDelta | undefined {
  const { before, after } = delta;
  if (before !== null || after === null || !("hash" in after) || after.size === 0) return undefined;
  return deltas.find(
    (one) => one.after === null && one.before !== null && "hash" in one.before && one.before.hash === after.hash,
  );
}

async function openHistory(
  file: string,
  {
    names,
    store,
    unread,
  }: { readonly names: ReadonlySet<string>; readonly store: BlobStore; readonly unread: Map<string, string> },
): Promise<HistorySession | undefined> {
  let manager: SessionManager;
  try {
    manager = SessionManager.open(file, undefined, { readOnly: true });
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    unread.set(file, error.message);
    return undefined;
  }
  const changes = new Map<number, readonly HistoryChange[]>();
  const session = { file, manager, changes };
  const source = manager.getSource();
  for (let number = 0; number < source.tree.count; number++) {
    const found = recordAt(source, number);
    if (found === undefined) continue;
    const { by, tool } = found.record;
    const deltas = await knownChanges(found.record, { store, file, unread });
    const named = deltas.filter(({ path }) => names.has(path));
    if (named.length === 0) continue;
    const time = Date.parse(source.entryAt(number).timestamp) || 0;
    const base = { session, number, recordId: found.entryId, time, by, tool };
    changes.set(
      number,
      named.map((delta): HistoryChange => {
        const from = renamedFrom(delta, deltas);
        return { ...base, ...delta, from: from?.path, before: from?.before ?? delta.before };
      }),
    );
  }
  return session;
}
