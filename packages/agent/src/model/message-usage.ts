import type { Usage } from "@bough/session/entry/index.js";
import { pricedUsage } from "./catalogue/cost-of.js";
import type { ModelPrices } from "./language-model.js";
import type { Finish } from "./provider-types.js";

export const NO_USAGE: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 };

/** The usage of a step as stored in its message. Unlike the SDK's, our input count excludes cache reads and writes. */
export function messageUsage(counted: Finish["usage"], prices: ModelPrices | undefined): Usage {
  const { inputTokens, outputTokens } = counted;
  const cacheRead = inputTokens.cacheRead ?? 0;
  const cacheWrite = inputTokens.cacheWrite ?? 0;
  const input = inputTokens.noCache ?? Math.max(0, (inputTokens.total ?? 0) - cacheRead - cacheWrite);
  const output = outputTokens.total ?? 0;
  const usage = { input, output, cacheRead, cacheWrite, totalTokens: input + output + cacheRead + cacheWrite };
  return pricedUsage({ ...usage, ...(outputTokens.reasoning ? { reasoning: outputTokens.reasoning } : {}) }, prices);
}
