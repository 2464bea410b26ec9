/**
 * `$store/stayed/`, one file for each session: where the files on disk differ from the leaf, for the next process that
 * opens the session. Written before a conversation moves or a restore starts, so that a kill at any moment leaves a
 * true note.
 */
import { createHash } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { type EntryId, FILES_TYPE, type FileDelta, Kind } from "@bough/session/entry/index.js";
import { fileDeltas } from "@bough/session/entry/internal.js";
import { namesIn, readTextFile, writeWhole } from "@bough/session/log/index.js";
import { isRecord, parsedJson } from "@bough/session/text/index.js";
import type { TreeSource } from "@bough/session/tree/index.js";
import { isRestored } from "./restore/placed-restores.js";
import { changesOf, recordAt } from "./steps-between.js";
import type { BlobStore } from "./store/blob-store.js";

export interface StayNote {
  /** If this is the leaf, the disk differs from it by `changes`. Null is before the first entry. */
  readonly leaf: EntryId | null;
  readonly changes: readonly FileDelta[];
  /** A restore that was about to start: once it is past its point of no return, these are the differences. */
  readonly restore?: { readonly id: string; readonly changes: readonly FileDelta[] };
}

export interface NotePlace {
  readonly store: BlobStore;
  /** The id of the session, and its file. */
  readonly session: string;
  readonly file: string;
  /** The folder of an attempt, whose files are others than those of the project. */
  readonly folder?: string | undefined;
}

type Source = Pick<TreeSource, "tree" | "entryAt">;

/** Of several notes, the one whose leaf is nearest to the current position is used. */
export function writeStayNotes(place: NotePlace, notes: readonly StayNote[], source: Source): void {
  const { file } = place;
  const last = source.tree.count === 0 ? null : source.tree.ids.textOf(source.tree.count - 1);
  writeWhole(noteFile(place), `${JSON.stringify({ file, last, notes })}\n`, {
    existing: "replace",
    durable: false,
  });
}

/**
 * How the disk differs from an entry according to the notes, minus what records below the noted entry have covered
 * since. Undefined if there are no notes, or if the conversation has moved since then.
 */
export async function notedStay(
  place: NotePlace,
  source: Source,
  leaf: number,
): Promise<readonly FileDelta[] | undefined> {
  const saved = readNotes(place);
  if (saved === undefined) return undefined;
  const { tree } = source;
  const numberOf = (id: EntryId | null) => (id === null ? -1 : tree.ids.findText(id));
  const last = numberOf(saved.last);
  if (saved.last !== null && last < 0) return undefined;
  const known = new Set<string>();
  for (let at = leaf; ; at = tree.parentOf(at)) {
    const id = at < 0 ? null : tree.ids.textOf(at);
    const note = saved.notes.findLast((one) => one.leaf === id);
    if (note !== undefined) {
      const { restore } = note;
      const isAfter = restore !== undefined && isRestored(place.store.folder, restore.id);
      return (isAfter ? restore : note).changes.filter(({ path }) => !known.has(path));
    }
    // Either entries below a note are newer than it, or the conversation moved here without the note.
    if (at <= last) return undefined;
    const found = recordAt(source, at);
    for (const { path } of found === undefined ? [] : await changesOf(found.record, place.store).catch(() => [])) {
      known.add(path);
    }
  }
}

/**
 * Whether files may differ without a note, because an earlier version left them so or another agent of the same session
 * works on another branch.
 */
export function mayHaveStayed({ tree, entryAt }: Source, leaf: number): boolean {
  if (leaf >= 0 && tree.kindOf(leaf) === Kind.branchSummary) return true;
  for (let number = tree.count - 1; number > leaf; number--) {
    const kind = tree.kindOf(number);
    if (kind === Kind.position) return true;
    if (kind !== Kind.custom) continue;
    const entry = entryAt(number);
    if (entry.type === "custom" && entry.customType === FILES_TYPE) return true;
  }
  return false;
}

/** Removes the notes of deleted sessions. A session on a disk that is not mounted now may come back. */
export function forgetStayNotes(store: string): void {
  for (const name of namesIn(join(store, "stayed"))) {
    const path = join(store, "stayed", name);
    const file = savedIn(path)?.file;
    if (file === undefined || (!existsSync(file) && existsSync(dirname(file)))) rmSync(path, { force: true });
  }
}

/** The session ID comes from its file, so it is hashed rather than used as a file name. */
function noteFile({ store, session, folder }: NotePlace): string {
  const key = folder === undefined ? session : `${session}\0${folder}`;
  return join(store.folder, "stayed", `${createHash("sha256").update(key).digest("hex").slice(0, 32)}.json`);
}

interface SavedNotes {
  readonly file: string;
  /** The last entry of the session when they were written. */
  readonly last: EntryId | null;
  readonly notes: readonly StayNote[];
}

/** A copy of a session file has the same id. */
function readNotes(place: NotePlace): SavedNotes | undefined {
  const { file } = place;
  const saved = savedIn(noteFile(place));
  return saved !== undefined && (saved.file === file || !existsSync(saved.file)) ? saved : undefined;
}

function savedIn(path: string): SavedNotes | undefined {
  const read = readTextFile(path);
  const value = read.kind === "text" ? parsedJson(read.text) : undefined;
  if (!isRecord(value) || typeof value.file !== "string" || !isLeaf(value.last)) return undefined;
  const notes = Array.isArray(value.notes) ? value.notes.map(noteIn) : [undefined];
  const { file, last } = value;
  return notes.every((note) => note !== undefined) ? { file, last, notes } : undefined;
}

function noteIn(value: unknown): StayNote | undefined {
  if (!isRecord(value) || !isLeaf(value.leaf)) return undefined;
  const { leaf, restore } = value;
  const changes = fileDeltas(value.changes);
  if (changes === undefined) return undefined;
  if (restore === undefined) return { leaf, changes };
  const after = isRecord(restore) ? fileDeltas(restore.changes) : undefined;
  if (!isRecord(restore) || typeof restore.id !== "string" || after === undefined) return undefined;
  return { leaf, changes, restore: { id: restore.id, changes: after } };
}

function isLeaf(value: unknown): value is EntryId | null {
  return value === null || typeof value === "string";
}
