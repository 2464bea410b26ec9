/**
 * Marks the turns that a move abandoned, and why.
 *
 *     a ─ b ─ c ─ d          a move from d to b abandons the turns of c and d
 *         └─ e
 */
import type { BranchIndex } from "@bough/session/tree/index.js";
import type { TurnDraft } from "./turn-draft.js";

/** A move found in the log: a position record, a branch summary, or an entry that does not follow the leaf. */
export interface Departure {
  readonly from: number;
  readonly to: number;
  readonly cause: string | undefined;
  readonly summary: number | undefined;
}

interface SessionTurns {
  readonly turns: readonly TurnDraft[];
  readonly turnOf: Int32Array;
  readonly branches: BranchIndex;
}

/** The last move away from a turn determines the reason. */
export function markAbandoned(departures: readonly Departure[], { turns, turnOf, branches }: SessionTurns): void {
  for (const { from, to, cause, summary } of departures) {
    if (from < 0) continue;
    const shared = branches.commonAncestor(from, to);
    if (shared === branches.conversationAt(from)) continue;
    const stop = shared < 0 ? -1 : (turnOf[shared] as number);
    const first = turnOf[from] as number;
    for (let t = first; t >= 0; t = (turns[t] as TurnDraft).parent) {
      // A turn that contains the common ancestor is abandoned only if the move started in it.
      if (t === stop && t !== first) break;
      const turn = turns[t] as TurnDraft;
      turn.isLeft = true;
      turn.leftBy = cause;
      if (summary !== undefined) turn.summary = summary;
      if (t === stop) break;
    }
  }
}
