import type { Cost, Usage } from "@bough/session/entry/index.js";
import { defined } from "@bough/session/text/index.js";
import type { ModelInfo, ModelPrices } from "../language-model.js";

/** In dollars, for prices in dollars per million tokens. By default, cached tokens cost as much as input. */
export function costOf(
  usage: Pick<Usage, "input" | "output" | "cacheRead" | "cacheWrite">,
  prices: Pick<ModelPrices, "input" | "output" | "above"> & {
    readonly [Name in "cacheRead" | "cacheWrite"]?: number | undefined;
  },
): Cost {
  const { cacheRead: readPrice, cacheWrite: writePrice, ...whole } = wholePrices(ratesFor(usage, prices));
  const input = (usage.input * whole.input) / 1e6;
  const output = (usage.output * whole.output) / 1e6;
  const cacheRead = (usage.cacheRead * readPrice) / 1e6;
  const cacheWrite = (usage.cacheWrite * writePrice) / 1e6;
  return { input, output, cacheRead, cacheWrite, total: input + output + cacheRead + cacheWrite };
}

/** The prices that apply to a prompt of this length. */
export function ratesFor<Prices extends Pick<ModelPrices, "above">>(
  { input, cacheRead, cacheWrite }: Pick<Usage, "input" | "cacheRead" | "cacheWrite">,
  prices: Prices,
): Prices | NonNullable<ModelPrices["above"]> {
  const { above } = prices;
  return above !== undefined && input + cacheRead + cacheWrite > above.tokens ? above : prices;
}

/** Prices as written in settings, with optional fields. */
export type GivenPrices = Parameters<typeof costOf>[1];

export function wholePrices({ input, output, cacheRead = input, cacheWrite = input, above }: GivenPrices): ModelPrices {
  return { input, output, cacheRead, cacheWrite, ...defined({ above }) };
}

const FREE: ModelPrices = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** What a budget can count with. The built-in rules have no price and cost nothing. */
export function knownPrices({ provider, prices }: Pick<ModelInfo, "provider" | "prices">): ModelPrices | undefined {
  return prices ?? (provider === "offline" ? FREE : undefined);
}

/** Adds the cost to a usage if prices are known. A cost reported by the model itself is kept. */
export function pricedUsage(usage: Usage, prices: GivenPrices | undefined): Usage {
  if (prices === undefined || usage?.cost !== undefined) return usage;
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = (usage ?? {}) as Partial<Usage>;
  if (!(input + output + cacheRead + cacheWrite > 0)) return usage;
  return { ...usage, cost: costOf({ input, output, cacheRead, cacheWrite }, prices) };
}
