/** Taking the last move back, and making it again. */
import type { NavigateResult } from "../../extension/index.js";
import { currentBranch } from "../branch-facts.js";
import type { CommandContext, CommandOutcome } from "../command.js";
import { takeLastMerge } from "../merge/last-merge.js";
import { asOutcome, unchanged } from "../outcome.js";
import { broughtNotMovedSentence, SENTENCES, stoppedByExtension } from "../sentences.js";

/** Says first where the last thing was not a move: an older one must not be undone in its place, unasked. */
export async function undoLastMove(world: CommandContext): Promise<CommandOutcome> {
  const brought = takeLastMerge(world.agent);
  if (brought !== undefined) return unchanged(broughtNotMovedSentence(brought));
  return step(world, () => world.agent.undoMove(), SENTENCES.nothingToUndo);
}

export function redoLastMove(world: CommandContext): Promise<CommandOutcome> {
  return step(world, () => world.agent.redoMove(), SENTENCES.nothingToRedo);
}

function step(world: CommandContext, move: () => Promise<NavigateResult>, nothing: string): Promise<CommandOutcome> {
  return asOutcome(async () => {
    const { session } = world.agent;
    const left = currentBranch(session);
    let result: NavigateResult;
    try {
      result = await move();
    } catch (error) {
      if ((error as { readonly code?: unknown }).code === "nothing-to-undo") return unchanged(nothing);
      throw error;
    }
    if (result.aborted === true) return unchanged(SENTENCES.still(left));
    if (result.cancelled) return unchanged(stoppedByExtension("Move", result.cancelledBy), "stopped-by-extension");
    return { kind: "done", message: SENTENCES.back(currentBranch(session)), data: { leafId: session.getLeafId() } };
  });
}
