/** The branches that start at one entry, each as one row, oldest first. */
import { type BranchIndex, isConversation } from "../../../tree/index.js";
import type { TreeReader } from "../tree-reader.js";
import type { TreeState } from "../tree-state.js";
import { lowerBound } from "./subtree-places.js";
import type { TreeRow } from "./tree-row.js";

interface Fork {
  /** The entry they start from; -1 is the start. */
  readonly fork: number;
  /** The child that is on the path, or -1. */
  readonly onPath: number;
  readonly rails: readonly boolean[];
  /** First entry of the open branch that contains them; -1 on the trunk. */
  readonly level: number;
  /** Some filters hide a branch with nothing to show in it. Undefined: all are shown. */
  readonly inside: InsideTest | undefined;
}

/** Whether a branch contains anything that the filter shows. */
export type InsideTest = (child: number) => boolean;

/** A fork with more branches than this shows only the newest. */
const MOST_BRANCHES = 8;
const NEWEST_BRANCHES = 6;
export const MORE_BRANCHES = 200;

export function sideRows(reader: TreeReader, state: TreeState, at: Fork): readonly TreeRow[] {
  const { fork, onPath, rails, level, inside } = at;
  const { branches } = reader;
  const later = branches.laterChildrenOf(fork);
  const first = branches.firstChildOf(fork);
  if (first < 0 || (later.length === 0 && first === onPath)) return [];
  const shown: number[] = [];
  const most = later.length + 1 - (onPath < 0 ? 0 : 1) <= MOST_BRANCHES ? MOST_BRANCHES : NEWEST_BRANCHES;
  let room = most + (state.more.get(fork) ?? 0) * MORE_BRANCHES;
  let hidden = 0;
  // From newest to oldest. Of a hundred thousand branches, only those with room and those that are open are checked.
  let index = later.length - 1;
  for (; index >= -1; index--) {
    const child = index < 0 ? first : branches.firstOf(later[index] as number);
    if (child === onPath || (inside !== undefined && !inside(child))) continue;
    if (room > 0) shown.push(child);
    else if (inside === undefined) break;
    else hidden += 1;
    room -= 1;
  }
  const older = inside === undefined ? childrenLeft(branches, { fork, onPath, index, later }) : hidden;
  const opened = older === 0 ? [] : openedBefore(reader, state, at, shown);
  const rows = reader.source.tree.times.oldestFirst([...shown, ...opened]).map((n) => sideRow(state, n, at));
  if (older - opened.length <= 0) return rows;
  const more = { kind: "more", key: `m${fork}`, n: fork, open: false, last: false, counts: "branches" } as const;
  return [{ ...more, level, rails, fork, count: older - opened.length }, ...rows];
}

function sideRow(state: TreeState, n: number, { fork, rails, level }: Fork): TreeRow {
  const open = state.opened.has(n);
  return { kind: "side", key: `s${n}`, n, level, rails, fork, open, last: false, count: 0, counts: "none" };
}

interface Left {
  readonly fork: number;
  readonly onPath: number;
  /** Children from here to the oldest were not checked; -1 is the first child. */
  readonly index: number;
  readonly later: readonly number[];
}

function childrenLeft(branches: BranchIndex, { fork, onPath, index, later }: Left): number {
  if (index < -1) return 0;
  const first = branches.firstChildOf(fork);
  const onPathIndex = onPath === first ? -1 : onPath < 0 ? -2 : later.indexOf(branches.branchOf(onPath));
  return index + 2 - (onPathIndex > -2 && onPathIndex <= index ? 1 : 0);
}

/** Older branches that the user opened stay on the screen. */
function openedBefore(
  reader: TreeReader,
  state: TreeState,
  { fork, onPath }: Fork,
  shown: readonly number[],
): number[] {
  const opened: number[] = [];
  for (const n of state.opened) {
    if (n === onPath || shown.includes(n) || !isConversation(reader.source.tree.kindOf(n))) continue;
    if (reader.branches.conversationParentOf(n) === fork) opened.push(n);
  }
  return opened;
}

/** The test of a filter that hides branches; undefined for one that shows all. */
export function insideTest(reader: TreeReader, state: TreeState): InsideTest | undefined {
  const { search } = state;
  if (state.narrowing === "matches" && search !== undefined) return (child) => search.countInside(child) > 0;
  if (state.filter !== "labeled-only") return undefined;
  const found = reader.labelledPlaces;
  if (found.length === 0) return () => false;
  const order = reader.branches.subtreeOrder;
  return (child) => {
    const place = lowerBound(found, order.placeOf(child));
    return place < found.length && (found[place] as number) < order.endOf(child);
  };
}
