/** Merges another branch into this one. */
import { type BranchSummaryEntry, type EntryId, Kind, kindOf, type SessionEntry } from "@bough/session/entry/index.js";
import { entryNotFound } from "@bough/session/entry/internal.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { pathBelow, upwards } from "@bough/session/session/internal.js";
import { defined } from "@bough/session/text/index.js";
import type { SessionFiles } from "@bough/workbench/checkpoint/index.js";
import type { MovedFiles } from "../../extension/index.js";
import { AgentError } from "../agent-error.js";
import type { AgentParts, OperationOptions } from "../agent-parts.js";
import type { Position } from "../move/move-history.js";
import { recordSpend } from "../summary/record-spend.js";
import { type BranchSummary, summarizeBranch } from "../summary/summarize-branch.js";
import { type BringFilesOptions, type ConflictsOutcome, FilesToBring } from "./bring-files.js";
import { appendCopies, copiedOn, isCopyable } from "./copied-entries.js";
import { mergedBy } from "./merged-by.js";
import { wholePair } from "./tool-pairs.js";

export interface MergeRequest extends BringFilesOptions {
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
  | {
      readonly kind: "done";
      readonly ids: readonly EntryId[];
      readonly summaryEntry?: BranchSummaryEntry;
      /** Absent if files are not recorded, or if there was nothing to bring. */
      readonly files?: MovedFiles;
    }
  | ConflictsOutcome
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

/** What a merge adds to the conversation, ready to be written. */
type Words =
  | { readonly kind: "ready"; readonly append: () => Pick<MergeDone, "ids" | "summaryEntry"> }
  | { readonly kind: "nothing" | "aborted" };

type MergeDone = Extract<MergeOutcome, { kind: "done" }>;

/** Turn by turn: copies of the branch's messages, tool pairs whole, with a record of their origin. */
function turnsOf({ session }: Pick<AgentParts, "session">, plan: MergePlan): Words {
  if (plan.kind === "unchanged") return { kind: "nothing" };
  const append = () => {
    const fresh = new Set(plan.entries.map(({ id }) => id));
    const ids: EntryId[] = [];
    const taken = new Set<EntryId>();
    for (const entry of plan.entries) {
      if (!isCopyable(entry) || taken.has(entry.id)) continue;
      const group = wholePair(session, entry).filter(({ id }) => fresh.has(id));
      const more = taken.size === 0 ? {} : ({ continues: true } as const);
      for (const { id } of group) taken.add(id);
      ids.push(...appendCopies(session, group, { via: "merge", tipId: plan.tipId, ...more }));
    }
    return { ids };
  };
  return { kind: "ready", append };
}

/** A summary that a model writes. Throws like `summarizeBranch`. */
async function summaryOf(
  parts: AgentParts,
  plan: MergePlan,
  options: OperationOptions & Pick<MergeRequest, "customInstructions">,
): Promise<Words> {
  if (plan.kind === "unchanged") return { kind: "nothing" };
  const { customInstructions, signal } = options;
  // A compaction's summary covers what is above it.
  const start = Math.max(
    0,
    plan.entries.findLastIndex((entry) => kindOf(entry) === Kind.compaction),
  );
  const entries = plan.entries.slice(start);
  const made = await summarizeBranch(parts, { purpose: "merge", entries, customInstructions, signal });
  if (made.kind !== "done") return made;
  const append = () => {
    const summaryEntry = appendMergeSummary(parts.session, plan.tipId, made);
    return { ids: [summaryEntry.id], summaryEntry };
  };
  return { kind: "ready", append };
}

/**
 * Plans and applies. Words and files are written together, at the end: a summary that is stopped or fails, a conflict
 * without an answer or a file that cannot be written leaves everything as it was.
 */
export async function mergeBranch(parts: AgentParts, request: MergeRequest & OperationOptions): Promise<MergeOutcome> {
  const { tipId, summarize = true, customInstructions, signal, ...answers } = request;
  const plan = planMerge(parts.session, tipId);
  if (signal.aborted) return { kind: "aborted" };
  const planWith = (opened: SessionFiles) => opened.planMerge(tipId, { signal });
  const files = await FilesToBring.plan(parts, { ...answers, planWith, targetId: tipId, signal });
  if (files.unanswered !== undefined) return files.unanswered;
  await files.askExtensions();
  const words = summarize ? await summaryOf(parts, plan, { customInstructions, signal }) : turnsOf(parts, plan);
  if (words.kind === "aborted" || signal.aborted) return { kind: "aborted" };
  if (summarize && words.kind === "ready") await files.planAgain();
  if (words.kind === "nothing" && !files.hasChanges) return { kind: "unchanged" };
  let added: ReturnType<Extract<Words, { kind: "ready" }>["append"]> = { ids: [] };
  const moved = await files.bring(() => {
    if (words.kind === "ready") added = words.append();
    // The conversation is here already; the record is where undoing the files goes back to.
    else appendCopies(parts.session, [], { via: "merge", tipId });
    parts.emit({ type: "entries", ids: added.ids });
  });
  return { kind: "done", ...added, ...defined({ files: moved }) };
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

function* idsAbove(session: SessionManager, fromId: EntryId, untilId: Position): Generator<EntryId> {
  for (const { id } of upwards(session, fromId)) {
    if (id === untilId) return;
    yield id;
  }
}
