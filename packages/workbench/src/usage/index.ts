/** What model calls used and cost, in the sessions of all agents: each call once. Loads no model. */
export { LocalDays } from "./count/local-days.js";
export { type SessionSum, sessionSums } from "./count/session-sums.js";
export {
  type CallPrice,
  type PricedCall,
  type PriceOf,
  USAGE_GROUPS,
  type UsageGroup,
  type UsageQuestion,
  type UsageReport,
  type UsageRow,
  type UsageSum,
  usageReport,
} from "./count/usage-report.js";
export { type ReadUsageOptions, readUsage, type UsageSource } from "./read/read-usage.js";
export type { UsageSession } from "./read/session-usage.js";
