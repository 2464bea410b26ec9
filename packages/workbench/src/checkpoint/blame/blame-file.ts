/**
 * Who wrote each line of a file: follows its states backwards along the branch that the file on disk came from. A line
 * that is in one state but not in the one before was written by the step between them.
 *
 *     disk ── c ── b ── a     the branch it came from, newest first
 *                   \
 *                    r ── x   a restored state was written elsewhere: follow it there
 */
import type { FileState } from "@bough/session/entry/index.js";
import { WorkTurns } from "@bough/session/log/index.js";
import { linesOf, matchedLines } from "@bough/session/view/door.js";
import { CheckpointError } from "../checkpoint-error.js";
import { type BlobStore, hashOf } from "../store/blob-store.js";
import { textContent } from "../text-content.js";
import type { FileHistory, HistoryChange, HistorySession } from "./file-history.js";

/** Where a line comes from. */
export type LineOrigin =
  | { readonly kind: "step"; readonly change: HistoryChange }
  /** No session recorded it: changed outside Bough, or not recorded yet. */
  | { readonly kind: "outside" }
  /** It is older than the sessions. */
  | { readonly kind: "older" }
  /** Written by this step or earlier: the state before it is not on this machine. */
  | { readonly kind: "unknown"; readonly change: HistoryChange };

export interface BlamedLine {
  /** 1-based. */
  readonly line: number;
  /** Without the line ending. */
  readonly text: string;
  readonly origin: LineOrigin;
}

interface BlameOptions {
  readonly path: string;
  /** What is on disk. */
  readonly content: Buffer;
  readonly store: BlobStore;
  readonly signal?: AbortSignal;
}

/** Throws `no-file-history` if no session recorded a change of the file, and `not-text`. */
export async function blameFile(history: FileHistory, options: BlameOptions): Promise<readonly BlamedLine[]> {
  const { path, content, store, signal } = options;
  if (history.changes.length === 0) {
    throw new CheckpointError("no-file-history", `No session recorded a change of ${path}`, {
      data: { path },
      hint: "Changes are recorded while the agent works in this folder.",
    });
  }
  const text = textContent(content);
  if (text === undefined) throw new CheckpointError("not-text", `${path} is not text`, { data: { path } });
  const lines = linesOf(text);
  const origins = new Array<LineOrigin | undefined>(lines.length);
  let walk: Walk = { path, hash: hashOf(content), lines, places: lines.map((_, at) => at), at: undefined };
  const turns = new WorkTurns();
  const seen = new Set<HistoryChange>();
  while (walk.places.some((place) => place >= 0)) {
    signal?.throwIfAborted();
    if (turns.isDue) await turns.yieldNow();
    const found = walk.at === undefined ? firstChange(history, walk) : nextChange(history, walk);
    if (found === undefined || seen.has(found.change)) {
      settle(walk, origins, { kind: walk.at === undefined ? "outside" : "older" });
      break;
    }
    const { change, exact } = found;
    if (!exact) {
      const base = await linesIn(change.after, store);
      if (base === undefined) {
        settle(walk, origins, { kind: "unknown", change });
        break;
      }
      walk = backTo(base, { walk, origins, origin: { kind: "outside" } });
    }
    seen.add(change);
    const before = await linesIn(change.before, store);
    if (before === undefined) {
      settle(walk, origins, { kind: "unknown", change });
      break;
    }
    walk = {
      ...backTo(before, { walk, origins, origin: { kind: "step", change } }),
      path: change.from ?? change.path,
      hash: hashIn(change.before),
      at: {
        session: change.session,
        number: change.session.manager.getSource().tree.parentOf(change.number),
        time: change.time,
      },
    };
  }
  return lines.map((line, at) => ({
    line: at + 1,
    text: line.replace(/\r?\n$/, ""),
    origin: origins[at] ?? { kind: "older" },
  }));
}

interface Walk {
  readonly path: string;
  /** Hash of the state these lines belong to; undefined if there was no file. */
  readonly hash: string | undefined;
  readonly lines: readonly string[];
  /** For each line of this state, the index of the line it became on disk, or -1. */
  readonly places: readonly number[];
  /** The session and entry of the state; undefined for the disk. */
  readonly at: { readonly session: HistorySession; readonly number: number; readonly time: number } | undefined;
}

interface FoundChange {
  readonly change: HistoryChange;
  /** Whether the step produced exactly this state; otherwise it came about outside Bough, after the step. */
  readonly exact: boolean;
}

/** The step that left what is on disk: the latest one on the path to a session's current leaf, otherwise any. */
function firstChange({ sessions, changes }: FileHistory, { path, hash }: Walk): FoundChange | undefined {
  const current = sessions
    .flatMap((session) => changeAbove(session, session.manager.getSource().leaf, path) ?? [])
    .sort((a, b) => b.time - a.time);
  const here = current.find(({ after }) => hashIn(after) === hash) ?? writerOf(changes, { hash });
  if (here !== undefined) return { change: origin(changes, here), exact: true };
  const nearest = current[0] ?? changes.findLast((change) => change.path === path) ?? changes.at(-1);
  return nearest === undefined ? undefined : { change: nearest, exact: false };
}

function nextChange({ changes }: FileHistory, { path, hash, at }: Walk): FoundChange | undefined {
  if (at === undefined || hash === undefined) return undefined;
  const above = changeAbove(at.session, at.number, path);
  if (above !== undefined && hashIn(above.after) === hash) return { change: origin(changes, above), exact: true };
  const elsewhere = writerOf(changes, { hash, before: at });
  if (elsewhere !== undefined) return { change: elsewhere, exact: true };
  return above === undefined ? undefined : { change: above, exact: false };
}

/** The nearest checkpoint at or above an entry that names the file. */
function changeAbove({ manager, changes }: HistorySession, from: number, path: string): HistoryChange | undefined {
  const { tree } = manager.getSource();
  for (let number = from; number >= 0; number = tree.parentOf(number)) {
    const found = changes.get(number)?.find((change) => change.path === path);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A restore writes nothing new, so blame goes to the step that created the content. */
function origin(changes: readonly HistoryChange[], change: HistoryChange): HistoryChange {
  if (change.by !== "restore") return change;
  return writerOf(changes, { hash: hashIn(change.after), before: change }) ?? change;
}

type Moment = Pick<HistoryChange, "time" | "session" | "number">;

/** The last step before another one that produced a given content. */
function writerOf(
  changes: readonly HistoryChange[],
  { hash, before }: { readonly hash: string | undefined; readonly before?: Moment },
): HistoryChange | undefined {
  if (hash === undefined) return undefined;
  return changes.findLast(
    (change) =>
      change.by !== "restore" && (before === undefined || isBefore(change, before)) && hashIn(change.after) === hash,
  );
}

/** Steps of one session are ordered even within the same millisecond. */
function isBefore(a: Moment, b: Moment): boolean {
  if (a.time !== b.time) return a.time < b.time;
  return a.session !== b.session || a.number < b.number;
}

/** Attributes the lines missing from an older state to the step that wrote them, and continues with that state. */
function backTo(
  older: readonly string[],
  {
    walk,
    origins,
    origin: writer,
  }: { readonly walk: Walk; readonly origins: (LineOrigin | undefined)[]; readonly origin: LineOrigin },
): Walk {
  const places = new Array<number>(older.length).fill(-1);
  for (const [at, was] of matchedLines(older, walk.lines).entries()) {
    const place = walk.places[at] as number;
    if (was >= 0) places[was] = place;
    else if (place >= 0) origins[place] = writer;
  }
  return { ...walk, lines: older, places };
}

function settle({ places }: Walk, origins: (LineOrigin | undefined)[], origin: LineOrigin): void {
  for (const place of places) if (place >= 0) origins[place] = origin;
}

/** Undefined if the content is missing, damaged or not text. */
async function linesIn(state: FileState, store: BlobStore): Promise<readonly string[] | undefined> {
  if (state === null) return [];
  if (!("hash" in state)) return [];
  try {
    const text = textContent(await store.get(state.hash));
    return text === undefined ? undefined : linesOf(text);
  } catch (error) {
    if (error instanceof CheckpointError) return undefined;
    throw error;
  }
}

function hashIn(state: FileState): string | undefined {
  return state !== null && "hash" in state ? state.hash : undefined;
}
