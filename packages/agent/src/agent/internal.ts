/** What other rooms use of the agent, but programs do not: settings, totals and estimates. */

export { estimateTextTokens } from "../model/internal.js";
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
