/** Merges another branch into this one. */
import { type BranchSummaryEntry, type EntryId, Kind, kindOf, type SessionEntry } from "@bough/session/entry/index.js";
import { entryNotFound } from "@bough/session/entry/internal.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { pathBelow, upwards } from "@bough/session/session/internal.js";
import { isRecord } from "@bough/session/text/index.js";
import { AgentError } from "../agent-error.js";
import type { AgentParts, OperationOptions } from "../agent-parts.js";
import type { Position } from "../move/move-history.js";
import { recordSpend } from "../summary/record-spend.js";
import { type BranchSummary, summarizeBranch } from "../summary/summarize-branch.js";
import { appendCopies, copiedOn, isCopyable } from "./copied-entries.js";
import { wholePair } from "./tool-pairs.js";

export interface MergeRequest {
  /** The tip of the branch to merge. */
  readonly tipId: EntryId;
  /** `true` (default) merges as a summary, `false` as the turns themselves. */
  readonly summarize?: boolean;
  readonly customInstructions?: string | undefined;
}

export type MergePlan =
  /** Everything after the split was already merged. */
  | { readonly kind: "unchanged" }
  | {
      readonly kind: "merge";
      readonly tipId: EntryId;
      readonly splitId: Position;
      /** What came after the split and was not merged before, oldest first. */
      readonly entries: readonly SessionEntry[];
    };

export type MergeOutcome =
  | { readonly kind: "done"; readonly ids: readonly EntryId[]; readonly summaryEntry?: BranchSummaryEntry }
  | { readonly kind: "unchanged" }
  | { readonly kind: "aborted" };

/**
 * What a merge would bring. Reads only. Throws `Entry <id> not found`, and `not-on-another-branch` for a tip of this path.
 *
 *     a ─ b ─ c ─ d*        merging f brings e f
 *          └─ e ─ f ─ g     merging g later brings g
 */
export function planMerge(session: SessionManager, tipId: EntryId): MergePlan {
  if (session.getEntry(tipId) === undefined) throw entryNotFound(tipId);
  const splitId = session.getCommonAncestorId(session.getLeafId(), tipId);
  if (splitId === tipId) {
    throw new AgentError("not-on-another-branch", `This entry is already on this path: ${tipId}`, {
      data: { tipId },
      hint: "Name the end of another branch.",
    });
  }
  const path = session.getBranch();
  const brought = copiedOn(path, session);
  for (const entry of path) {
    const merged = mergedBy(entry);
    // A summary covers everything from its tip up to this path.
    if (merged !== undefined) for (const id of idsAbove(session, merged, splitId)) brought.add(id);
  }
  const entries = pathBelow(session, tipId, splitId).filter(({ id }) => !brought.has(id));
  return entries.some(isCopyable) ? { kind: "merge", tipId, splitId, entries } : { kind: "unchanged" };
}

/** Merges turn by turn: copies of the branch's messages, tool pairs whole, with a record of their origin. */
function applyMergeTurns(parts: Pick<AgentParts, "session" | "emit">, plan: MergePlan): MergeOutcome {
  if (plan.kind === "unchanged") return plan;
  const fresh = new Set(plan.entries.map(({ id }) => id));
  const ids: EntryId[] = [];
  const taken = new Set<EntryId>();
  for (const entry of plan.entries) {
    if (!isCopyable(entry) || taken.has(entry.id)) continue;
    const group = wholePair(parts.session, entry).filter(({ id }) => fresh.has(id));
    for (const { id } of group) taken.add(id);
    ids.push(...appendCopies(parts.session, group, { via: "merge", tipId: plan.tipId }));
  }
  parts.emit({ type: "entries", ids });
  return { kind: "done", ids };
}

/** Merges as a summary. If it is stopped or fails, nothing is stored. Throws like `summarizeBranch`. */
async function applyMergeSummary(
  parts: AgentParts,
  plan: MergePlan,
  options: OperationOptions & Pick<MergeRequest, "customInstructions">,
): Promise<MergeOutcome> {
  if (plan.kind === "unchanged") return plan;
  const { customInstructions, signal } = options;
  // A compaction's summary covers what is above it.
  const start = Math.max(
    0,
    plan.entries.findLastIndex((entry) => kindOf(entry) === Kind.compaction),
  );
  const entries = plan.entries.slice(start);
  const made = await summarizeBranch(parts, { purpose: "merge", entries, customInstructions, signal });
  if (made.kind === "nothing") return { kind: "unchanged" };
  if (made.kind === "aborted") return { kind: "aborted" };
  const summaryEntry = appendMergeSummary(parts.session, plan.tipId, made);
  parts.emit({ type: "entries", ids: [summaryEntry.id] });
  return { kind: "done", ids: [summaryEntry.id], summaryEntry };
}

/** Plans and applies. */
export async function mergeBranch(parts: AgentParts, request: MergeRequest & OperationOptions): Promise<MergeOutcome> {
  const plan = planMerge(parts.session, request.tipId);
  if (request.signal.aborted) return { kind: "aborted" };
  return request.summarize === false ? applyMergeTurns(parts, plan) : applyMergeSummary(parts, plan, request);
}

function appendMergeSummary(
  session: SessionManager,
  tipId: EntryId,
  made: Extract<BranchSummary, { kind: "done" }>,
): BranchSummaryEntry {
  const leafId = session.getLeafId();
  let id: EntryId;
  try {
    // Seen from the tip, moving here with a summary is a plain move: the entry then names the tip as its origin.
    session.branch(tipId);
    id = session.branchWithSummary(leafId, made.summary, { ...made.details, mergedTipId: tipId });
  } catch (error) {
    if (session.getLeafId() === tipId) {
      if (leafId === null) session.resetLeaf();
      else session.branch(leafId);
    }
    throw error;
  }
  recordSpend(session, { kind: "merge", ...made.spend });
  return session.getEntry(id) as BranchSummaryEntry;
}

/** The tip that was merged as a summary; undefined for any other entry, including summaries of plain moves. */
function mergedBy(entry: SessionEntry): EntryId | undefined {
  if (entry.type !== "branch_summary" || !isRecord(entry.details)) return undefined;
  const { mergedTipId } = entry.details;
  return typeof mergedTipId === "string" ? mergedTipId : undefined;
}

function* idsAbove(session: SessionManager, fromId: EntryId, untilId: Position): Generator<EntryId> {
  for (const { id } of upwards(session, fromId)) {
    if (id === untilId) return;
    yield id;
  }
}
