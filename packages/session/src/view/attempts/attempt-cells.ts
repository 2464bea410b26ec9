/** What is shown of an attempt, as short texts. */
import { counted, grouped, shortCost, shortCount } from "../../text/index.js";

/** An attempt, as far as it is shown. */
export interface ShownAttempt {
  readonly name: string;
  readonly driver: string;
  readonly model?: string;
  readonly state: string;
  readonly step?: string;
  readonly tokens: number;
  readonly dollars: number;
  readonly unpriced: number;
  readonly durationMs: number;
  readonly files?: { readonly files: number; readonly added: number; readonly removed: number };
  readonly check?: {
    readonly passed: boolean;
    readonly exitCode: number | null;
    readonly problem?: string;
    readonly tests?: { readonly passed: number; readonly failed: number };
  };
  readonly reason?: string;
}

export interface AttemptCells {
  readonly name: string;
  /** The agent, and its model. */
  readonly driver: string;
  readonly state: string;
  /** Empty if there was none. */
  readonly check: string;
  /** Files and lines; empty if unknown. */
  readonly changes: string;
  readonly tokens: string;
  readonly cost: string;
  readonly time: string;
}

export function attemptCells(attempt: ShownAttempt): AttemptCells {
  const { name, driver, model, state, tokens, dollars, unpriced, durationMs, files } = attempt;
  return {
    ...{ name, state },
    driver: model === undefined ? driver : model,
    check: checkWords(attempt.check),
    changes:
      files === undefined ? "" : `${counted(files.files, "file")} +${grouped(files.added)} -${grouped(files.removed)}`,
    tokens: tokens === 0 ? "" : shortCount(tokens),
    cost: unpriced > 0 ? "?" : tokens === 0 ? "" : shortCost(dollars),
    time: durationMs === 0 ? "" : shortTime(durationMs),
  };
}

/** What it does now, or how it ended. */
export function attemptStep({ state, step = "", reason }: ShownAttempt): string {
  if (state === "running") return step === "" ? "running" : step;
  if (state === "asking" || state === "checking" || state === "preparing") return `${state}: ${step}`;
  return reason === undefined ? state : `${state}: ${reason}`;
}

function checkWords(check: ShownAttempt["check"]): string {
  if (check === undefined) return "";
  const { passed, exitCode, problem, tests } = check;
  const counts =
    tests === undefined
      ? ""
      : tests.failed === 0
        ? ` (${tests.passed})`
        : ` (${tests.failed} of ${tests.passed + tests.failed})`;
  if (passed) return `passed${counts}`;
  const why = counts !== "" ? counts : problem === undefined ? ` (exit ${exitCode})` : "";
  return `failed${why}`;
}

function shortTime(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes}m${String(seconds % 60).padStart(2, "0")}s`
    : `${Math.floor(minutes / 60)}h${String(minutes % 60).padStart(2, "0")}m`;
}

/** What was kept, as sentences. */
export function keptSentences({
  name,
  files,
  installs,
}: {
  readonly name: string;
  readonly files?: {
    readonly kind: string;
    readonly written?: readonly string[];
    readonly deleted?: readonly string[];
    readonly kept?: readonly string[];
    readonly protected?: readonly string[];
    readonly message?: string;
  };
  readonly installs: readonly string[];
}): string[] {
  const sentences = [`Kept ${name}.`];
  if (files?.kind === "followed") {
    const { written = [], deleted = [], kept = [], protected: guarded = [] } = files;
    const gone = deleted.length === 0 ? "" : `, ${deleted.length} deleted`;
    sentences[0] = `Kept ${name}: ${counted(written.length, "file")} written${gone}.`;
    if (kept.length > 0)
      sentences.push(
        `Left as they are: ${kept.slice(0, 5).join(", ")}${kept.length > 5 ? ` and ${kept.length - 5} more` : ""}`,
      );
    if (guarded.length > 0)
      sentences.push(`Not brought, because they decide what runs: ${guarded.slice(0, 5).join(", ")}`);
  }
  if (files?.kind === "failed") sentences.push(`Files could not be brought: ${files.message ?? ""}`);
  if (installs.length > 0) sentences.push(`A lock file changed. Run: ${installs.join("; ")}`);
  return sentences;
}
