/** Compacts a path: a summary replaces its older part. */
import type { CompactionEntry } from "@bough/session/entry/index.js";
import { defined, errorText, isRecord } from "@bough/session/text/index.js";
import type {
  BeforeCompactResult,
  CompactingResult,
  CompactionReason,
  CompactionResult,
} from "../../extension/index.js";
import { AgentError } from "../agent-error.js";
import type { AgentParts, OperationOptions } from "../agent-parts.js";
import { type Cancellation, cancellation } from "../cancellation.js";
import { type LossReport, lossReport } from "../summary/loss-report.js";
import { recordSpend } from "../summary/record-spend.js";
import { summaryBudget } from "../summary/summary-budget.js";
import { joinSummary, summaryBody } from "../summary/summary-parts.js";
import { summaryPrompt } from "../summary/summary-prompt.js";
import { summaryText } from "../summary/summary-text.js";
import { contextTokensInSlices, tokensAfterCompaction } from "../summary/token-estimate.js";
import { type SummarySpend, writeSummary } from "../summary/write-summary.js";
import { requireModel } from "../turn/stream-step.js";
import { type CompactionPlan, planCompactionInSlices } from "./plan-compaction.js";

interface CompactOptions extends OperationOptions {
  /** What the summary should focus on. */
  readonly customInstructions?: string | undefined;
  /** `manual` by default: asked for by a user. */
  readonly reason?: CompactionReason;
}

export type CompactOutcome =
  | {
      readonly kind: "done";
      readonly entry: CompactionEntry;
      /** Tokens of the whole context. */
      readonly tokensBefore: number;
      /** An estimate. */
      readonly tokensAfter: number;
      readonly fromHook: boolean;
      /** Statements the summary may have lost. */
      readonly loss: LossReport;
    }
  /** By the extension that cancelled it. */
  | { readonly kind: "cancelled"; readonly by: string }
  | { readonly kind: "aborted" };

type Compaction = Extract<CompactionPlan, { kind: "compact" }>;

interface MadeSummary {
  readonly result: CompactionResult;
  readonly fromHook: boolean;
  readonly spend?: SummarySpend;
}

/** Whether the context has passed the window minus the reserve. */
export async function needsCompaction(
  parts: Pick<AgentParts, "session" | "model" | "contextWindow" | "compaction">,
): Promise<boolean> {
  const { model, compaction } = parts;
  const window = parts.contextWindow ?? model?.info.contextWindow ?? 0;
  if (!compaction.enabled || !(window > 0)) return false;
  // A reserve larger than a small model's window would compact forever.
  const reserve = Math.min(compaction.reserveTokens, Math.floor(window / 2));
  return (await contextTokensInSlices(parts.session)).tokens > window - reserve;
}

/**
 * Makes the summary and appends the compaction. If an extension, the user or a failing model stops it, nothing is
 * stored. Throws `no-model`, `nothing-to-compact`, `summary-failed` and `summary-cut-off`.
 */
async function applyCompaction(
  parts: AgentParts,
  plan: CompactionPlan,
  options: CompactOptions,
): Promise<CompactOutcome> {
  requireModel(parts);
  if (plan.kind === "nothing") {
    throw new AgentError("nothing-to-compact", "There is nothing on this path to summarize", {
      hint: "At least one turn before the last one is needed.",
    });
  }
  const supplied = await askBeforeCompact(parts, plan, options);
  if (supplied !== undefined && "cancelled" in supplied) {
    return { kind: "cancelled", by: supplied.by ?? "an extension" };
  }
  if (options.signal.aborted) return { kind: "aborted" };
  const made = supplied ?? (await summarize(parts, plan, options));
  return made === "aborted" ? { kind: "aborted" } : store(parts, plan, { ...made, options });
}

/** Plans and applies. */
export async function compact(parts: AgentParts, options: CompactOptions): Promise<CompactOutcome> {
  requireModel(parts);
  try {
    const plan = await planCompactionInSlices(parts.session, parts.compaction);
    const outcome = await applyCompaction(parts, plan, options);
    if (outcome.kind !== "done") await tellFailed(parts, options, { aborted: true });
    return outcome;
  } catch (error) {
    await tellFailed(parts, options, { aborted: options.signal.aborted, errorMessage: errorText(error) });
    throw error;
  }
}

async function tellFailed(
  { hooks }: AgentParts,
  { reason = "manual" }: CompactOptions,
  end: { readonly aborted: boolean; readonly errorMessage?: string },
): Promise<void> {
  if (!hooks.has("session_compact_failed")) return;
  await hooks.emit<"session_compact_failed">({ type: "session_compact_failed", reason, ...end });
}

async function askBeforeCompact(
  parts: AgentParts,
  plan: Compaction,
  { customInstructions, reason = "manual", signal }: CompactOptions,
): Promise<MadeSummary | Extract<Cancellation, { cancelled: true }> | undefined> {
  let said = false;
  const answers = await parts.hooks.emit<"session_before_compact">(
    {
      type: "session_before_compact",
      preparation: plan.preparation,
      previousCompactions: plan.previousCompactions,
      customInstructions,
      // Read on demand: a path may be long.
      get branchEntries() {
        return parts.session.getBranch();
      },
      reason,
      model: requireModel(parts).info,
      signal,
      cancel: () => {
        said = true;
      },
    },
    { signal },
  );
  const results = answers.map(({ result }) => result).filter(isRecord) as readonly BeforeCompactResult[];
  const asked = cancellation(answers, said);
  if (asked.cancelled) return asked;
  const result = results.map(({ compaction }) => compaction).findLast(isCompaction);
  if (result === undefined) return undefined;
  const { summary, details } = result;
  const { pins, firstKeptEntryId, tokensBefore } = plan.preparation;
  const known = parts.session.getBranch().some(({ id }) => id === result.firstKeptEntryId);
  return {
    result: {
      // Pins are kept no matter who writes the summary; file lists are up to the extension.
      summary: joinSummary(summary, { pins, files: { readFiles: [], modifiedFiles: [] } }),
      firstKeptEntryId: known ? result.firstKeptEntryId : firstKeptEntryId,
      tokensBefore: Number.isFinite(result.tokensBefore) ? result.tokensBefore : tokensBefore,
      ...defined({ details }),
    },
    fromHook: true,
  };
}

async function summarize(
  parts: AgentParts,
  plan: Compaction,
  { customInstructions, signal }: CompactOptions,
): Promise<MadeSummary | "aborted"> {
  const { preparation, edits } = plan;
  const { entriesToSummarize, previousSummary, splitTurn, pins, firstKeptEntryId, tokensBefore } = preparation;
  const answers = await parts.hooks.emit<"session.compacting">(
    { type: "session.compacting", preparation, signal },
    { signal },
  );
  if (signal.aborted) return "aborted";
  const prompt = summaryPrompt({
    purpose: "compaction",
    conversation: summaryText(entriesToSummarize, { edits, ...summaryBudget(parts.model?.info) }),
    previousSummary: previousSummary === undefined ? undefined : summaryBody(previousSummary),
    splitTurn,
    customInstructions,
    additions: answers.flatMap(({ result }) => additionsOf(result)),
  });
  const written = await writeSummary(parts, { purpose: "compaction", prompt, signal });
  if (written.kind === "aborted") return "aborted";
  const files = { readFiles: preparation.readFiles, modifiedFiles: preparation.modifiedFiles };
  const summary = joinSummary(written.text, { pins, files });
  return {
    result: { summary, firstKeptEntryId, tokensBefore, details: files },
    fromHook: false,
    spend: written.spend,
  };
}

interface Storing extends MadeSummary {
  readonly options: CompactOptions;
}

async function store(parts: AgentParts, plan: Compaction, made: Storing): Promise<CompactOutcome> {
  const { session } = parts;
  const { result, fromHook, spend, options } = made;
  const { reason = "manual" } = options;
  const { summary, firstKeptEntryId, tokensBefore, details } = result;
  const tokensAfter = tokensAfterCompaction(session, { summary, firstKeptEntryId });
  const id = session.saveEntry({
    type: "compaction",
    summary,
    firstKeptEntryId,
    tokensBefore,
    tokensAfter,
    ...defined({ details }),
    ...(fromHook ? { fromHook } : {}),
  });
  if (spend !== undefined) recordSpend(session, { kind: "compaction", ...spend });
  const entry = session.getEntry(id) as CompactionEntry;
  parts.emit({ type: "compacted", entryId: id, tokensBefore, tokensAfter, automatic: reason !== "manual" });
  const event = { type: "session_compact", compactionEntry: entry, reason, fromHook, fromExtension: fromHook } as const;
  await parts.hooks.emit<"session_compact">(event);
  const { entriesToSummarize: entries, previousSummary } = plan.preparation;
  const loss = lossReport({ entries, previousSummary, summary });
  return { kind: "done", entry, tokensBefore, tokensAfter, fromHook, loss };
}

function isCompaction(value: unknown): value is CompactionResult {
  return isRecord(value) && typeof value.summary === "string" && value.summary.trim() !== "";
}

function additionsOf(result: CompactingResult | undefined): string[] {
  if (!isRecord(result)) return [];
  const { context, prompt } = result as CompactingResult;
  const texts = Array.isArray(context) ? context : [];
  return [...texts, prompt].filter((text) => typeof text === "string");
}
