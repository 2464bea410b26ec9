/** A failure as data, for people and for programs. */
import type { AgentErrorCode } from "@bough/agent/agent/index.js";
import { CodedError, ExportError } from "@bough/session/entry/index.js";
import { defined, withoutControls } from "@bough/session/text/index.js";
import type { InteropErrorCode } from "@bough/workbench/interop/index.js";
import { CliError, type CliErrorCode } from "./cli-error.js";
import { EXITS } from "./exit-codes.js";

export interface ErrorReport {
  readonly code: string;
  /** A sentence. */
  readonly message: string;
  /** What to do next, as a sentence. */
  readonly hint?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

const INTERNAL: CliErrorCode = "internal";
/** Describes a thrown value. Errors from other code have no code of ours and become `internal`. */
export function errorReportOf(error: unknown): ErrorReport {
  if (!(error instanceof Error)) return { code: INTERNAL, message: String(error) };
  const { message } = error;
  const folder = folderProblem(error);
  if (folder !== undefined) return { code: INTERNAL, message: folder, hint: "Change to another folder." };
  if (!(error instanceof CodedError)) return { code: INTERNAL, message };
  const { code, hint, data } = error;
  return { code, message, ...defined({ hint, data: Object.keys(data).length > 0 ? data : undefined }) };
}

/** What `process.cwd()` throws. */
function folderProblem({ code, syscall }: NodeJS.ErrnoException): string | undefined {
  if (syscall !== "uv_cwd") return undefined;
  if (code === "ENOENT") return "The current folder no longer exists";
  return code === "ERANGE" ? "The path of the current folder is too long" : undefined;
}

/**
 * The same as lines for standard error: what happened, then what to do. Control characters are removed, because it may
 * contain file names, session names and output of other programs.
 */
export function errorReportText({ message, hint }: Pick<ErrorReport, "message" | "hint">): string {
  return withoutControls(hint === undefined ? `bough: ${message}\n` : `bough: ${message}\n  ${hint}\n`);
}

const NO_MODEL: AgentErrorCode = "no-model";

const USAGE: ReadonlySet<CliErrorCode> = new Set(["wrong-usage", "unknown-tool"]);

const DAMAGED: InteropErrorCode = "damaged-source";

/** 2 for a usage error, 3 for a damaged transcript that was named, 6 without a model, 1 for any other failure. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof ExportError) return EXITS[error.code === "unknown-finding" ? "usage-error" : "failure"].code;
  if (error instanceof CliError && USAGE.has(error.code)) return EXITS["usage-error"].code;
  return exitCodeOfReport(errorReportOf(error));
}

/** The same for a failure that was reported instead of thrown. */
export function exitCodeOfReport({ code }: Pick<ErrorReport, "code">): number {
  return EXITS[code === DAMAGED ? "damaged-session" : code === NO_MODEL ? "no-model" : "failure"].code;
}
