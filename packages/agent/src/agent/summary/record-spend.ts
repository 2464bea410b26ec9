import type { EntryId } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import type { SummarySpend } from "./write-summary.js";

/**
 * Records what a summary cost, right below it, so that totals include it. A call without tokens, as with the rule-based
 * model, adds no entry.
 */
export function recordSpend(session: Pick<SessionManager, "appendUsage">, record: SpendRecord): EntryId | undefined {
  const { input, output, cacheRead, cacheWrite } = record.usage;
  return input + output + cacheRead + cacheWrite === 0 ? undefined : session.appendUsage(record);
}

interface SpendRecord extends SummarySpend {
  readonly kind: "branch_summary" | "compaction" | "merge";
}
