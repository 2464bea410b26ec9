import type { Cost, Usage } from "../entry/index.js";
import type { ModelPrices } from "./language-model.js";

/** Dollars, for prices in dollars for a million tokens. */
export function costOf(usage: Pick<Usage, keyof ModelPrices>, prices: ModelPrices): Cost {
  const input = (usage.input * prices.input) / 1e6;
  const output = (usage.output * prices.output) / 1e6;
  const cacheRead = (usage.cacheRead * prices.cacheRead) / 1e6;
  const cacheWrite = (usage.cacheWrite * prices.cacheWrite) / 1e6;
  return { input, output, cacheRead, cacheWrite, total: input + output + cacheRead + cacheWrite };
}
