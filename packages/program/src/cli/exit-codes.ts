/**
 * The exit codes. The reference page and docs/ci.md show this table, and `exitReason` of `--output-format json` is one of
 * its keys. Codes are stable.
 */
interface Exit {
  readonly code: number;
  readonly meaning: string;
}

export const EXITS = {
  success: { code: 0, meaning: "success" },
  failure: { code: 1, meaning: "any other failure; for a search, no results" },
  "usage-error": { code: 2, meaning: "usage error: an invalid flag, value, schema or prompt" },
  "damaged-session": { code: 3, meaning: "the log is damaged (`verify`, `doctor`)" },
  "refused-tool": { code: 4, meaning: "a tool call was refused (only with `--strict`)" },
  "model-failed": { code: 5, meaning: "the model failed, after retries if they can help" },
  "no-model": { code: 6, meaning: "no model is set up, or its key is missing" },
  "limit-reached": { code: 7, meaning: "`--max-turns`, `--max-tokens`, `--max-cost` or `--timeout` was reached" },
  "schema-not-met": { code: 8, meaning: "no answer matched `--schema`" },
  hangup: { code: 129, meaning: "the terminal was closed (SIGHUP)" },
  interrupted: { code: 130, meaning: "interrupted with Ctrl+C (SIGINT)" },
  terminated: { code: 143, meaning: "terminated (SIGTERM)" },
} as const satisfies Readonly<Record<string, Exit>>;

export type ExitReason = keyof typeof EXITS;

export function exitReasonOf(code: number): ExitReason {
  const [reason] = Object.entries(EXITS).find(([, exit]) => exit.code === code) ?? ["failure"];
  return reason as ExitReason;
}
