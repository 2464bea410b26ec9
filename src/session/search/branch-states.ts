/** Where the entries of one session stand, seen from its leaf. */
import { Kind, type SessionEntry } from "../../entry/index.js";
import type { SessionStore } from "../session-store.js";

/**
 * `active`: on the path to the leaf, and in the context. `compacted`: on that path, but behind its latest compaction.
 * `abandoned`: on another branch.
 */
export type HitState = "active" | "abandoned" | "compacted";

/** What is not on the path stays 0. */
const HIDDEN = 1;
const SHOWN = 2;

/**
 *     root ─ a ─ b ─ c ─ compaction(keeps from c) ─ d*     a, b: compacted; c, the compaction, d: active
 *                └─ x                                      x: abandoned
 */
export class BranchStates {
  readonly #store: SessionStore;
  readonly #places: Uint8Array;

  constructor(store: SessionStore) {
    this.#store = store;
    this.#places = placesFrom(store);
  }

  /**
   * The state of the entry whose line starts at `offset`; undefined where the tree has another line for its id: the
   * same line twice, or one that was cut off and written again.
   *
   * A label has the state of what it labels. The name of a session belongs to all of it and is active.
   */
  stateOf(entry: SessionEntry, offset: number): HitState | undefined {
    const { tree } = this.#store;
    const n = this.#numberAt(entry.id, offset);
    if (n < 0) return undefined;
    const kind = tree.kindOf(n);
    if (kind === Kind.sessionInfo) return "active";
    const targetId: unknown = kind === Kind.label ? (entry as { targetId?: unknown }).targetId : undefined;
    const target = typeof targetId === "string" ? tree.ids.findText(targetId) : -1;
    const place = this.#places[target < 0 ? n : target];
    return place === SHOWN ? "active" : place === HIDDEN ? "compacted" : "abandoned";
  }

  #numberAt(id: string, offset: number): number {
    const { tree } = this.#store;
    const known = tree.ids.findText(id);
    if (known >= 0 && tree.offsetOf(known) === offset) return known;
    // An id that is taken twice leads to its first entry only.
    for (let n = 0; n < tree.count; n++) if (tree.offsetOf(n) === offset) return n;
    return -1;
  }
}

/** Marks the path to the leaf: what the built context shows of it, and what stands behind the compaction. */
function placesFrom(store: SessionStore): Uint8Array {
  const { tree } = store;
  const leaf = tree.loadedLeaf;
  const places = new Uint8Array(tree.count);
  const compaction = latestCompaction(store, leaf);
  let place = SHOWN;
  for (let n = leaf; n >= 0; n = tree.parentOf(n)) {
    places[n] = place;
    if (n === compaction) place = HIDDEN;
  }
  if (compaction < 0) return places;
  const anchor = anchorOf(store, compaction);
  if (anchor < 0 || places[anchor] !== HIDDEN) return places;
  for (let n = tree.parentOf(compaction); n >= 0; n = tree.parentOf(n)) {
    // Of the compactions on a path only the latest one speaks.
    if (tree.kindOf(n) !== Kind.compaction) places[n] = SHOWN;
    if (n === anchor) break;
  }
  return places;
}

function latestCompaction(store: SessionStore, leaf: number): number {
  const { tree } = store;
  for (let n = leaf < 0 ? -1 : tree.markAt(leaf); n >= 0; ) {
    if (tree.kindOf(n) === Kind.compaction && store.entryAt(n).type === "compaction") return n;
    const parent = tree.parentOf(n);
    n = parent < 0 ? -1 : tree.markAt(parent);
  }
  return -1;
}

/** The first entry that the compaction keeps, or -1. */
function anchorOf(store: SessionStore, compaction: number): number {
  const { firstKeptEntryId } = store.entryAt(compaction) as { readonly firstKeptEntryId?: unknown };
  return typeof firstKeptEntryId === "string" ? store.tree.ids.findText(firstKeptEntryId) : -1;
}
