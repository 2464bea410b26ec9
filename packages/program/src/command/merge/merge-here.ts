/** Merge and cherry-pick: the outcome of another branch, or chosen entries, and what they changed in files if wanted. */
import type { BringFilesOptions, CherryPickOutcome, MergeOutcome } from "@bough/agent/agent/index.js";
import { planMerge } from "@bough/agent/agent/plan.js";
import type { EntryId } from "@bough/session/entry/index.js";
import { defined, joinNotices } from "@bough/session/text/index.js";
import { branchAt, currentBranch } from "../branch-facts.js";
import type { CommandContext, CommandOutcome } from "../command.js";
import { broughtFilesNotice, conflictsNotice } from "../files/file-sentences.js";
import { asOutcome, isSummaryFailure, summaryFailureReason, unchanged } from "../outcome.js";
import {
  branchWords,
  type MergeFacts,
  mergedSentence,
  noSummarySentence,
  nothingPickedSentence,
  pickedSentence,
  SENTENCES,
} from "../sentences.js";
import { decideBroughtFiles } from "./decide-brought-files.js";

interface FilesRequest {
  /** Bring file changes too, or not. Default: the setting `files.onMerge`. */
  readonly files?: "follow" | "stay" | undefined;
}

interface MergeHereRequest extends FilesRequest {
  /** The tip of the branch to merge. */
  readonly tipId: EntryId;
  readonly as?: "summary" | "turns";
  readonly instructions?: string | undefined;
}

/** Copies entries to the leaf; tool calls bring their results. Doing it twice adds nothing. */
export function cherryPickHere(
  context: CommandContext,
  ids: readonly EntryId[],
  { files: wanted }: FilesRequest = {},
): Promise<CommandOutcome> {
  return asOutcome(async () => {
    const { agent } = context;
    const onto = currentBranch(agent.session);
    const plan = () => agent.planCherryPickFiles(ids);
    const files = await decideBroughtFiles(context, { about: "cherry-pick", target: "picked", wanted, plan });
    if (files === undefined) return unchanged(SENTENCES.stayed);
    const outcome: CherryPickOutcome = await agent.cherryPick(ids, files);
    switch (outcome.kind) {
      case "aborted":
        return unchanged(SENTENCES.still(onto));
      case "unchanged":
        return unchanged(nothingPickedSentence(outcome.skipped));
      case "conflicts":
        return unchanged(conflictsNotice(outcome.conflicts), "merge-conflicts");
      case "done": {
        const { ids: added, skipped, files: moved } = outcome;
        return {
          kind: "done",
          // What is added within a branch starts another one.
          ...joinNotices(
            pickedSentence(added.length, currentBranch(agent.session), skipped),
            broughtFilesNotice(moved, files),
          ),
          data: { ids: added, skipped, ...defined({ files: moved }) },
        };
      }
    }
  });
}

/**
 * Merges what came after the split, as a summary or as turns. If the summary fails, the user can retry or go without
 * it.
 */
export function mergeHere(context: CommandContext, request: MergeHereRequest): Promise<CommandOutcome> {
  return asOutcome(async () => {
    const { agent, front } = context;
    const { tipId, instructions, files: wanted } = request;
    const from = branchAt(agent.session, tipId);
    const onto = currentBranch(agent.session);
    // What is not on another branch is refused before anything is asked.
    planMerge(agent.session, tipId);
    const plan = () => agent.planMergeFiles(tipId);
    const target = branchWords(from);
    const files = await decideBroughtFiles(context, { about: "merge", target, branch: from, wanted, plan });
    if (files === undefined) return unchanged(SENTENCES.stayed);
    for (let as = request.as ?? "summary"; ; ) {
      try {
        const options = { summarize: as === "summary", customInstructions: instructions, ...files };
        const outcome = await agent.merge(tipId, options);
        // What is added within a branch starts another one.
        const into = outcome.kind === "done" ? currentBranch(agent.session) : onto;
        return merged(outcome, { from, onto: into, as, ...files });
      } catch (error) {
        if (!isSummaryFailure(error)) throw error;
        const sentence = noSummarySentence(summaryFailureReason(error), onto);
        if (!front.canAsk) return unchanged(sentence, error.code);
        const next = await front.askFailed(sentence, "turns");
        if (next === "stay") return unchanged(SENTENCES.stayed);
        if (next === "without") as = "turns";
      }
    }
  });
}

function merged(outcome: MergeOutcome, facts: MergeFacts & Pick<BringFilesOptions, "conflicts">): CommandOutcome {
  switch (outcome.kind) {
    case "aborted":
      return unchanged(SENTENCES.still(facts.onto));
    case "unchanged":
      return unchanged(SENTENCES.mergedBefore);
    case "conflicts":
      return unchanged(conflictsNotice(outcome.conflicts), "merge-conflicts");
    case "done": {
      const { ids, files } = outcome;
      const said = ids.length === 0 ? SENTENCES.mergedBefore : mergedSentence(facts);
      return {
        kind: "done",
        ...joinNotices(said, broughtFilesNotice(files, facts)),
        data: { ids, ...defined({ files }) },
      };
    }
  }
}
