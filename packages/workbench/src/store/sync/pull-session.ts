/** Pulls what a session file lacks and appends it, without changing the position. */
import { randomBytes } from "node:crypto";
import { statSync, utimesSync } from "node:fs";
import { kindOf, LeafEffect, leafEffect, POSITION_TYPE, roleIn } from "@bough/session/entry/index.js";
import { LeafRule, SYNC_CAUSE } from "@bough/session/entry/internal.js";
import type { FileLog, LogState } from "@bough/session/log/index.js";
import { attempt } from "@bough/session/text/index.js";
import { withSessionLock } from "../session-lock.js";
import type { Replica, Store, StoredLine } from "../store.js";
import { StoreError } from "../store-error.js";
import { type EntryFacts, lineFacts } from "../stored-line.js";
import { LocalLines, type Span } from "./local-lines.js";
import type { Position } from "./position-here.js";
import { tailAt } from "./push-session.js";
import type { SyncState } from "./sync-state.js";
import { type NewLine, type TakenId, unite } from "./unite.js";

export interface PullOptions {
  /** Open for writing. If the file does not exist, the first line creates it. */
  readonly log: FileLog;
  /** Programs of one home pull into a session one at a time, so that no line is written twice. */
  readonly home: string;
  readonly sessionId: string;
  readonly store: Store;
  readonly state: SyncState;
  readonly now: () => Date;
  /** The position of this copy. */
  readonly position: Position;
  /** Makes the header of a new file from the one in the store. */
  readonly header: (line: Uint8Array | undefined) => Uint8Array;
  readonly signal?: AbortSignal;
  readonly save: (state: SyncState) => void;
  /** Called before lines are written, so that their origin is known even if the process is killed. */
  readonly cameFrom: (lines: readonly NewLine[]) => void;
}

/** What was pulled from one replica. */
export interface Arrival {
  readonly replica: Replica;
  readonly entries: number;
  /** Prompts among them. */
  readonly turns: number;
  /** The tips of branches that grew or are new. */
  readonly tips: readonly string[];
}

export interface Pulled {
  readonly added: number;
  readonly arrivals: readonly Arrival[];
  readonly taken: readonly TakenId[];
  readonly damaged: number;
  /** The store may lack lines that were pushed before; see `PulledLines`. */
  readonly lost: boolean;
  readonly state: SyncState;
}

/**
 * Each piece is one write that ends with a record of this copy's position, so that the position stays the same even if
 * the process is killed right after it. That record is never pushed. A copy that was never opened has no position to
 * keep.
 */
export async function pullSession(options: PullOptions): Promise<Pulled> {
  const { log, home, sessionId, store, position, save, signal } = options;
  let { state } = options;
  let local: LocalLines | undefined;
  const arrived = new Arrivals();
  const taken: TakenId[] = [];
  let damaged = 0;
  let added = 0;
  let lost = false;
  for await (const { lines, cursor, ...piece } of store.pull(sessionId, state.cursor)) {
    signal?.throwIfAborted();
    if (piece.lost === true) {
      lost = true;
      // Saved with the next cursor: everything is pushed again, even if this pull is interrupted.
      state = { ...state, pushedTo: 0, tail: "", pulled: [] };
    }
    if (lines.length === 0) {
      state = { ...state, cursor };
      save(state);
      continue;
    }
    // Without the lock, two programs pulling the same lines would both write them.
    await withSessionLock({ home, sessionId, what: "pull", to: log.path, signal }, () => {
      const grown = log.prepare() === "grown";
      if (local === undefined || grown) local = new LocalLines(log);
      const united = unite(lines, local);
      damaged += united.damaged;
      taken.push(...united.taken);
      if (united.lines.length > 0) {
        const pieces = united.lines.map(({ bytes }) => bytes);
        const start = log.size() === 0 ? [options.header(united.header?.bytes ?? headerIn(lines))] : [];
        if (start.length > 0) state = { ...state, guest: true };
        options.cameFrom(united.lines);
        const before = timeOf(log.path);
        const span = append(log, () => {
          const at = position.now();
          const end = at === undefined ? [] : positionLine(united.lines, at, options.now);
          return [...start, ...pieces, ...end];
        });
        keepTime(log.path, before, united.lines);
        if (span === undefined) local = undefined;
        else {
          const first = span.start + start.reduce((sum, line) => sum + line.length + 1, 0);
          local.added(united.lines, first);
          position.kept(span.end);
          state = { ...state, pulled: [...state.pulled, { ...span, tail: tailAt(log, span.end) }] };
        }
        arrived.add(united.lines);
        added += united.lines.length;
      }
      state = { ...state, cursor };
      save(state);
    });
  }
  return { added, arrivals: arrived.list(), taken, damaged, lost, state };
}

function headerIn(lines: readonly StoredLine[]): Uint8Array | undefined {
  return lines.find(({ bytes }) => lineFacts(bytes)?.kind === "header")?.bytes;
}

/**
 * One write, so that other writers' lines cannot get in between and a killed process leaves all or nothing. Undefined
 * if another process wrote just before it, because the position of the lines is then unknown; the next push offers them
 * to the store, which has them.
 */
function append(log: FileLog, makeLines: () => readonly Uint8Array[]): Span | undefined {
  const newline = Buffer.from("\n");
  let bytes: Buffer;
  let prepared: LogState;
  // Someone working here may write while the position is being looked up: then look it up again.
  do {
    bytes = Buffer.concat(makeLines().flatMap((line) => [line, newline]));
    prepared = log.prepare();
    if (prepared === "grown") log.accept(log.scan(log.certain, () => {}));
  } while (prepared === "grown");
  if (prepared !== "ready")
    throw new StoreError("sync-aborted", `${log.path} was replaced during the sync`, { hint: "Sync again." });
  const start = log.write(bytes);
  return bytes.equals(log.readAt(start, bytes.length)) ? { start, end: start + bytes.length } : undefined;
}

/** Empty if opening the file finds the same position anyway. */
function positionLine(lines: readonly NewLine[], position: string | null, now: () => Date): readonly Uint8Array[] {
  const moves = lines.some(({ facts, parentId }) => {
    const effect = LeafRule.strongestEffect(kindOf(facts.record), facts.id);
    return effect === LeafEffect.sets || effect === LeafEffect.points || parentId === position;
  });
  if (!moves) return [];
  const record = {
    type: "custom",
    id: randomBytes(6).toString("hex"),
    parentId: position,
    timestamp: now().toISOString(),
    customType: POSITION_TYPE,
    data: { cause: SYNC_CAUSE },
  };
  return [Buffer.from(JSON.stringify(record))];
}

function effectOf({ record }: EntryFacts): LeafEffect {
  return leafEffect(kindOf(record));
}

class Arrivals {
  readonly #of = new Map<string, { replica: Replica; entries: number; turns: number; tips: Set<string> }>();

  add(lines: readonly NewLine[]): void {
    for (const { replica, id, parentId, facts } of lines) {
      let one = this.#of.get(replica.id);
      if (one === undefined) {
        one = { replica, entries: 0, turns: 0, tips: new Set() };
        this.#of.set(replica.id, one);
      }
      one.entries++;
      if (roleIn(facts.record) === "user") one.turns++;
      if (parentId !== null) one.tips.delete(parentId);
      if (effectOf(facts) === LeafEffect.sets) one.tips.add(id);
    }
  }

  list(): readonly Arrival[] {
    return [...this.#of.values()].map(({ tips, ...one }) => ({ ...one, tips: [...tips] }));
  }
}

/** When a file was last written to, in milliseconds; 0 if it does not exist. */
function timeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/**
 * Keeps a file's time at the last work on the session, not the arrival of its entries: lists and `bough -c` sort by it.
 * Sets it to that of the newest added line, or back to what it was before if that is later. Limited to now, so that
 * another machine's fast clock does not keep the session at the top.
 */
function keepTime(file: string, before: number, lines: readonly Pick<NewLine, "facts">[]): void {
  let newest = before;
  for (const { facts } of lines) {
    const { timestamp } = facts.record;
    const at = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
    if (at > newest) newest = at;
  }
  if (newest === 0) return;
  const seconds = Math.min(newest, Date.now()) / 1_000;
  // On a file system that cannot set times, only the order of lists suffers.
  attempt(() => utimesSync(file, seconds, seconds));
}
