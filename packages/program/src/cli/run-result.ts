/** The object that `bough -p --output-format json` prints. */
import type { RunLimits, RunOutcome, RunUsage, ToolDenial } from "@bough/agent/agent/index.js";
import { defined } from "@bough/session/text/index.js";
import type { ErrorReport } from "./error-report.js";
import { EXITS, type ExitReason } from "./exit-codes.js";
import { wordsOf } from "./outcome-words.js";

export interface RunResult {
  readonly version: string;
  readonly exitReason: ExitReason;
  readonly exitCode: number;
  /** The text of the last answer; null if there is none. */
  readonly answer: string | null;
  /** Only if a schema was given and met. */
  readonly output?: unknown;
  /** Only if one was reached. */
  readonly limit?: keyof RunLimits;
  /** Only if something failed. */
  readonly error?: ErrorReport;
  readonly usage: Omit<RunUsage, "dollars" | "unpriced">;
  /** In dollars; null if the price of a step is unknown. */
  readonly cost: number | null;
  readonly denials: readonly ToolDenial[];
  /** Null if none was opened. */
  readonly sessionId: string | null;
  /** Null if none is written. */
  readonly sessionFile: string | null;
  readonly model: string | null;
  readonly durationMs: number;
}

/** What is known about the session once it is open. */
export type ResultPlace = Pick<RunResult, "sessionId" | "sessionFile" | "model"> & { readonly runUsage: RunUsage };

export interface RunFacts {
  readonly version: string;
  readonly reason: ExitReason;
  readonly outcome: RunOutcome | undefined;
  readonly error: ErrorReport | undefined;
  readonly denials: readonly ToolDenial[];
  readonly place: ResultPlace | undefined;
  readonly durationMs: number;
}

const NOTHING = { steps: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0, tokens: 0, dollars: 0, unpriced: 0 };
const NOWHERE: ResultPlace = { sessionId: null, sessionFile: null, model: null, runUsage: NOTHING };

export function runResult({
  version,
  reason,
  outcome,
  error,
  denials,
  place = NOWHERE,
  durationMs,
}: RunFacts): RunResult {
  const { runUsage, ...where } = place;
  const { dollars, unpriced, ...usage } = runUsage;
  return {
    version,
    exitReason: reason,
    exitCode: EXITS[reason].code,
    answer: outcome?.kind === "done" ? wordsOf(outcome) : null,
    ...(outcome?.kind === "done" && outcome.output !== undefined ? { output: outcome.output } : {}),
    ...defined({
      limit: outcome?.kind === "aborted" ? outcome.limit : undefined,
      error: error ?? failureReport(outcome),
    }),
    usage,
    cost: unpriced > 0 ? null : dollars,
    denials,
    ...where,
    durationMs,
  };
}

function failureReport(outcome: RunOutcome | undefined): ErrorReport | undefined {
  if (outcome?.kind !== "failed") return undefined;
  const { kind, message, hint } = outcome.failure;
  return { code: kind, message, ...defined({ hint }) };
}
