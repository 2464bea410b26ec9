/** What calls in any agent's transcripts cost, by the prices of their day. */
import type { CallPrice, PricedCall, PriceOf } from "@bough/workbench/usage/index.js";
import type { ModelInfo, ModelPrices } from "../language-model.js";
import { knownPrices, ratesFor, wholePrices } from "./cost-of.js";
import type { ModelsSettings } from "./models-settings.js";

/** Prices of before a day, oldest first. */
type PastPrices = readonly { readonly before: string; readonly prices: ModelPrices }[];

/** Prices that changed, in dollars per million tokens; only those that the provider has published. */
const PAST: Readonly<Record<string, PastPrices>> = {
  "openai/o3": [past("2025-06-10", [10, 40, 2.5, 10])],
  "openai/gpt-4o": [past("2024-10-02", [5, 15, 5, 5])],
};

function past(before: string, [input, output, cacheRead, cacheWrite]: readonly [number, number, number, number]) {
  return { before, prices: { input, output, cacheRead, cacheWrite } };
}

interface PriceBookOptions {
  readonly models: readonly ModelInfo[];
  /** The `models` section of the user's settings: its prices win over all others, for every day. */
  readonly settings?: ModelsSettings;
}

/** Remembers what it has looked up. */
export function priceBook({ models, settings = {} }: PriceBookOptions): PriceOf {
  const now = new Map(models.map((info) => [`${info.provider}/${info.id}`, knownPrices(info)]));
  const before = new Map(Object.entries(PAST));
  for (const [provider, { models: own = [] }] of Object.entries(settings.providers ?? {})) {
    for (const { id, prices, pricesBefore = [] } of own) {
      if (prices === undefined && pricesBefore.length === 0) continue;
      const dated = pricesBefore.map(({ before, ...given }) => ({ before, prices: wholePrices(given) }));
      before.set(
        `${provider}/${id}`,
        dated.sort((a, b) => (a.before < b.before ? -1 : 1)),
      );
    }
  }
  const known = new Map<string, DatedPrices>();
  return (call) => {
    let dated = known.get(call.model);
    if (dated === undefined) {
      dated = datedPrices(call.model, now, before);
      known.set(call.model, dated);
    }
    const { prices = dated.prices } =
      dated.past.length === 0 ? dated : (dated.past.find(({ until }) => call.time < until) ?? dated);
    return prices === undefined ? undefined : priceOf(call, prices);
  };
}

interface DatedPrices {
  readonly prices: ModelPrices | undefined;
  /** Until a time in milliseconds, oldest first. */
  readonly past: readonly { readonly until: number; readonly prices: ModelPrices }[];
}

function datedPrices(
  model: string,
  now: ReadonlyMap<string, ModelPrices | undefined>,
  before: ReadonlyMap<string, PastPrices>,
): DatedPrices {
  const names = namesOf(model);
  const name = names.find((name) => now.get(name) !== undefined || before.has(name));
  if (name === undefined) return { prices: undefined, past: [] };
  const past = (before.get(name) ?? []).map(({ before: day, prices }) => ({ until: Date.parse(day), prices }));
  return { prices: now.get(name), past };
}

/**
 * What a model in a transcript may be called in the catalogue. Transcripts add a date or a mark for a long context, and
 * Claude Code does not say which cloud it used, except by the form of the name.
 */
function namesOf(model: string): readonly string[] {
  const plain = model.replace(/\[[^\]]*\]$/, "");
  const undated = plain.replace(/(?:-20\d{6}|-20\d\d-\d\d-\d\d|@20\d{6}|-latest)$/, "");
  const own = [plain, undated];
  const isCloud = /^anthropic\/.*(?:anthropic\.|@)/.test(plain);
  return isCloud ? [...own, ...own.flatMap((name) => CLOUDS.map((cloud) => name.replace(/^anthropic/, cloud)))] : own;
}

const CLOUDS = ["bedrock", "vertex"];

/** Writing to the cache for an hour costs twice the price of input. */
const LONG_WRITE = 2;

/** Runs for every call ever made, so it does not make an object for each kind of tokens, as `costOf` does. */
function priceOf(call: PricedCall, prices: ModelPrices): CallPrice {
  const { input, output, cacheRead, cacheWrite, longWrite } = call;
  const rates = ratesFor(call, prices);
  const longExtra = Math.max(0, LONG_WRITE * rates.input - rates.cacheWrite);
  const cached = cacheRead * rates.cacheRead + cacheWrite * rates.cacheWrite + longWrite * longExtra;
  const rest = input * rates.input + output * rates.output;
  return {
    dollars: (rest + cached) / 1e6,
    withoutCache: (rest + (cacheRead + cacheWrite) * rates.input) / 1e6,
    cachedToken: rates.cacheRead / 1e6,
  };
}
