import { type EntryId, type FileDetails, Kind, kindOf, type SessionEntry } from "@bough/session/entry/index.js";
import { upwards, type WalkedSession } from "@bough/session/session/internal.js";
import type { AgentParts } from "../agent-parts.js";
import { editsOn } from "../compaction/context-edits.js";
import { fileBlocks, filesTouched } from "./file-tracking.js";
import { summaryBudget } from "./summary-budget.js";
import { type SummaryPurpose, summaryPrompt } from "./summary-prompt.js";
import { summaryText } from "./summary-text.js";
import { type SummarySpend, writeSummary } from "./write-summary.js";

/**
 * What a summary of a left branch represents, oldest first: from the old leaf back to the common ancestor, or to a
 * compaction met first. The compaction itself is among them, because its summary speaks for what is above it.
 *
 *     a ─ b ─ c ─ d*            leaving d for g: c d
 *          └─ g
 *     a ─ b ─ c ─ [compaction] ─ d*      [compaction] d
 */
export function entriesToSummarize(
  session: WalkedSession,
  left: { readonly oldLeafId: EntryId | null; readonly commonAncestorId: EntryId | null },
): SessionEntry[] {
  const entries: SessionEntry[] = [];
  for (const entry of upwards(session, left.oldLeafId)) {
    if (entry.id === left.commonAncestorId) break;
    entries.push(entry);
    if (kindOf(entry) === Kind.compaction) break;
  }
  return entries.reverse();
}

interface BranchSummaryRequest {
  readonly purpose: Extract<SummaryPurpose, "branch" | "merge">;
  /** Oldest first. */
  readonly entries: readonly SessionEntry[];
  readonly customInstructions?: string | undefined;
  readonly replaceInstructions?: boolean | undefined;
  readonly signal: AbortSignal;
}

export type BranchSummary =
  | { readonly kind: "done"; readonly summary: string; readonly details: FileDetails; readonly spend: SummarySpend }
  /** The entries have no content, so the model was not called. */
  | { readonly kind: "nothing" }
  | { readonly kind: "aborted" };

/** Has the model summarize a branch. Stores nothing; throws like `writeSummary`. */
export async function summarizeBranch(parts: AgentParts, request: BranchSummaryRequest): Promise<BranchSummary> {
  const { entries, purpose, customInstructions, replaceInstructions, signal } = request;
  const conversation = summaryText(entries, { edits: editsOn(entries), ...summaryBudget(parts.model?.info) });
  if (conversation === "") return { kind: "nothing" };
  const prompt = summaryPrompt({ purpose, conversation, customInstructions, replaceInstructions });
  const written = await writeSummary(parts, { purpose: "branch", prompt, signal });
  if (written.kind === "aborted") return written;
  const details = filesTouched(entries);
  const summary = [written.text, fileBlocks(details)].filter((part) => part !== "").join("\n\n");
  return { kind: "done", summary, details, spend: written.spend };
}
