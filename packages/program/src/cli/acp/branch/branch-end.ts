/** Finds the end of a client's branch from the log alone, so that nothing is lost if the process is killed. */
import { Kind } from "@bough/session/entry/index.js";
import { branchIndexOf, childrenOf, isConversation, isOnPath, type TreeSource } from "@bough/session/tree/index.js";
import { type Markers, markersIn } from "./markers.js";
import { type BranchKey, MAIN } from "./session-id.js";

export interface BranchPlace {
  /** The entry at which it starts or continues; -1 for the start of the session. */
  readonly start: number;
  /** Its last conversation entry; the starting entry's if there is none since. -1 before the first. */
  readonly end: number;
  /** Where a prompt would be appended: the end, including notes below it. */
  readonly leaf: number;
}

/** Undefined if the session has no such entry. */
export function branchPlace(
  source: TreeSource,
  key: BranchKey,
  markers: Markers = markersIn(source),
): BranchPlace | undefined {
  const start = markers.starts.get(key) ?? (key === MAIN ? -1 : source.tree.ids.findText(key));
  if (start < 0 && key !== MAIN) return undefined;
  const first = start < 0 || markers.at.has(start) ? firstBelow(source, start, markers) : start;
  if (first < 0) {
    const end = branchIndexOf(source.tree).conversationAt(start);
    return { start, end, leaf: noteBelow(source, start, markers) };
  }
  let end = first;
  for (let next = first; next >= 0; next = nextBelow(source, next, markers)) end = next;
  return { start, end, leaf: noteBelow(source, end, markers) };
}

/** Whether an entry added at the leaf will be recognized as part of the branch. */
export function isAt(source: TreeSource, { start, end }: BranchPlace): boolean {
  const { tree, leaf } = source;
  const sameEnd = branchIndexOf(tree).conversationAt(leaf) === branchIndexOf(tree).conversationAt(end);
  return sameEnd && (start < 0 || (leaf >= 0 && isOnPath(tree, start, leaf)));
}

/**
 * The conversation entry that continues a branch: the one written first. Entries below a marker belong to the branch
 * that the marker names.
 */
export function nextBelow({ tree }: TreeSource, n: number, markers: Markers): number {
  for (const child of conversationBelow(tree, n)) if (!passes(tree, child, n, markers)) return child;
  return -1;
}

/** The first conversation entry below a marker, or below the start of the session. */
function firstBelow(source: TreeSource, start: number, markers: Markers): number {
  const { tree } = source;
  if (start < 0) return nextBelow(source, -1, markers);
  const above = branchIndexOf(tree).conversationAt(start);
  for (const child of conversationBelow(tree, above)) if (nearestMarker(tree, child, markers) === start) return child;
  return -1;
}

function* conversationBelow(tree: TreeSource["tree"], n: number): Generator<number> {
  const branches = branchIndexOf(tree);
  const first = branches.firstChildOf(n);
  if (first >= 0) yield first;
  for (const branch of branches.laterChildrenOf(n)) yield branches.firstOf(branch);
}

/** Whether there is a marker between an entry and the conversation above it. */
function passes(tree: TreeSource["tree"], child: number, above: number, markers: Markers): boolean {
  for (let n = tree.parentOf(child); n >= 0 && n !== above; n = tree.parentOf(n)) if (markers.at.has(n)) return true;
  return false;
}

function nearestMarker(tree: TreeSource["tree"], child: number, markers: Markers): number {
  let n = tree.parentOf(child);
  while (n >= 0 && !markers.at.has(n) && !isConversation(tree.kindOf(n))) n = tree.parentOf(n);
  return n;
}

/** Models, labels and other notes that were added below an entry and not followed by conversation. */
function noteBelow({ tree }: TreeSource, from: number, markers: Markers): number {
  let at = from;
  for (;;) {
    const notes = at < 0 ? [] : childrenOf(tree, at).filter((n) => isNote(tree.kindOf(n)) && !markers.at.has(n));
    const last = notes.at(-1);
    if (last === undefined) return at;
    at = last;
  }
}

function isNote(kind: Kind): boolean {
  return !isConversation(kind) && kind !== Kind.position && kind !== Kind.unreadable;
}
