/** Moving: decide whether to ask about a summary and about files, ask, move, and say what happened. */

import type { NavigateResult } from "@bough/agent/extension/index.js";
import type { MoveFilesOptions } from "@bough/agent/extension/internal.js";
import { CodedError, type EntryId, entryText, type MoveCause } from "@bough/session/entry/index.js";
import { defined } from "@bough/session/text/index.js";
import { type MovePlace, type PlannedMove, planMove } from "@bough/session/tree/index.js";
import type { NamedBranch } from "@bough/session/view/internal.js";
import { branchEndingAt, currentBranch } from "../branch-facts.js";
import type { CommandContext, CommandOutcome, MoveAnswer } from "../command.js";
import { titleOfEntry } from "../entry-title.js";
import { decideFiles } from "../files/decide-files.js";
import { restoreHere } from "../files/restore-here.js";
import { asOutcome, failureNotice, isSummaryFailure, summaryFailureReason, unchanged } from "../outcome.js";
import { movedNotice, noSummarySentence, SENTENCES, stoppedByExtension } from "../sentences.js";
import { type LeftBehindFacts, leftBehindFacts } from "./left-behind.js";

interface MoveToRequest {
  readonly targetId: EntryId;
  /** `selected` by default. */
  readonly place?: MovePlace;
  /**
   * `ask` (default): asks if anything would be summarized, as the settings `branchSummary` and `branchSummaryMinTokens`
   * say. `auto`: brings one then, without asking. `summary` and `none` decide it.
   */
  readonly summary?: "ask" | "none" | "summary" | "auto";
  readonly instructions?: string | undefined;
  /** Label for the summary, or for the target. */
  readonly label?: string | undefined;
  /** Recorded as why the branch that starts there exists; `tree` by default. */
  readonly cause?: MoveCause;
  /** What Enter means in the question; `none` by default. */
  readonly preferred?: "none" | "summary";
  /** What was already decided about files; otherwise it asks. */
  readonly files?: MoveFilesOptions;
}

interface Move {
  readonly request: MoveToRequest;
  readonly plan: PlannedMove;
  readonly left: NamedBranch;
  readonly leaving: LeftBehindFacts;
  readonly target: string;
}

interface DecidedMove extends Move {
  readonly files: MoveFilesOptions;
}

/**
 * Moves there. Never throws failures with codes, notifies no one, and returns the text for the editor in the outcome.
 */
export function moveTo(context: CommandContext, request: MoveToRequest): Promise<CommandOutcome> {
  return asOutcome(async () => {
    const { session } = context.agent;
    const plan = planMove(session.getSource(), { target: request.targetId, place: request.place ?? "selected" });
    if (plan.same) return alreadyThere(context, plan);
    const move: Move = {
      request,
      plan,
      left: currentBranch(session),
      leaving: leftBehindFacts(session, plan),
      target: titleOfEntry(session, request.targetId),
    };
    const answer = await decideSummary(context, { ...move, request });
    if (answer.kind === "stay") return unchanged(SENTENCES.stayed);
    const to = plan.to < 0 ? null : session.getSource().tree.ids.textOf(plan.to);
    const { files } = request;
    const decided =
      files === undefined
        ? await decideFiles(context, {
            to,
            target: move.target,
            before: plan.before,
            branch: plan.before ? undefined : branchEndingAt(session, to),
          })
        : { kind: "go" as const, files };
    if (decided.kind === "stay") return unchanged(SENTENCES.stayed);
    if (answer.kind === "never") stopAsking(context);
    if (decided.kind === "files") return restoreHere(context, { to, ...decided.files });
    const summary = answer.kind === "summary" ? { instructions: answer.instructions } : undefined;
    return perform(context, { ...move, files: decided.files }, summary);
  });
}

/** If the prompt just below the leaf was selected, the position is the same, but its text goes to the editor. */
function alreadyThere({ agent }: CommandContext, { before, target }: PlannedMove): CommandOutcome {
  if (!before) return unchanged(SENTENCES.alreadyHere);
  const editorText = entryText(agent.session.getSource().entryAt(target));
  return { kind: "done", message: SENTENCES.alreadyHere, editorText };
}

interface SummaryDecision extends Pick<Move, "left" | "leaving" | "target"> {
  readonly request: Pick<MoveToRequest, "summary" | "instructions" | "preferred">;
}

/** One rule for every move: whether what is left is summarized, by the request, the settings, or the person's answer. */
export async function decideSummary(context: CommandContext, move: SummaryDecision): Promise<MoveAnswer> {
  const { summary = "ask", instructions, preferred = "none" } = move.request;
  const yes = { kind: "summary", instructions } as const;
  const no = { kind: "none" } as const;
  if (summary === "none" || move.leaving.entries === 0) return no;
  if (summary === "summary") return yes;
  const { branchSummary: setting = "ask", branchSummaryMinTokens: least = 0 } = context.settings.current;
  // Returning with a result is the point of `/pop`, however small it is. Any other move may skip small branches.
  if (preferred === "summary") {
    if (setting !== "ask" || !context.front.canAsk) return yes;
  } else {
    if (move.leaving.tokens < Math.max(1, least) || context.agent.model === undefined) return no;
    if (summary === "auto" || setting === "always") return yes;
    // If it cannot ask, no summary is written, because one costs money.
    if (setting === "never" || !context.front.canAsk) return no;
  }
  const answer = await context.front.askBeforeMove({
    branch: move.left,
    ...move.leaving,
    preferred,
    target: move.target,
  });
  return answer.kind === "summary" ? { ...yes, ...defined(answer) } : answer;
}

/** A settings file that cannot be written must not block the move. */
export function stopAsking({ settings, front }: CommandContext): void {
  try {
    settings.change("branchSummary", "never");
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    front.tell(failureNotice(error), "warning");
  }
}

interface WantedSummary {
  readonly instructions?: string | undefined;
}

async function perform(
  context: CommandContext,
  move: DecidedMove,
  summary: WantedSummary | undefined,
): Promise<CommandOutcome> {
  for (let wanted = summary; ; ) {
    try {
      return said(context, move, await navigate(context, move, wanted));
    } catch (error) {
      if (wanted === undefined || !isSummaryFailure(error)) throw error;
      const sentence = noSummarySentence(summaryFailureReason(error), move.left);
      if (!context.front.canAsk) return unchanged(sentence, error.code);
      const next = await context.front.askFailed(sentence);
      if (next === "stay") return unchanged(SENTENCES.stayed);
      if (next === "without") wanted = undefined;
    }
  }
}

function navigate(
  { agent }: CommandContext,
  move: DecidedMove,
  summary: WantedSummary | undefined,
): Promise<NavigateResult> {
  const { targetId, place = "selected", label, cause = "tree" } = move.request;
  return agent.navigateTree(targetId, {
    place,
    cause,
    summarize: summary !== undefined,
    ...move.files,
    customInstructions: summary?.instructions,
    label,
  });
}

function said({ agent }: CommandContext, move: Move, result: NavigateResult): CommandOutcome {
  if (result.aborted === true) return unchanged(SENTENCES.still(move.left));
  if (result.cancelled) return unchanged(stoppedByExtension("Move", result.cancelledBy), "stopped-by-extension");
  const { target, left, leaving, plan } = move;
  const { editorText, summaryEntry } = result;
  return {
    kind: "done",
    ...movedNotice({
      target,
      before: plan.before,
      left,
      entries: leaving.entries,
      files: { left: leaving.files, moved: result.files },
      withSummary: summaryEntry !== undefined,
    }),
    data: {
      leafId: agent.session.getLeafId(),
      ...defined({ summaryId: summaryEntry?.id, files: result.files }),
    },
    ...defined({ editorText: editorText || undefined }),
  };
}
