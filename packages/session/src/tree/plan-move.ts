/**
 * The effect of a move, from the index alone: a footer, a question or a sentence about a branch of a hundred thousand
 * entries must not wait for them to be read.
 */
import { type EntryId, Kind } from "../entry/index.js";
import { entryNotFound } from "../entry/internal.js";
import { branchIndexOf } from "./branch-index.js";
import type { TreeIndex } from "./tree-index.js";
import type { TreeSource } from "./tree-source.js";
import { startsTurnAt } from "./turn-start.js";

/**
 * `selected`: as a user selects an entry in the tree. A message that starts a turn will be edited and sent again, so
 * the move ends right before it. `exact`: the entry itself becomes the leaf, whatever it is.
 */
export type MovePlace = "selected" | "exact";

/** Positions are entry numbers; -1 is before the first entry. */
export interface PlannedMove {
  readonly from: number;
  readonly to: number;
  readonly target: number;
  /** The target starts a turn and was selected: the new position is right before it. */
  readonly before: boolean;
  /** Both positions are the same to a user: no conversation lies between them. */
  readonly same: boolean;
}

export interface MoveRequest {
  /** The entry to go to, by number or ID. -1 and `null` mean before the first one. */
  readonly target: number | EntryId | null;
  readonly place: MovePlace;
}

/** Throws `Entry <id> not found`. */
export function planMove({ tree, leaf }: Pick<TreeSource, "tree" | "leaf">, request: MoveRequest): PlannedMove {
  const target = moveTarget(tree, numberOf(tree, request.target));
  const before = request.place === "selected" && target !== leaf && startsTurnAt(tree, target);
  const to = before ? tree.parentOf(target) : target;
  return {
    from: leaf,
    to,
    target,
    before,
    // Computed on demand: the first time, the branches of a long session must be counted.
    get same() {
      const branches = branchIndexOf(tree);
      return branches.conversationAt(to) === branches.conversationAt(leaf);
    },
  };
}

function numberOf(tree: TreeIndex, target: MoveRequest["target"]): number {
  if (target === null) return -1;
  if (typeof target === "number") return target;
  const n = tree.ids.findText(target);
  if (n < 0) throw entryNotFound(target);
  return n;
}

/** A position record is not a target itself: it means the entry it points at. */
function moveTarget(tree: TreeIndex, n: number): number {
  return n >= 0 && tree.kindOf(n) === Kind.position ? tree.parentOf(n) : n;
}

/** What a move takes out of the context. It stays in the tree. */
export interface LeftBehind {
  /** Conversation entries that are not on the new path. */
  readonly entries: number;
  /** Approximate tokens that a summary of them would read. */
  readonly tokens: number;
}

const NOTHING: LeftBehind = { entries: 0, tokens: 0 };

/** Count this many entries one by one; estimate the rest from their size in the file. */
const COUNTED = 200;
/** Type, IDs, time and usage of a line are not shown to the model. */
const LINE_OVERHEAD = 150;
const BYTES_PER_TOKEN = 4;

export interface LeavingMove extends Pick<PlannedMove, "from" | "to"> {
  /** The tokens of an entry; undefined if unknown. */
  readonly tokensOf: (n: number) => number | undefined;
}

/**
 * What a move leaves behind. A compaction replaces everything above it, so nothing further is counted.
 *
 *     shared ─ … ─ … ─ compaction ─ … ─ … ─ from
 *                      └── by size ──┘└ counted ┘
 */
export function leftBehind(tree: TreeIndex, { from, to, tokensOf }: LeavingMove): LeftBehind {
  const branches = branchIndexOf(tree);
  const shared = branches.commonAncestor(from, to);
  const entries = branches.depthAt(from) - branches.depthAt(shared);
  if (entries <= 0) return NOTHING;
  const end = lastUncounted(tree, from, shared);
  let tokens = 0;
  let at = branches.conversationAt(from);
  for (let steps = 0; steps < COUNTED && branches.depthAt(at) > branches.depthAt(end); steps++) {
    const size = tokensOf(at);
    if (size === undefined) break;
    tokens += size;
    at = branches.conversationParentOf(at);
  }
  const bytes = branches.bytesAt(at) - branches.bytesAt(end);
  const lines = branches.depthAt(at) - branches.depthAt(end);
  return { entries, tokens: Math.round(tokens + Math.max(0, bytes - lines * LINE_OVERHEAD) / BYTES_PER_TOKEN) };
}

/** The entry right above everything that counts: above the nearest compaction, or the last shared one. */
function lastUncounted(tree: TreeIndex, from: number, shared: number): number {
  const branches = branchIndexOf(tree);
  const depth = branches.depthAt(shared);
  const markAbove = (n: number) => (n < 0 ? -1 : tree.markAt(n));
  for (let mark = markAbove(from); mark >= 0 && branches.depthAt(mark) > depth; mark = markAbove(tree.parentOf(mark))) {
    if (tree.kindOf(mark) === Kind.compaction) return branches.conversationParentOf(mark);
  }
  return shared;
}
