/** What gateways say about the models they offer. Each does it in its own words; only names and numbers are read. */
import { isRecord } from "@bough/session/text/index.js";
import { record } from "../failure/failure-facts.js";
import { type ListedModel, validModel } from "./models-file.js";

/** Where a gateway lists its models. Default: `/models` at its base URL. */
export function gatewayListUrl(provider: string, baseUrl: string): string {
  if (provider === "github-models") return new URL("/catalog/models", baseUrl).href;
  return `${baseUrl}/models`;
}

type Facts = Readonly<Record<string, unknown>>;

/** Models that answer with text, of a list in `data`, in `models`, or of the whole answer. */
export function modelsOfGateway(provider: string, answer: unknown): readonly ListedModel[] {
  const list = [answer, record(answer).data, record(answer).models].find(Array.isArray) ?? [];
  return (list as readonly unknown[])
    .filter(isRecord)
    .filter(isLanguageModel)
    .flatMap((model) => listed(provider, model));
}

function isLanguageModel({ type, id, architecture, output_modalities, supported_output_modalities }: Facts): boolean {
  if (typeof type === "string" && !/^(?:language|chat|text|model|llm)$/i.test(type)) return false;
  const outputs = output_modalities ?? supported_output_modalities ?? record(architecture).output_modalities;
  if (Array.isArray(outputs) && !outputs.includes("text")) return false;
  return typeof id !== "string" || !/embed|rerank|whisper|tts|moderation/i.test(id);
}

function listed(provider: string, model: Facts): ListedModel[] {
  const { id, name, display_name } = model;
  const limits = record(model.limits);
  const hosts = Array.isArray(model.providers) ? (model.providers as readonly unknown[]).filter(isRecord) : [];
  return validModel({
    provider,
    id,
    name: name ?? display_name,
    contextWindow: firstNumber(
      model.context_length,
      model.context_window,
      model.max_model_len,
      model.max_context_length,
      limits.max_input_tokens,
      // The smallest one: the gateway chooses the host.
      leastOf(hosts.map(({ context_length }) => context_length)),
    ),
    maxOutput: firstNumber(
      record(model.top_provider).max_completion_tokens,
      model.max_tokens,
      model.max_completion_tokens,
      limits.max_output_tokens,
    ),
    reasoning: hasWord("reasoning", model.supported_parameters, model.tags, model.capabilities),
    images:
      hasWord("image", record(model.architecture).input_modalities, model.supported_input_modalities) ??
      hasWord("vision", model.tags, model.capabilities),
    prices: pricesOf(provider, model, hosts),
  });
}

/** Gateways that state prices per token, in dollars, as text; others state them per million tokens. */
const PER_TOKEN: ReadonlySet<string> = new Set(["openrouter", "vercel"]);

/** Of several hosts, the highest price: the gateway chooses the host. */
function pricesOf(provider: string, model: Facts, hosts: readonly Facts[]): Facts | undefined {
  const factor = PER_TOKEN.has(provider) ? 1e6 : 1;
  const all = [model, ...hosts].map(({ pricing }) => record(pricing)).filter((one) => Object.keys(one).length > 0);
  const price = (...names: readonly string[]): number | undefined => {
    const found = all.flatMap((pricing) => firstNumber(...names.map((name) => pricing[name])) ?? []);
    // A host that claims to be free says nothing about the others.
    const most = Math.max(...found);
    return found.length === 0 ? undefined : rounded(most * factor);
  };
  return {
    input: price("prompt", "input"),
    output: price("completion", "output"),
    cacheRead: price("input_cache_read", "cached_input"),
    cacheWrite: price("input_cache_write"),
  };
}

/** `0.000003 * 1e6` is not 3. */
function rounded(price: number): number {
  return Number(price.toPrecision(12));
}

function firstNumber(...values: readonly unknown[]): number | undefined {
  for (const value of values) {
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    if (typeof number === "number" && Number.isFinite(number)) return number;
  }
  return undefined;
}

function leastOf(values: readonly unknown[]): number | undefined {
  const numbers = values.filter((value): value is number => typeof value === "number");
  return numbers.length === 0 ? undefined : Math.min(...numbers);
}

/** Undefined if none of the lists is there. */
function hasWord(word: string, ...lists: readonly unknown[]): boolean | undefined {
  const found = lists.filter(Array.isArray) as readonly (readonly unknown[])[];
  return found.length === 0 ? undefined : found.some((list) => list.includes(word));
}
