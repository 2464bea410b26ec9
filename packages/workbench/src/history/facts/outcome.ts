/** How turns ended, computed from last to first: a later success on the same line of work counts for earlier turns. */
import type { Outcome, Place } from "./facts.js";
import type { TurnDraft } from "./turn-draft.js";

/** Causes of moves that undo what was done. */
const UNDOING: ReadonlySet<string> = new Set(["undo", "pop"]);

/** One outcome per turn, in the same order. Parents must come before their children. */
export function outcomesOf(turns: readonly TurnDraft[], placeOf: (turn: TurnDraft) => Place): Outcome[] {
  /** Whether a later turn of the same line passed its check, and whether one ended without an error. */
  const passedLater = new Uint8Array(turns.length);
  const endedLater = new Uint8Array(turns.length);
  const outcomes: Outcome[] = new Array(turns.length);
  for (let t = turns.length - 1; t >= 0; t--) {
    const turn = turns[t] as TurnDraft;
    outcomes[t] = outcomeOf(turn, {
      place: placeOf(turn),
      passedLater: passedLater[t] === 1,
      endedLater: endedLater[t] === 1,
    });
    const above = turns[turn.parent];
    if (above === undefined || turn.parent >= t || !isSameLine(turn, above, placeOf)) continue;
    if (turn.check?.failed === false || passedLater[t] === 1) passedLater[turn.parent] = 1;
    if ((turn.stopped === undefined && turn.answer !== "") || endedLater[t] === 1) endedLater[turn.parent] = 1;
  }
  return outcomes;
}

function isSameLine(turn: TurnDraft, above: TurnDraft, placeOf: (turn: TurnDraft) => Place): boolean {
  return turn.branch === above.branch || placeOf(turn) !== "left";
}

interface Ending {
  readonly place: Place;
  readonly passedLater: boolean;
  readonly endedLater: boolean;
}

function outcomeOf(turn: TurnDraft, { place, passedLater, endedLater }: Ending): Outcome {
  const isLeft = place === "left" && !turn.merged;
  if (isLeft && turn.leftBy !== undefined && UNDOING.has(turn.leftBy)) return "undone";
  if (!isLeft && turn.restoredPaths.size > 0 && turn.restoredPaths.size >= turn.changed.size) return "undone";
  if (turn.check?.failed === true && !passedLater) return "failed-check";
  if ((turn.stopped !== undefined || turn.lastToolFailed) && !endedLater) return "error";
  return isLeft ? "left" : "kept";
}
