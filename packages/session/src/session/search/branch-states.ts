/** The state of each entry of one session, as seen from its leaf. */
import { type PathSource, readPathMarks, visiblePath } from "../../context/index.js";
import { Kind, type SessionEntry } from "../../entry/index.js";
import type { Steps } from "../../text/index.js";

/**
 * `active`: on the path to the leaf, and in the context. `compacted`: on that path, but before its latest compaction.
 * `abandoned`: on another branch.
 */
export type HitState = "active" | "abandoned" | "compacted";

/** An indexed session, as seen from its leaf. */
export interface IndexedPath extends PathSource {
  readonly count: number;
  /** The offset of an entry's line. */
  offsetOf(n: number): number;
}

/** Marks for entries on the path to the leaf; all others are 0. */
export const HIDDEN = 1;
export const SHOWN = 2;
/** Entries processed between two yields to other work. */
const STEP = 4096;

/**
 *     root ─ a ─ b ─ c ─ compaction(keeps from c) ─ d*     a, b: compacted; c, the compaction, d: active
 *                └─ x                                      x: abandoned
 */
export class BranchStates {
  readonly #path: IndexedPath;
  readonly #places: Uint8Array;

  private constructor(path: IndexedPath, places: Uint8Array) {
    this.#path = path;
    this.#places = places;
  }

  static *of(path: IndexedPath): Steps<BranchStates> {
    return new BranchStates(path, yield* marksFromLeaf(path));
  }

  /**
   * The state of the entry whose line starts at `offset`; undefined if the tree has another line for its ID: a repeated
   * line, or one that was cut off and written again.
   *
   * A label has the state of its target. The name of a session belongs to all of it and is active.
   */
  stateOf(entry: SessionEntry, offset: number): HitState | undefined {
    const n = this.#numberAt(entry.id, offset);
    if (n < 0) return undefined;
    const kind = this.#path.kindOf(n);
    if (kind === Kind.sessionInfo) return "active";
    const targetId: unknown = kind === Kind.label ? (entry as { targetId?: unknown }).targetId : undefined;
    const target = typeof targetId === "string" ? this.#path.numberOf(targetId) : -1;
    const place = this.#places[target < 0 ? n : target];
    return place === SHOWN ? "active" : place === HIDDEN ? "compacted" : "abandoned";
  }

  #numberAt(id: string, offset: number): number {
    const path = this.#path;
    const known = path.numberOf(id);
    if (known >= 0 && path.offsetOf(known) === offset) return known;
    // A duplicate ID leads to its first entry only.
    for (let n = 0; n < path.count; n++) if (path.offsetOf(n) === offset) return n;
    return -1;
  }
}

/** Marks the path to the leaf: SHOWN if the built context shows the entry, otherwise HIDDEN. */
export function* marksFromLeaf(path: PathSource & Pick<IndexedPath, "count">): Steps<Uint8Array> {
  const places = new Uint8Array(path.count);
  const marks = readPathMarks(path);
  yield;
  let passed = 0;
  for (let n = path.leaf; n >= 0; n = path.parentOf(n)) {
    places[n] = HIDDEN;
    if (++passed % STEP === 0) yield;
  }
  for (const n of visiblePath(path, marks)) {
    if (++passed % STEP === 0) yield;
    // Only the latest compaction on a path takes effect.
    if (path.kindOf(n) !== Kind.compaction || n === marks.compactionNumber) places[n] = SHOWN;
  }
  return places;
}
