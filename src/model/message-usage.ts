import type { Cost, Usage } from "../entry/index.js";
import type { ModelPrices } from "./language-model.js";
import type { Finish } from "./provider-types.js";

export const NO_USAGE: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 };

/** Tokens of a step as a message keeps them. The SDK's input count includes what a cache gave or took; ours does not. */
export function messageUsage(counted: Finish["usage"], prices: ModelPrices | undefined): Usage {
  const { inputTokens, outputTokens } = counted;
  const cacheRead = inputTokens.cacheRead ?? 0;
  const cacheWrite = inputTokens.cacheWrite ?? 0;
  const input = inputTokens.noCache ?? Math.max(0, (inputTokens.total ?? 0) - cacheRead - cacheWrite);
  const output = outputTokens.total ?? 0;
  const usage = { input, output, cacheRead, cacheWrite, totalTokens: input + output + cacheRead + cacheWrite };
  return {
    ...usage,
    ...(outputTokens.reasoning ? { reasoning: outputTokens.reasoning } : {}),
    ...(prices === undefined || usage.totalTokens === 0 ? {} : { cost: costOf(usage, prices) }),
  };
}

/** Dollars, for prices in dollars for a million tokens. */
export function costOf(usage: Pick<Usage, keyof ModelPrices>, prices: ModelPrices): Cost {
  const input = (usage.input * prices.input) / 1e6;
  const output = (usage.output * prices.output) / 1e6;
  const cacheRead = (usage.cacheRead * prices.cacheRead) / 1e6;
  const cacheWrite = (usage.cacheWrite * prices.cacheWrite) / 1e6;
  return { input, output, cacheRead, cacheWrite, total: input + output + cacheRead + cacheWrite };
}
