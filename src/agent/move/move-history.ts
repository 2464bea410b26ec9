import type { EntryId } from "../../entry/index.js";

/** A position: an entry, or `null` before the first one. */
export type Position = EntryId | null;

/**
 * Where this agent has been in the session it has open, so that moves can be undone and redone.
 *
 *     moves  a → b → c     undo: b, again: a     redo: b     a new move from b forgets c
 *
 * Kept in memory and for one session at a time: going to another session starts afresh, and so does a restart. What was
 * added after a move belongs to the place that is left, so undo and redo lead back to where the work really ended.
 */
export class MoveHistory {
  #sessionId: string | undefined;
  #past: Position[] = [];
  #future: Position[] = [];

  /** A move has left this position. */
  left(sessionId: string, position: Position): void {
    this.#enter(sessionId);
    this.#past.push(position);
    this.#future = [];
  }

  /** Where undo would go, and even if `/switch -` goes; undefined without a move. */
  previous(sessionId: string): Position | undefined {
    this.#enter(sessionId);
    return this.#past.at(-1);
  }

  /** Where redo would go; undefined without an undone move. */
  next(sessionId: string): Position | undefined {
    this.#enter(sessionId);
    return this.#future.at(-1);
  }

  /** The last move was undone from `current`. */
  undone(sessionId: string, current: Position): void {
    this.#enter(sessionId);
    this.#past.pop();
    this.#future.push(current);
  }

  /** The last undone move was done again from `current`. */
  redone(sessionId: string, current: Position): void {
    this.#enter(sessionId);
    this.#future.pop();
    this.#past.push(current);
  }

  #enter(sessionId: string): void {
    if (sessionId === this.#sessionId) return;
    this.#sessionId = sessionId;
    this.#past = [];
    this.#future = [];
  }
}
