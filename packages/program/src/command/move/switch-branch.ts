/** Switches to another branch; nothing goes to the editor. Asks about a summary and about files, as the tree does. */
import type { EntryId } from "@bough/session/entry/index.js";
import { defined } from "@bough/session/text/index.js";
import { planMove } from "@bough/session/tree/index.js";
import { branchAt, currentBranch, endOfBranch } from "../branch-facts.js";
import type { CommandContext, CommandOutcome } from "../command.js";
import { titleOfEntry } from "../entry-title.js";
import { decideFiles } from "../files/decide-files.js";
import { restoreHere } from "../files/restore-here.js";
import { asOutcome, unchanged } from "../outcome.js";
import { SENTENCES, stoppedByExtension, switchedNotice } from "../sentences.js";
import { leftBehindFacts } from "./left-behind.js";
import { decideSummary, moveTo, stopAsking } from "./move-to.js";

interface SwitchBranchRequest {
  readonly entryId: EntryId;
  /** `end` (default): the end of the branch the entry is on. */
  readonly to?: "entry" | "end";
  /** Whether to bring a summary of the branch you leave. `ask` (default): as the setting `branchSummary` says. */
  readonly summary?: "ask" | "none" | "summary";
}

export function switchBranch(
  context: CommandContext,
  { entryId, to = "end", summary }: SwitchBranchRequest,
): Promise<CommandOutcome> {
  return asOutcome(async () => {
    const { agent } = context;
    // By number, so that `#4` and an entry on it lead to the same position, whatever branches off below.
    const end = to === "end" ? endOfBranch(agent.session, branchAt(agent.session, entryId).number) : entryId;
    const targetId = end ?? entryId;
    const plan = planMove(agent.session.getSource(), { target: targetId, place: "exact" });
    if (plan.same) return unchanged(SENTENCES.alreadyHere);
    const left = currentBranch(agent.session);
    const leaving = leftBehindFacts(agent.session, plan);
    const answer = await decideSummary(context, {
      leaving,
      left,
      target: titleOfEntry(agent.session, targetId),
      request: { summary },
    });
    if (answer.kind === "stay") return unchanged(SENTENCES.stayed);
    if (answer.kind === "never") stopAsking(context);
    if (answer.kind === "summary") {
      return moveTo(context, { targetId, place: "exact", summary: "summary", instructions: answer.instructions });
    }
    const decided = await decideFiles(context, {
      to: targetId,
      target: titleOfEntry(agent.session, targetId),
      branch: to === "end" ? branchAt(agent.session, targetId) : undefined,
    });
    if (decided.kind === "stay") return unchanged(SENTENCES.stayed);
    if (decided.kind === "files") return restoreHere(context, { to: targetId, ...decided.files });
    const result = await agent.switchTo(targetId, decided.files);
    if (result.aborted === true) return unchanged(SENTENCES.still(left));
    if (result.cancelled) return unchanged(stoppedByExtension("Move", result.cancelledBy), "stopped-by-extension");
    const leafId = agent.session.getLeafId();
    const here = branchAt(agent.session, leafId);
    return {
      kind: "done",
      ...switchedNotice({
        here,
        left,
        entries: leaving.entries,
        files: { left: leaving.files, moved: result.files },
      }),
      data: { leafId, branch: here.number, ...defined({ files: result.files }) },
    };
  });
}
