import { isRecord } from "@bough/session/text/index.js";
import type { BeforeTreeResult, SummaryResult, TreePreparation } from "../../extension/index.js";
import type { AgentParts, OperationOptions } from "../agent-parts.js";
import { type Cancellation, cancellation } from "../cancellation.js";

/** How extensions changed a move. */
export interface BeforeTreeDecision {
  readonly cancellation: Cancellation;
  readonly wantsSummary: boolean;
  readonly summary: SummaryResult | undefined;
  readonly customInstructions: string | undefined;
  readonly replaceInstructions: boolean | undefined;
  readonly label: string | undefined;
}

/**
 * Asks extensions before a move. They may call the event's methods or return a result; a returned value wins, and the
 * last one of several. A returned `cancel: true` always cancels.
 */
export async function askBeforeTree(
  parts: AgentParts,
  preparation: TreePreparation,
  { signal }: OperationOptions,
): Promise<BeforeTreeDecision> {
  const said = { cancel: false, summarize: preparation.userWantsSummary } as {
    cancel: boolean;
    summarize: boolean;
    instructions?: string;
    replace?: boolean;
  };
  const answers = await parts.hooks.emit<"session_before_tree">(
    {
      type: "session_before_tree",
      preparation,
      signal,
      targetId: preparation.targetId,
      cancel: () => {
        said.cancel = true;
      },
      setSummarize: (summarize) => {
        said.summarize = summarize;
      },
      setCustomInstructions: (instructions) => {
        said.instructions = instructions;
      },
      setReplaceInstructions: (replace) => {
        said.replace = replace;
      },
    },
    { signal },
  );
  // Extensions may be untyped: use only values of the right shape.
  const results = answers.map(({ result }) => result).filter(isRecord) as readonly BeforeTreeResult[];
  const summary = results.map((result) => result.summary).findLast(isSummary);
  return {
    cancellation: cancellation(answers, said.cancel),
    wantsSummary: said.summarize,
    summary,
    customInstructions:
      lastOf(results, "customInstructions", "string") ?? said.instructions ?? preparation.customInstructions,
    replaceInstructions:
      lastOf(results, "replaceInstructions", "boolean") ?? said.replace ?? preparation.replaceInstructions,
    label: lastOf(results, "label", "string") ?? preparation.label,
  };
}

function isSummary(summary: unknown): summary is SummaryResult {
  return isRecord(summary) && typeof summary.summary === "string" && summary.summary.trim() !== "";
}

function lastOf<Name extends "customInstructions" | "replaceInstructions" | "label">(
  results: readonly BeforeTreeResult[],
  name: Name,
  type: "string" | "boolean",
): BeforeTreeResult[Name] | undefined {
  return results.map((result) => result[name]).findLast((value) => typeof value === type);
}
