/** From turns of a comparison to the entries they are made of. */
import type { BranchComparison, BranchSide } from "../../agent/index.js";
import type { EntryId } from "../../entry/index.js";
import type { TreeSource } from "../../tree/index.js";

/**
 * The entries of the turns that start with the given ones, in order. A turn ends where the next one of its side begins.
 * Walks each side once.
 */
export function entriesOfTurns(
  source: TreeSource,
  { sharedId, a, b }: BranchComparison,
  starts: ReadonlySet<EntryId>,
): EntryId[] {
  return [a, b].flatMap((side) => entriesOnSide(source, { side, sharedId, starts }));
}

interface WantedTurns {
  readonly side: BranchSide;
  readonly sharedId: EntryId | null;
  readonly starts: ReadonlySet<EntryId>;
}

function entriesOnSide({ tree }: TreeSource, { side, sharedId, starts }: WantedTurns): EntryId[] {
  const begins = new Set(side.steps.map(({ entryId }) => entryId));
  const shared = sharedId === null ? -1 : tree.ids.findText(sharedId);
  const turns: EntryId[][] = [];
  // From the end up, so a turn is known to be wanted only when its first entry is met.
  let turn: EntryId[] = [];
  for (let at = tree.ids.findText(side.tipId); at >= 0 && at !== shared; at = tree.parentOf(at)) {
    const id = tree.ids.textOf(at);
    turn.push(id);
    if (!begins.has(id)) continue;
    if (starts.has(id)) turns.push(turn.reverse());
    turn = [];
  }
  return turns.reverse().flat();
}
