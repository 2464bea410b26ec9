/**
 * Which turns were left behind by a move, and why.
 *
 *     a ─ b ─ c ─ d          a move from d to b leaves the turns of c and d behind
 *         └─ e
 */
import type { BranchIndex } from "@bough/session/tree/index.js";
import type { TurnDraft } from "./turn-draft.js";

/** A move, as the log tells it: a record of the position, a summary, or an entry that does not follow the leaf. */
export interface Leaving {
  readonly from: number;
  readonly to: number;
  readonly cause: string | undefined;
  readonly summary: number | undefined;
}

interface LeavingPlaces {
  readonly turns: readonly TurnDraft[];
  readonly turnOf: Int32Array;
  readonly branches: BranchIndex;
}

/** Later moves win: what was left again was left for the later reason. */
export function markLeavings(leavings: readonly Leaving[], { turns, turnOf, branches }: LeavingPlaces): void {
  for (const { from, to, cause, summary } of leavings) {
    if (from < 0) continue;
    const shared = branches.commonAncestor(from, to);
    if (shared === branches.conversationAt(from)) continue;
    const stop = shared < 0 ? -1 : (turnOf[shared] as number);
    const first = turnOf[from] as number;
    for (let t = first; t >= 0; t = (turns[t] as TurnDraft).parent) {
      // A turn that is shared was left only if its own end was.
      if (t === stop && t !== first) break;
      const turn = turns[t] as TurnDraft;
      turn.isLeft = true;
      turn.leftBy = cause;
      if (summary !== undefined) turn.summary = summary;
      if (t === stop) break;
    }
  }
}
