/**
 * Built-in models, for providers whose lists are useful without a request.
 *
 * Prices are as of `PRICES_DATE`, in dollars per million tokens; uncertain prices are omitted. Context windows are
 * those that every account gets without extra charge.
 */
import type { ModelApi, ModelInfo, ModelPrices } from "../language-model.js";

type Row = readonly [
  id: string,
  name: string,
  contextWindow: number,
  maxOutput: number,
  prices?: Numbers,
  /** Prices for prompts above a number of tokens. */
  above?: readonly [tokens: number, ...Numbers],
];
type Numbers = readonly [input: number, output: number, cacheRead: number, cacheWrite: number];

/** The day on which the prices below were current. */
export const PRICES_DATE = "2026-11-02";

const CLAUDE: readonly Row[] = [
  ["claude-opus-5-5", "Claude Opus 5.5", 1_000_000, 128_000, [4, 20, 0.2, 5]],
  ["claude-sonnet-5-5", "Claude Sonnet 5.5", 1_000_000, 128_000, [2, 10, 0.1, 2.5]],
  [
    ...(["claude-haiku-5-5", "Claude Haiku 5.5", 1_000_000, 128_000, [0.1, 0.5, 0.01, 0.125]] as const),
    [100_000, 0.5, 2.5, 0.05, 0.625],
  ],
  ["claude-opus-5", "Claude Opus 5", 1_000_000, 128_000, [5, 25, 0.5, 6.25]],
  ["claude-sonnet-5", "Claude Sonnet 5", 1_000_000, 128_000, [2, 10, 0.2, 2.5]],
  ["claude-opus-4-6", "Claude Opus 4.6", 200_000, 128_000, [5, 25, 0.5, 6.25]],
  ["claude-sonnet-4-6", "Claude Sonnet 4.6", 200_000, 64_000, [3, 15, 0.3, 3.75]],
  ["claude-opus-4-5", "Claude Opus 4.5", 200_000, 64_000, [5, 25, 0.5, 6.25]],
  ["claude-sonnet-4-5", "Claude Sonnet 4.5", 200_000, 64_000, [3, 15, 0.3, 3.75]],
  ["claude-haiku-4-5", "Claude Haiku 4.5", 200_000, 64_000, [1, 5, 0.1, 1.25]],
  ["claude-opus-4-1", "Claude Opus 4.1", 200_000, 32_000, [15, 75, 1.5, 18.75]],
];

/** Before the sixth generation, cache writes cost no extra. Above 272,000 tokens, all cost more. */
const GPT: readonly Row[] = [
  ["gpt-6.1-sol", "GPT-6.1 Sol", 272_000, 128_000, [2, 10, 0.1, 2.5]],
  ["gpt-6.1-terra", "GPT-6.1 Terra", 272_000, 128_000, [1, 5, 0.05, 1.25]],
  ["gpt-6-sol", "GPT-6 Sol", 272_000, 128_000, [2, 10, 0.2, 2.5]],
  ["gpt-6-luna", "GPT-6 Luna", 272_000, 128_000, [0.1, 0.5, 0.01, 0.125]],
  ["gpt-5.5", "GPT-5.5", 272_000, 128_000, [5, 30, 0.5, 5]],
  ["gpt-5.4", "GPT-5.4", 272_000, 128_000, [2.5, 15, 0.25, 2.5]],
  ["gpt-5.4-mini", "GPT-5.4 mini", 400_000, 128_000, [0.75, 4.5, 0.075, 0.75]],
  ["gpt-5.2", "GPT-5.2", 400_000, 128_000, [1.75, 14, 0.175, 1.75]],
  ["gpt-5.1", "GPT-5.1", 400_000, 128_000, [1.25, 10, 0.125, 1.25]],
  ["gpt-5.1-codex", "GPT-5.1 Codex", 400_000, 128_000, [1.25, 10, 0.125, 1.25]],
  ["gpt-5", "GPT-5", 400_000, 128_000, [1.25, 10, 0.125, 1.25]],
  ["gpt-5-mini", "GPT-5 mini", 400_000, 128_000, [0.25, 2, 0.025, 0.25]],
  ["gpt-5-nano", "GPT-5 nano", 400_000, 128_000, [0.05, 0.4, 0.005, 0.05]],
  ["o3", "o3", 200_000, 100_000, [2, 8, 0.5, 2]],
  ["o4-mini", "o4-mini", 200_000, 100_000, [1.1, 4.4, 0.275, 1.1]],
];

const GPT_WITHOUT_REASONING: readonly Row[] = [
  ["gpt-4.1", "GPT-4.1", 1_047_576, 32_768, [2, 8, 0.5, 2]],
  ["gpt-4.1-mini", "GPT-4.1 mini", 1_047_576, 32_768, [0.4, 1.6, 0.1, 0.4]],
  ["gpt-4o", "GPT-4o", 128_000, 16_384, [2.5, 10, 1.25, 2.5]],
  ["gpt-4o-mini", "GPT-4o mini", 128_000, 16_384, [0.15, 0.6, 0.075, 0.15]],
];

/** Pro models cost more above 200,000 tokens. Cache writes cost no extra. */
const GEMINI: readonly Row[] = [
  ["gemini-4-argon", "Gemini 4 Argon", 1_048_576, 32_768, [2, 10, 0.1, 2]],
  ["gemini-3.8-flash", "Gemini 3.8 Flash", 1_048_576, 65_536, [0.75, 3.75, 0.075, 0.75]],
  [
    ...(["gemini-3.1-pro-preview", "Gemini 3.1 Pro (preview)", 1_048_576, 65_536, [2, 12, 0.2, 2]] as const),
    [200_000, 4, 18, 0.4, 4],
  ],
  ["gemini-3-pro-preview", "Gemini 3 Pro (preview)", 1_048_576, 65_536],
  ["gemini-3-flash-preview", "Gemini 3 Flash (preview)", 1_048_576, 65_536, [0.5, 3, 0.05, 0.5]],
  [
    ...(["gemini-2.5-pro", "Gemini 2.5 Pro", 1_048_576, 65_536, [1.25, 10, 0.125, 1.25]] as const),
    [200_000, 2.5, 15, 0.25, 2.5],
  ],
  ["gemini-2.5-flash", "Gemini 2.5 Flash", 1_048_576, 65_536, [0.3, 2.5, 0.03, 0.3]],
  ["gemini-2.5-flash-lite", "Gemini 2.5 Flash-Lite", 1_048_576, 65_536, [0.1, 0.4, 0.01, 0.1]],
];

export const KNOWN_MODELS: readonly ModelInfo[] = [
  ...rows(CLAUDE, { provider: "anthropic", api: "anthropic-messages", reasoning: true }),
  ...rows(GPT, { provider: "openai", api: "openai-responses", reasoning: true }),
  ...rows(GPT_WITHOUT_REASONING, { provider: "openai", api: "openai-responses", reasoning: false }),
  ...rows(GEMINI, { provider: "google", api: "google-generative-ai", reasoning: true }),
];

/**
 * Default models: the first one with a key is used. Each is the newest of a kind that is good enough for daily work and
 * affordable, and has a known price, so that costs can be shown.
 */
export const PREFERENCE: readonly string[] = [
  `anthropic/${newest(CLAUDE, /^claude-sonnet-/)}`,
  `openai/${newest(GPT, /^gpt-[\d.]+(?:-sol)?$/)}`,
  `google/${newest(GEMINI, /^gemini-[\d.]+-(?:pro|argon)$/)}`,
];

/** The tables list newer models first. */
function newest(table: readonly Row[], kind: RegExp): string {
  const row = table.find(([id, , , , prices]) => kind.test(id) && prices !== undefined);
  if (row === undefined) throw new Error(`bug: no model of the kind ${kind.source} is built in`);
  return row[0];
}

function rows(
  table: readonly Row[],
  shared: { readonly provider: string; readonly api: ModelApi; readonly reasoning: boolean },
): ModelInfo[] {
  return table.map(([id, name, contextWindow, maxOutput, prices, above]) => ({
    ...shared,
    id,
    name,
    contextWindow,
    maxOutput,
    images: true,
    prices: prices === undefined ? undefined : pricesOf(prices, above),
  }));
}

function pricesOf(numbers: Numbers, above: Row[5]): ModelPrices {
  const named = ([input, output, cacheRead, cacheWrite]: Numbers) => ({ input, output, cacheRead, cacheWrite });
  if (above === undefined) return named(numbers);
  const [tokens, ...rest] = above;
  return { ...named(numbers), above: { tokens, ...named(rest) } };
}
