import { type EntryId, Kind, type MoveCause, Role } from "@bough/session/entry/index.js";
import { SYNC_CAUSE } from "@bough/session/entry/internal.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { isPromptAt, type TreeSource } from "@bough/session/tree/index.js";
import { originIn } from "../merge/copied-entries.js";
import { mergedBy } from "../merge/merged-by.js";

/** A position: an entry, or `null` before the first one. */
export type Position = EntryId | null;

/** A step that can be undone: a run, a shell command of the user, a move, a merge or a cherry-pick. */
export interface UndoStep {
  readonly kind: "run" | "command" | "move" | "merge" | "cherry-pick";
  /** The position before it. */
  readonly from: EntryId | null;
  /** The prompt of a run, or the command. */
  readonly entryId?: EntryId;
}

/** Undoing a compaction is a move; redo takes it back as well as undo. */
interface KnownStep extends UndoStep {
  readonly hasUndoneCompaction?: boolean;
}

/** An undone step, and the position it was undone from. */
interface UndoneStep {
  readonly step: KnownStep;
  readonly to: Position;
}

type HistorySession = Pick<SessionManager, "getSessionId" | "getSource">;

/**
 * What happened in the session that is open, in one list: runs, shell commands and moves, so that each can be undone, one
 * after the other, and redone.
 *
 *     run 1, run 2, a move     undo: the move, again: run 2     redo: run 2     anything new forgets the move
 *
 * What was there before the session was opened is taken from the log, as far as it tells. What other processes add to it
 * meanwhile is theirs. Nothing is ever removed from the session: only the position changes.
 */
export class MoveHistory {
  #sessionId: string | undefined;
  #past: KnownStep[] = [];
  #future: UndoneStep[] = [];
  /** The number of the entry up to which everything is in the list. */
  #known = -1;

  /** A move has left this position. */
  left(session: HistorySession, position: Position, cause?: MoveCause): void {
    this.#past.push(moveFrom(position, cause));
    this.#future = [];
    this.#arrived(session);
  }

  /** What undo would undo; undefined if there is nothing. */
  previous(session: HistorySession): UndoStep | undefined {
    this.catchUp(session);
    return this.#past.at(-1);
  }

  /** Where redo would go; undefined without an undone step. */
  next(session: HistorySession): Position | undefined {
    this.catchUp(session);
    return this.#future.length > 0 ? this.#future.at(-1)?.to : undoneCompaction(this.#past)?.from;
  }

  /** The last step was undone, starting at `current`. */
  undone(session: HistorySession, current: Position): void {
    const step = this.#past.pop();
    if (step !== undefined) this.#future.push({ step, to: current });
    this.#arrived(session);
  }

  /**
   * Only the files of the last step were undone: the conversation stays, and the next undo takes the step before it.
   */
  passed(session: HistorySession): void {
    this.catchUp(session);
    this.#past.pop();
  }

  /** The last undone step was redone, starting at `current`. */
  redone(session: HistorySession, current: Position): void {
    redo({ past: this.#past, future: this.#future }, current);
    this.#arrived(session);
  }

  /** Call this before the position changes: adds what was appended at the old one. */
  catchUp(session: HistorySession): void {
    const source = session.getSource();
    if (session.getSessionId() !== this.#sessionId) {
      this.#sessionId = session.getSessionId();
      ({ past: this.#past, future: this.#future } = historyIn(source));
    } else {
      // Something else moved the leaf, so what is above does not belong to this list.
      const steps = stepsBelow(source, this.#known) ?? [];
      this.#past.push(...steps);
      if (steps.length > 0) this.#future = [];
    }
    this.#known = source.leaf;
  }

  #arrived(session: HistorySession): void {
    this.#known = session.getSource().leaf;
  }
}

/** Runs and commands between an entry and the leaf, oldest first. Undefined if the leaf is not below the entry. */
function stepsBelow(source: TreeSource, start: number): UndoStep[] | undefined {
  const below: number[] = [];
  let at = source.leaf;
  for (; at >= 0 && at !== start; at = source.tree.parentOf(at)) below.push(at);
  if (at !== start) return undefined;
  const steps = new PathSteps(source);
  return below.reverse().flatMap((n) => steps.next(n) ?? []);
}

/** Finds the steps of a path, read from its start. Copies of another branch are one step, and so are their prompts. */
class PathSteps {
  readonly #source: TreeSource;
  /** Copies that follow the record of their origin. */
  #copies = 0;

  constructor(source: TreeSource) {
    this.#source = source;
  }

  next(n: number): UndoStep | undefined {
    const { tree, entryAt } = this.#source;
    if (this.#copies > 0) {
      this.#copies -= 1;
      return undefined;
    }
    const kind = tree.kindOf(n);
    if (kind !== Kind.custom && kind !== Kind.branchSummary) return stepAt(this.#source, n);
    const entry = entryAt(n);
    const from = positionOf(this.#source, tree.parentOf(n));
    if (mergedBy(entry) !== undefined) return { kind: "merge", from };
    const origin = originIn(entry);
    if (origin === undefined) return undefined;
    this.#copies = origin.sourceIds.length;
    return origin.continues === true ? undefined : { kind: origin.via, from };
  }
}

function stepAt(source: TreeSource, n: number): UndoStep | undefined {
  const { tree } = source;
  if (isPromptAt(tree, n)) {
    return { kind: "run", from: positionOf(source, tree.parentOf(n)), entryId: tree.ids.textOf(n) };
  }
  if (tree.kindOf(n) !== Kind.message || tree.roleOf(n) !== Role.bashExecution) return undefined;
  return { kind: "command", from: positionOf(source, tree.parentOf(n)), entryId: tree.ids.textOf(n) };
}

function positionOf({ tree }: TreeSource, n: number): Position {
  return n < 0 ? null : tree.ids.textOf(n);
}

function moveFrom(from: Position, cause: MoveCause | undefined): KnownStep {
  return { kind: "move", from, ...(cause === "undo-compaction" ? { hasUndoneCompaction: true } : {}) };
}

/** The last step, if it undid a compaction. */
function undoneCompaction(past: readonly KnownStep[]): KnownStep | undefined {
  const last = past.at(-1);
  return last?.hasUndoneCompaction === true ? last : undefined;
}

/** Redoes the last step, starting at `current`. False if there is none. */
function redo({ past, future }: History, current: Position): boolean {
  const undone = future.pop();
  if (undone !== undefined) past.push(undone.step.kind === "move" ? { ...undone.step, from: current } : undone.step);
  else if (undoneCompaction(past) !== undefined) past.splice(-1, 1, { kind: "move", from: current });
  else return false;
  return true;
}

interface History {
  readonly past: KnownStep[];
  readonly future: UndoneStep[];
}

/**
 * Rebuilds the list from the log: entries that continue the last one, and moves with their cause. If that does not lead
 * to the current position, other programs or processes wrote to the log too; then only the runs on the path are known.
 */
function historyIn(source: TreeSource): History {
  const { tree } = source;
  const past: KnownStep[] = [];
  let future: UndoneStep[] = [];
  let leaf = -1;
  const steps = new PathSteps(source);
  for (let n = 0; n < tree.count; n++) {
    const parent = tree.parentOf(n);
    const kind = tree.kindOf(n);
    const cause = kind === Kind.position || kind === Kind.branchSummary ? causeAt(source, n) : undefined;
    if (cause !== undefined && cause !== SYNC_CAUSE && parent !== leaf) {
      const from = positionOf(source, leaf);
      const last = cause === "undo" ? past.pop() : undefined;
      if (last !== undefined) future.push({ step: last, to: from });
      else if (cause !== "redo" || !redo({ past, future }, from)) {
        past.push(moveFrom(from, cause));
        future = [];
      }
      leaf = kind === Kind.position ? parent : n;
      continue;
    }
    if (kind === Kind.position) {
      if (cause !== SYNC_CAUSE) leaf = parent;
      continue;
    }
    // From another process, on another branch.
    if (parent !== leaf) continue;
    leaf = n;
    const step = steps.next(n);
    if (step === undefined) continue;
    past.push(step);
    future = [];
  }
  return leaf === source.leaf ? { past, future } : { past: stepsBelow(source, -1) ?? [], future: [] };
}

function causeAt({ entryAt }: TreeSource, n: number): string | undefined {
  const entry = entryAt(n);
  if (entry.type === "branch_summary") return entry.cause ?? "tree";
  const data = entry.type === "custom" ? entry.data : undefined;
  return typeof data === "object" && data !== null && "cause" in data && typeof data.cause === "string"
    ? data.cause
    : undefined;
}
