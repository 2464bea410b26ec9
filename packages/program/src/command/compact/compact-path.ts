/** Compact the path, and undo that. */
import { planUndoCompaction } from "@bough/agent/agent/plan.js";
import { currentBranch } from "../branch-facts.js";
import type { CommandContext, CommandOutcome } from "../command.js";
import { asOutcome, unchanged } from "../outcome.js";
import { compactedNotice, compactionUndoneNotice, SENTENCES, stoppedByExtension } from "../sentences.js";

/** A summary replaces the older part of the path. The data has what it may have lost. */
export function compactPath({ agent }: CommandContext, instructions?: string): Promise<CommandOutcome> {
  return asOutcome(async () => {
    const outcome = await agent.compact(instructions === "" ? undefined : instructions);
    if (outcome.kind === "aborted") return unchanged(SENTENCES.still(currentBranch(agent.session)));
    if (outcome.kind === "cancelled") {
      return unchanged(stoppedByExtension("Compaction", outcome.by), "stopped-by-extension");
    }
    const { entry, tokensBefore, tokensAfter, loss } = outcome;
    const said = compactedNotice({ tokensBefore, tokensAfter, lost: loss.lost.length });
    return { kind: "done", ...said, data: { entryId: entry.id, tokensBefore, tokensAfter, loss } };
  });
}

/** Moves to just before the last compaction. Nothing is removed: /undo brings it back. */
export function undoLastCompaction({ agent }: CommandContext): Promise<CommandOutcome> {
  return asOutcome(async () => {
    try {
      planUndoCompaction(agent.session);
    } catch (error) {
      if ((error as { readonly code?: unknown }).code === "nothing-to-undo") return unchanged(SENTENCES.noCompaction);
      throw error;
    }
    const { leftBehind } = await agent.undoCompaction();
    return { kind: "done", ...compactionUndoneNotice(leftBehind), data: { leafId: agent.session.getLeafId() } };
  });
}
