/** Merge and cherry-pick: the outcome of another branch, or chosen entries. Files on disk are never touched. */
import type { CherryPickOutcome, MergeOutcome } from "@bough/agent/agent/index.js";
import type { EntryId } from "@bough/session/entry/index.js";
import { counted } from "@bough/session/text/index.js";
import { branchAt, currentBranch } from "../branch-facts.js";
import type { CommandContext, CommandOutcome } from "../command.js";
import { asOutcome, isSummaryFailure, summaryFailureReason, unchanged } from "../outcome.js";
import {
  broughtWords,
  type MergeFacts,
  mergedSentence,
  noSummarySentence,
  nothingPickedSentence,
  pickedSentence,
  SENTENCES,
} from "../sentences.js";
import { rememberBrought } from "./last-merge.js";

interface MergeHereRequest {
  /** The tip of the branch to merge. */
  readonly tipId: EntryId;
  readonly as?: "summary" | "turns";
  readonly instructions?: string | undefined;
}

/** Copies entries to the leaf; tool calls bring their results. Doing it twice adds nothing. */
export function cherryPickHere({ agent }: CommandContext, ids: readonly EntryId[]): Promise<CommandOutcome> {
  return asOutcome(async () => {
    const onto = currentBranch(agent.session);
    const before = agent.session.getLeafId();
    const outcome: CherryPickOutcome = await agent.cherryPick(ids);
    if (outcome.kind === "aborted") return unchanged(SENTENCES.still(onto));
    if (outcome.kind === "unchanged") return unchanged(nothingPickedSentence(outcome.skipped));
    const { ids: added, skipped } = outcome;
    rememberBrought(agent, { what: counted(added.length, "copied entry", "copied entries"), before });
    return { kind: "done", message: pickedSentence(added.length, onto, skipped), data: { ids: added, skipped } };
  });
}

/**
 * Merges what came after the split, as a summary or as turns. If the summary fails, the user can retry or go without
 * it.
 */
export function mergeHere(context: CommandContext, request: MergeHereRequest): Promise<CommandOutcome> {
  return asOutcome(async () => {
    const { agent, front } = context;
    const { tipId, instructions } = request;
    const from = branchAt(agent.session, tipId);
    const onto = currentBranch(agent.session);
    const before = agent.session.getLeafId();
    for (let as = request.as ?? "summary"; ; ) {
      try {
        const outcome = await agent.merge(tipId, { summarize: as === "summary", customInstructions: instructions });
        if (outcome.kind === "done") rememberBrought(agent, { what: broughtWords({ from, as }), before });
        return merged(outcome, { from, onto, as });
      } catch (error) {
        if (!isSummaryFailure(error)) throw error;
        const sentence = noSummarySentence(summaryFailureReason(error), onto);
        if (!front.canAsk) return unchanged(sentence, error.code);
        const next = await front.askFailed(sentence);
        if (next === "stay") return unchanged(SENTENCES.stayed);
        if (next === "without") as = "turns";
      }
    }
  });
}

function merged(outcome: MergeOutcome, facts: MergeFacts): CommandOutcome {
  if (outcome.kind === "aborted") return unchanged(SENTENCES.still(facts.onto));
  if (outcome.kind === "unchanged") return unchanged(SENTENCES.mergedBefore);
  return { kind: "done", message: mergedSentence(facts), data: { ids: outcome.ids } };
}
