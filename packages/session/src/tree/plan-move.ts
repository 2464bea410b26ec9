/**
 * What a move would do, from the index alone: a footer, a question or a sentence about a branch of a hundred thousand
 * entries must not wait until they are read.
 */
import { type EntryId, Kind } from "../entry/index.js";
import { entryNotFound } from "../entry/internal.js";
import { branchIndexOf } from "./branch-index.js";
import type { TreeIndex } from "./tree-index.js";
import type { TreeSource } from "./tree-source.js";
import { startsTurnAt } from "./turn-start.js";

/**
 * `selected`: as a user selects in the tree. A message that starts a turn is edited and sent again, so the move ends
 * right before it. `exact`: the entry itself is the new leaf, whatever it is.
 */
export type MovePlace = "selected" | "exact";

/** Places are numbers of entries; -1 is before the first one. */
export interface PlannedMove {
  readonly from: number;
  readonly to: number;
  readonly target: number;
  /** The target starts a turn and is selected: the new place is right before it. */
  readonly before: boolean;
  /** For a user both are one place: nothing of the conversation is between them. */
  readonly same: boolean;
}

export interface MoveRequest {
  /** The entry to go to, by number or id. -1 and `null` are the place before the first one. */
  readonly target: number | EntryId | null;
  readonly place: MovePlace;
}

/** Throws `Entry <id> not found`. */
export function planMove({ tree, leaf }: Pick<TreeSource, "tree" | "leaf">, request: MoveRequest): PlannedMove {
  const target = placeOf(tree, numberOf(tree, request.target));
  const before = request.place === "selected" && target !== leaf && startsTurnAt(tree, target);
  const to = before ? tree.parentOf(target) : target;
  return {
    from: leaf,
    to,
    target,
    before,
    // Found on demand: the first time, branches of a long session have to be counted.
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

/** A record of a position is not its own place: it means the place it names. */
function placeOf(tree: TreeIndex, n: number): number {
  return n >= 0 && tree.kindOf(n) === Kind.position ? tree.parentOf(n) : n;
}

/** What a move takes out of the context. It stays in the tree. */
export interface LeftBehind {
  /** Entries of the conversation that are not on the new path. */
  readonly entries: number;
  /** About what a summary of them would read. */
  readonly tokens: number;
}

const NOTHING: LeftBehind = { entries: 0, tokens: 0 };

/** Count this many entries one by one; estimate the rest from their size in the file. */
const COUNTED = 200;
/** Type, ids, time and usage of a line are nothing the model is shown. */
const LINE_OVERHEAD = 150;
const BYTES_PER_TOKEN = 4;

export interface LeavingMove extends Pick<PlannedMove, "from" | "to"> {
  /** What an entry costs; undefined if unknown. */
  readonly tokensOf: (n: number) => number | undefined;
}

/**
 * What a move leaves. A compaction speaks for what is above it, so nothing further is counted.
 *
 *     shared ─ … ─ … ─ compaction ─ … ─ … ─ from
 *                      └── by size ──┘└ counted ┘
 */
export function leftBehind(tree: TreeIndex, { from, to, tokensOf }: LeavingMove): LeftBehind {
  const branches = branchIndexOf(tree);
  const shared = branches.commonAncestor(from, to);
  const entries = branches.depthAt(from) - branches.depthAt(shared);
  if (entries <= 0) return NOTHING;
  const end = endOfLeft(tree, from, shared);
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

/** What is right above all that counts: above the nearest compaction, or what both paths share. */
function endOfLeft(tree: TreeIndex, from: number, shared: number): number {
  const branches = branchIndexOf(tree);
  const depth = branches.depthAt(shared);
  const markAbove = (n: number) => (n < 0 ? -1 : tree.markAt(n));
  for (let mark = markAbove(from); mark >= 0 && branches.depthAt(mark) > depth; mark = markAbove(tree.parentOf(mark))) {
    if (tree.kindOf(mark) === Kind.compaction) return branches.conversationParentOf(mark);
  }
  return shared;
}
