/** Converts models between pi's form and ours. */
import { costOf, type ModelApi, type ModelInfo, type ModelPrices } from "@bough/agent/model/index.js";
import { defined } from "@bough/session/text/index.js";

export interface PiModel {
  readonly id: string;
  readonly name: string;
  readonly api: string;
  readonly provider: string;
  readonly baseUrl: string;
  readonly reasoning: boolean;
  readonly input: readonly ("text" | "image")[];
  readonly cost: ModelPrices;
  readonly contextWindow: number;
  readonly maxTokens: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly thinkingLevelMap?: Readonly<Record<string, string | null>>;
}

const APIS: readonly ModelApi[] = [
  "anthropic-messages",
  "openai-responses",
  "openai-completions",
  "google-generative-ai",
  "offline",
];
const FREE: ModelPrices = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** The original of a converted model, so that nothing is lost on the way back. */
const origins = new WeakMap<object, ModelInfo>();
const translated = new WeakMap<ModelInfo, PiModel>();

/** Returns the same object for the same model, so that extensions can compare models. */
export function toPiModel(info: ModelInfo): PiModel {
  const known = translated.get(info);
  if (known !== undefined) return known;
  const model: PiModel = {
    id: info.id,
    name: info.name,
    api: info.api,
    provider: info.provider,
    baseUrl: piBaseUrl(info.baseUrl, info.api) ?? "",
    reasoning: info.reasoning,
    input: info.images ? ["text", "image"] : ["text"],
    cost: info.prices ?? FREE,
    contextWindow: info.contextWindow,
    maxTokens: info.maxOutput,
  };
  origins.set(model, info);
  translated.set(info, model);
  return model;
}

/** Throws if the model's protocol is not supported. */
export function fromPiModel(model: PiModel): ModelInfo {
  const origin = origins.get(model);
  if (origin !== undefined) return origin;
  if (!isOurApi(model.api)) {
    throw new Error(
      `The model ${model.provider}/${model.id} uses ${model.api}, which Bough does not support. Supported: ${APIS.join(", ")}`,
    );
  }
  const info: ModelInfo = {
    provider: model.provider,
    id: model.id,
    name: model.name ?? model.id,
    api: model.api,
    contextWindow: model.contextWindow,
    maxOutput: model.maxTokens,
    reasoning: model.reasoning === true,
    images: model.input?.includes("image") ?? false,
    prices: model.cost,
    ...defined({ baseUrl: model.baseUrl ? nativeBaseUrl(model.baseUrl, model.api) : undefined }),
  };
  origins.set(model, info);
  return info;
}

/** pi's client for this protocol appends the version to the address itself; in Bough it is part of the address. */
const ANTHROPIC = "anthropic-messages";
const VERSION = "/v1";

export function nativeBaseUrl(baseUrl: string, api: string | undefined): string {
  return api === ANTHROPIC ? `${baseUrl.replace(/\/+$/, "")}${VERSION}` : baseUrl;
}

function piBaseUrl(baseUrl: string | undefined, api: string): string | undefined {
  return api === ANTHROPIC && baseUrl?.endsWith(VERSION) === true ? baseUrl.slice(0, -VERSION.length) : baseUrl;
}

export function isOurApi(api: string): api is ModelApi {
  return (APIS as readonly string[]).includes(api);
}

/** Sets and returns the cost of the usage, in dollars. */
export function calculateCost(model: PiModel, usage: Parameters<typeof costOf>[0] & { cost?: unknown }) {
  const cost = costOf(usage, model.cost);
  usage.cost = cost;
  return cost;
}

export function modelsAreEqual(a: PiModel | null | undefined, b: PiModel | null | undefined): boolean {
  return a != null && b != null && a.id === b.id && a.provider === b.provider;
}

export function hasApi(model: PiModel, api: string): boolean {
  return model.api === api;
}

const LEVELS = ["off", "minimal", "low", "medium", "high"] as const;

export function getSupportedThinkingLevels(model: PiModel): readonly string[] {
  if (!model.reasoning) return ["off"];
  return LEVELS.filter((level) => model.thinkingLevelMap?.[level] !== null);
}

/** The nearest supported level at or below the requested one. */
export function clampThinkingLevel(model: PiModel, level: string): string {
  const supported = getSupportedThinkingLevels(model);
  if (supported.includes(level)) return level;
  const wanted = (LEVELS as readonly string[]).indexOf(level);
  const at = wanted < 0 ? LEVELS.length - 1 : wanted;
  return LEVELS.slice(0, at + 1).findLast((lower) => supported.includes(lower)) ?? supported[0] ?? "off";
}
