import type { Cost, Usage } from "../../entry/index.js";
import type { ModelPrices } from "../language-model.js";

/** Prices as people give them: cached tokens cost as much as input unless something else is said. */
export interface GivenPrices extends Pick<ModelPrices, "input" | "output"> {
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
}

/** Dollars, for prices in dollars for a million tokens. */
export function costOf(usage: Pick<Usage, keyof ModelPrices>, prices: GivenPrices): Cost {
  const { cacheRead: readPrice, cacheWrite: writePrice, ...whole } = wholePrices(prices);
  const input = (usage.input * whole.input) / 1e6;
  const output = (usage.output * whole.output) / 1e6;
  const cacheRead = (usage.cacheRead * readPrice) / 1e6;
  const cacheWrite = (usage.cacheWrite * writePrice) / 1e6;
  return { input, output, cacheRead, cacheWrite, total: input + output + cacheRead + cacheWrite };
}

export function wholePrices({ input, output, cacheRead = input, cacheWrite = input }: GivenPrices): ModelPrices {
  return { input, output, cacheRead, cacheWrite };
}

/** The usage with its cost, for a model that has prices. A cost that the model gave itself is kept. */
export function pricedUsage(usage: Usage, prices: GivenPrices | undefined): Usage {
  if (prices === undefined || usage?.cost !== undefined) return usage;
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = (usage ?? {}) as Partial<Usage>;
  if (!(input + output + cacheRead + cacheWrite > 0)) return usage;
  return { ...usage, cost: costOf({ input, output, cacheRead, cacheWrite }, prices) };
}
