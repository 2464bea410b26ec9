/** What other rooms use of the agent, but programs do not: settings, totals and estimates. */

export { estimateTextTokens } from "../model/internal.js";
export { attemptMode, isEnded } from "./attempt/attempt.js";
export { ATTEMPT_END_TYPE, ATTEMPT_NOTE_TYPE, ATTEMPT_TYPE, JUDGED_TYPE, TRY_TYPE } from "./attempt/attempt-entries.js";
export { findAttempt } from "./attempt/find-attempt.js";
export { bestAttempt, rankAttempts } from "./attempt/rank-attempts.js";
export { PIN_TYPE } from "./compaction/pins.js";
export { planCompactionInSlices } from "./compaction/plan-compaction.js";
export { EventHub } from "./event-hub.js";
export { guardHooks } from "./guard-hooks.js";
export { compareBranches, compareBranchesInSlices } from "./merge/compare.js";
export { type ServerShare, serverShares } from "./server-shares.js";
export { sessionStats, sessionStatsInSlices, TotalsCounter, totalsOf } from "./stats.js";
export {
  type CachedPrompt,
  cachedPrompt,
  contextTokens,
  estimateEntryTokens,
  estimateMessageTokens,
  tokensAfterCompaction,
  usageTokens,
} from "./summary/token-estimate.js";
export { todoOnPath } from "./todo-on-path.js";
export { checkOutputSchema } from "./turn/structured-output.js";
export { UsageCounter } from "./usage-total.js";
