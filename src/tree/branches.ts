/**
 * Branches: where the conversation forks, where it ends, and the stretches in between.
 *
 *     a ─ b ─ c ─ d          tips: d, f        fork points: b
 *          └─ e ─ f          segments: [a b] [c d] [e f]
 *
 * Only conversation counts: a label or a rename below an entry makes neither a branch nor an end.
 */
import { Kind } from "../entry/index.js";
import type { TreeIndex } from "./tree-index.js";

export function isConversation(kind: Kind): boolean {
  return kind >= Kind.message && kind <= Kind.customMessage;
}

export interface Segment {
  /** First and last conversation entry of the stretch. */
  readonly first: number;
  readonly last: number;
  /** The fork point above it, or -1. */
  readonly from: number;
  readonly length: number;
}

/** Conversation entries with no conversation below them, in file order. */
export function tipsOf(tree: TreeIndex): number[] {
  const below = conversationChildren(tree);
  const tips: number[] = [];
  for (let n = 0; n < tree.count; n++) if (isConversation(tree.kindOf(n)) && below[n] === 0) tips.push(n);
  return tips;
}

/** Conversation entries with more than one conversation child; -1 stands for several roots. */
export function forkPointsOf(tree: TreeIndex): number[] {
  const below = conversationChildren(tree);
  const points: number[] = below[tree.count] !== undefined && (below[tree.count] as number) > 1 ? [-1] : [];
  for (let n = 0; n < tree.count; n++) if ((below[n] as number) > 1) points.push(n);
  return points;
}

/** How many branches the session has: its tips. */
export function branchCount(tree: TreeIndex): number {
  return tipsOf(tree).length;
}

/** The runs of conversation without a fork inside, in the order of their first entries. */
export function segmentsOf(tree: TreeIndex): Segment[] {
  const nearest = nearestConversation(tree);
  const below = conversationChildren(tree, nearest);
  const segments: Segment[] = [];
  const open = new Map<number, { first: number; from: number; length: number }>();
  for (const n of conversationTopDown(tree)) {
    const parent = conversationAbove(tree, n, nearest);
    const run = parent >= 0 && below[parent] === 1 ? open.get(parent) : undefined;
    if (run !== undefined) open.delete(parent);
    const grown = run ?? { first: n, from: parent, length: 0 };
    grown.length += 1;
    if (below[n] === 1) open.set(n, grown);
    else segments.push({ first: grown.first, last: n, from: grown.from, length: grown.length });
  }
  return segments.sort((a, b) => a.first - b.first);
}

/** Nearest conversation entry above `n`, or -1. */
export function conversationParent(tree: TreeIndex, n: number): number {
  let at = tree.parentOf(n);
  while (at >= 0 && !isConversation(tree.kindOf(at))) at = tree.parentOf(at);
  return at;
}

/** How many conversation entries hang next below each one; the last slot counts the roots. */
function conversationChildren(tree: TreeIndex, nearest = nearestConversation(tree)): Uint32Array {
  const below = new Uint32Array(tree.count + 1);
  for (let n = 0; n < tree.count; n++) {
    if (!isConversation(tree.kindOf(n))) continue;
    const above = conversationAbove(tree, n, nearest);
    const slot = above < 0 ? tree.count : above;
    below[slot] = (below[slot] as number) + 1;
  }
  return below;
}

function conversationAbove(tree: TreeIndex, n: number, nearest: Int32Array): number {
  const parent = tree.parentOf(n);
  return parent < 0 ? -1 : (nearest[parent] as number);
}

/** For each entry the conversation entry at or above it, found once for all: a chain of notes is walked one time. */
function nearestConversation(tree: TreeIndex): Int32Array {
  const nearest = new Int32Array(tree.count).fill(-2);
  const walk: number[] = [];
  for (let start = 0; start < tree.count; start++) {
    let n = start;
    while (n >= 0 && nearest[n] === -2 && !isConversation(tree.kindOf(n))) {
      walk.push(n);
      n = tree.parentOf(n);
    }
    const found = n < 0 ? -1 : nearest[n] === -2 ? n : (nearest[n] as number);
    if (n >= 0) nearest[n] = found;
    for (let next = walk.pop(); next !== undefined; next = walk.pop()) nearest[next] = found;
  }
  return nearest;
}

/** Conversation entries so that parents come before children, also where a file has them the other way round. */
function* conversationTopDown(tree: TreeIndex): Generator<number> {
  const stack = [-1];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (at >= 0 && isConversation(tree.kindOf(at))) yield at;
    for (let child = tree.firstChildOf(at); child >= 0; child = tree.nextSiblingOf(child)) stack.push(child);
  }
}
