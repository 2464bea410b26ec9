/**
 * Moving inside one session: plan it, ask extensions, summarize what is left, move, report.
 *
 * How it works. A move changes the leaf and adds at most a summary; it never removes anything. `planNavigate` only reads:
 * where the leaf would be (a prompt means just before it, its text goes to the editor), what is left behind, and back to
 * which common ancestor. `applyNavigate` then asks extensions with `session_before_tree`, which may cancel, steer the
 * summary or bring their own. The summary is written by the model before anything moves, so a failure, a cancellation
 * or Esc leaves the session exactly as it was. Only then `moveWithFiles` restores files, if wanted, and in the middle
 * of it, when all is prepared and nothing has changed yet, `moveLeaf` appends the summary and records the new position.
 * Last come the label and `session_tree`, which is told about cancelled moves too. Undo, redo, `/pop` and `/switch` are
 * this same flow with another target; forks, merges and compactions have the same four steps: plan, ask, apply, report.
 */
import { type BranchSummaryEntry, entryText, type MoveCause, type SessionEntry } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { defined } from "@bough/session/text/index.js";
import { planMove } from "@bough/session/tree/index.js";
import type { NavigateOptions, NavigateResult, TreePreparation } from "../../extension/index.js";
import type { AgentParts, OperationOptions } from "../agent-parts.js";
import { moveWithFiles } from "../files/move-files.js";
import { entriesToSummarize, summarizeBranch } from "../summary/summarize-branch.js";
import { requireModel } from "../turn/stream-step.js";
import { askBeforeTree, type BeforeTreeDecision } from "./ask-before-tree.js";
import type { Position } from "./move-history.js";
import { type MoveSummary, moveLeaf, ROOT_ID } from "./move-leaf.js";

export interface NavigateRequest extends NavigateOptions {
  /** `null` is the position before the first entry; only an exact move can go there. */
  readonly targetId: Position;
  /** How the move counts in the history. */
  readonly as?: "move" | "undo" | "redo";
}

export type NavigatePlan =
  /** The target is already the leaf. */
  | { readonly kind: "stay" }
  | {
      readonly kind: "move";
      readonly preparation: TreePreparation;
      readonly newLeafId: Position;
      readonly editorText: string | undefined;
      readonly as: "move" | "undo" | "redo";
      readonly cause: MoveCause;
      /** What happens to the files. */
      readonly files: Pick<NavigateOptions, "files" | "conflicts" | "protected">;
    };

type Move = Extract<NavigatePlan, { kind: "move" }>;
export type PlannedSession = Pick<SessionManager, "getCommonAncestorId" | "getEntry" | "getSource">;

/** What a move would do. Reads only. Throws `Entry <id> not found`. */
export function planNavigate(session: PlannedSession, request: NavigateRequest): NavigatePlan {
  const source = session.getSource();
  const { from, to, target, before } = planMove(source, {
    target: request.targetId,
    place: request.place ?? "selected",
  });
  if (target === from) return { kind: "stay" };
  const idAt = (n: number): Position => (n < 0 ? null : source.tree.ids.textOf(n));
  const [oldLeafId, newLeafId] = [idAt(from), idAt(to)];
  const { customInstructions, replaceInstructions, label } = request;
  let left: readonly SessionEntry[] | undefined;
  // Seen from the new position: moving before a prompt of this path leaves the prompt too, so a summary has to cover
  // it.
  const commonAncestorId = session.getCommonAncestorId(oldLeafId, newLeafId);
  return {
    kind: "move",
    preparation: {
      targetId: idAt(target) ?? ROOT_ID,
      oldLeafId,
      commonAncestorId,
      // Read on demand: a long move without a summary costs nothing.
      get entriesToSummarize() {
        left ??= entriesToSummarize(session, { oldLeafId, commonAncestorId });
        return left;
      },
      userWantsSummary: request.summarize === true,
      customInstructions,
      replaceInstructions,
      label,
    },
    newLeafId,
    // An empty prompt has no text for the editor, but the leaf still moves before it.
    editorText: before ? entryText(source.entryAt(target)) : undefined,
    as: request.as ?? "move",
    cause: request.cause ?? "tree",
    files: { files: request.files, conflicts: request.conflicts, protected: request.protected },
  };
}

/**
 * Applies the plan. If an extension, the user or a failing model stops it, the leaf stays and nothing is stored;
 * `session_tree` is emitted either way. Throws `no-model` if a summary is requested and no model can write it, and
 * `summary-failed` or `summary-cut-off`.
 */
export async function applyNavigate(
  parts: AgentParts,
  plan: NavigatePlan,
  options: OperationOptions,
): Promise<NavigateResult> {
  if (plan.kind === "stay") return { kind: "unchanged", cancelled: false };
  if (plan.preparation.userWantsSummary) requireModel(parts);
  const decision = await askBeforeTree(parts, plan.preparation, options);
  const { cancellation } = decision;
  if (cancellation.cancelled) return stopped(parts, plan, { aborted: false, by: cancellation.by });
  if (options.signal.aborted) return stopped(parts, plan, { aborted: true });
  let summary: MoveSummary | "aborted" | undefined;
  try {
    summary = await summaryFor(parts, plan, { decision, signal: options.signal });
  } catch (error) {
    await stopped(parts, plan, { aborted: false });
    throw error;
  }
  if (summary === "aborted") return stopped(parts, plan, { aborted: true });
  return moved(parts, plan, { summary, label: decision.label, signal: options.signal });
}

/** Plans and applies. */
export async function navigate(
  parts: AgentParts,
  request: NavigateRequest & OperationOptions,
): Promise<NavigateResult> {
  return applyNavigate(parts, planNavigate(parts.session, request), request);
}

interface Decided extends OperationOptions {
  readonly decision: BeforeTreeDecision;
}

async function summaryFor(
  parts: AgentParts,
  plan: Move,
  { decision, signal }: Decided,
): Promise<MoveSummary | "aborted" | undefined> {
  const supplied = decision.summary;
  if (supplied !== undefined) return { text: supplied.summary, details: supplied.details, fromHook: true };
  if (!decision.wantsSummary) return undefined;
  const entries = plan.preparation.entriesToSummarize;
  if (entries.length === 0) return undefined;
  requireModel(parts);
  const { customInstructions, replaceInstructions } = decision;
  const made = await summarizeBranch(parts, {
    purpose: "branch",
    entries,
    customInstructions,
    replaceInstructions,
    signal,
  });
  if (made.kind === "aborted") return "aborted";
  if (made.kind === "nothing") return undefined;
  return { text: made.summary, details: made.details, fromHook: false, spend: made.spend };
}

interface Ending {
  readonly summary: MoveSummary | undefined;
  readonly label: string | undefined;
  readonly signal: AbortSignal;
}

async function moved(parts: AgentParts, plan: Move, { summary, label, signal }: Ending): Promise<NavigateResult> {
  const { session } = parts;
  const { targetId, oldLeafId } = plan.preparation;
  const { newLeafId, as, cause } = plan;
  let summaryEntry: BranchSummaryEntry | undefined;
  const files = await moveWithFiles(parts, { to: newLeafId, ...plan.files, signal }, () => {
    summaryEntry = moveLeaf(parts, { newLeafId, summary, as, cause });
  });
  const labelled = summaryEntry?.id ?? targetId;
  if (label !== undefined && label !== "" && labelled !== ROOT_ID) session.appendLabelChange(labelled, label);
  const { editorText } = plan;
  const fromHook = summary?.fromHook === true;
  await parts.hooks.emit<"session_tree">({
    type: "session_tree",
    newLeafId: session.getLeafId(),
    oldLeafId,
    targetId,
    summaryEntry,
    editorText,
    fromHook,
    fromExtension: fromHook,
    cancelled: false,
    aborted: false,
  });
  return { kind: "done", cancelled: false, ...defined({ summaryEntry, editorText, files }) };
}

async function stopped(
  parts: AgentParts,
  plan: Move,
  { aborted, by }: { readonly aborted: boolean; readonly by?: string | undefined },
): Promise<NavigateResult> {
  const { oldLeafId, targetId } = plan.preparation;
  await parts.hooks.emit<"session_tree">({
    type: "session_tree",
    newLeafId: oldLeafId,
    oldLeafId,
    targetId,
    fromHook: false,
    fromExtension: false,
    cancelled: true,
    aborted,
  });
  return {
    kind: aborted ? "aborted" : "cancelled",
    cancelled: true,
    ...defined({ cancelledBy: by, aborted: aborted || undefined }),
  };
}
