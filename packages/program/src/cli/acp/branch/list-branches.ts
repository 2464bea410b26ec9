/** Lists every branch of a session with the id a client knows it by. */
import { branchIndexOf, type TreeSource, tipsOf } from "@bough/session/tree/index.js";
import { branchPlace, nextBelow } from "./branch-end.js";
import { type Markers, markersIn } from "./markers.js";
import { type BranchKey, MAIN } from "./session-id.js";

export interface ListedBranch {
  readonly key: BranchKey;
  /** Its last conversation entry, or -1. */
  readonly end: number;
  /** The entry its title comes from: the first that is not shared. */
  readonly first: number;
  readonly archived: boolean;
}

/** Which branches to list by whether a client archived them. */
export const ARCHIVE_FILTERS = ["exclude", "include", "only"] as const;
export type ArchiveFilter = (typeof ARCHIVE_FILTERS)[number];

/**
 * The session's first branch comes first, then branches that clients made, then all others. Hidden ones are omitted.
 */
export function listBranches(source: TreeSource, filter: ArchiveFilter = "exclude"): readonly ListedBranch[] {
  const { tree } = source;
  const markers = markersIn(source);
  const found = new Map<BranchKey, Omit<ListedBranch, "archived">>();
  const covered = new Uint8Array(tree.count);
  const ends = new Set<number>();
  for (const key of [MAIN, ...markers.starts.keys()]) {
    const place = found.has(key) ? undefined : branchPlace(source, key, markers);
    if (place === undefined) continue;
    found.set(key, { key, end: place.end, first: cover(source, place.end, covered) });
    ends.add(place.end);
  }
  for (const tip of tipsOf(tree)) {
    if (ends.has(tip) || covered[tip] === 1) continue;
    const first = ownStart(source, tip, { covered, markers });
    const key = tree.ids.textOf(first);
    found.set(key, { key, end: tip, first });
    cover(source, tip, covered);
  }
  return [...found.values()].flatMap((branch) => {
    const archived = markers.archived.has(branch.key);
    const isListed = archived ? filter !== "exclude" : filter !== "only" && !markers.hidden.has(branch.key);
    return isListed ? [{ ...branch, archived }] : [];
  });
}

/** Marks the path to an entry, and returns its highest entry that was not marked before. */
function cover({ tree }: TreeSource, end: number, covered: Uint8Array): number {
  const branches = branchIndexOf(tree);
  let first = end;
  for (let n = end; n >= 0 && covered[n] === 0; n = branches.conversationParentOf(n)) {
    covered[n] = 1;
    first = n;
  }
  return first;
}

/**
 * The highest entry from which following the branch leads to this tip: an id that stays the same when the branch grows.
 */
function ownStart(
  source: TreeSource,
  tip: number,
  { covered, markers }: { readonly covered: Uint8Array; readonly markers: Markers },
): number {
  const branches = branchIndexOf(source.tree);
  let at = tip;
  for (;;) {
    const above = branches.conversationParentOf(at);
    if (above < 0 || covered[above] === 1 || nextBelow(source, above, markers) !== at) return at;
    at = above;
  }
}
