import { parsedJson } from "@bough/session/text/index.js";
import { modelFailure } from "../failure/model-failure.js";
import type { LanguageModel, ModelFailure, ModelInfo } from "../language-model.js";
import { boundedText } from "../network/bounded-text.js";
import { listedIds, listRequest } from "./model-list.js";

/** The result of asking a provider whether an account works. */
export type AccountCheck =
  /** `models` are the IDs it lists, if any. */
  | { readonly kind: "works"; readonly models: readonly string[]; readonly model?: string }
  | { readonly kind: "fails"; readonly failure: ModelFailure }
  /** The provider needs a model to check a key. */
  | { readonly kind: "unchecked" };

export interface CheckOptions {
  /** Default: the key that would be used. */
  readonly key?: string;
  /** Also check that this model can be used. */
  readonly model?: ModelInfo;
  readonly signal?: AbortSignal;
}

interface CheckParts extends CheckOptions {
  readonly provider: string;
  /** The provider's settings, as a model without an ID. */
  readonly info: ModelInfo;
  readonly fetch: typeof globalThis.fetch;
  readonly now: () => number;
  /** Opens a model with the key that is checked. */
  readonly open: (info: ModelInfo) => LanguageModel;
}

const LIMIT_MS = 20_000;
const MOST_BYTES = 4 << 20;

/**
 * Asks a provider for its models, which is free. If it has no such list, or the model is not on it, a step of a few
 * tokens decides. Never throws, and never returns a key.
 */
export async function checkAccount(parts: CheckParts): Promise<AccountCheck> {
  const timeout = AbortSignal.timeout(LIMIT_MS);
  const signal = parts.signal === undefined ? timeout : AbortSignal.any([parts.signal, timeout]);
  const { provider, info, key, model } = parts;
  const request = listRequest({ provider, api: info.api, baseUrl: info.baseUrl, key });
  if (request === undefined) return model === undefined ? { kind: "unchecked" } : checkStep(parts, model, { signal });
  const fail = (error: unknown): AccountCheck => ({
    kind: "fails",
    failure: modelFailure(error, { info: model ?? info, apiKey: key, now: parts.now() }),
  });
  try {
    const response = await parts.fetch(request.url, { headers: request.headers, signal });
    const body = (await boundedText(response, MOST_BYTES)) ?? "";
    const answer = parsedJson(body);
    if (response.status === 404 || response.status === 405 || (response.ok && answer === undefined)) {
      if (model !== undefined) return await checkStep(parts, model, { signal });
      const message = response.ok ? "the answer is not JSON" : "not found";
      return fail({ message, statusCode: response.ok ? 404 : response.status });
    }
    if (!response.ok) {
      const { status: statusCode, statusText: message, headers } = response;
      const responseHeaders = { "retry-after": headers.get("retry-after") };
      return fail({ message, statusCode, responseBody: body, responseHeaders });
    }
    const models = listedIds(answer);
    if (model === undefined) return { kind: "works", models };
    if (models.includes(model.id)) return { kind: "works", models, model: model.id };
    const step = await checkStep(parts, model, { signal });
    return step.kind === "works" ? { ...step, models } : step;
  } catch (error) {
    return fail(error);
  }
}

async function checkStep(
  { open, now }: CheckParts,
  info: ModelInfo,
  { signal }: { readonly signal: AbortSignal },
): Promise<AccountCheck> {
  const messages = [{ role: "user", content: "Hi", timestamp: 0 }] as const;
  const request = { system: "", messages, tools: [], thinkingLevel: "off", maxOutput: 16 } as const;
  for await (const event of open(info).stream(request, { now, signal })) {
    if (event.type === "end" && event.failure !== undefined) return { kind: "fails", failure: event.failure };
  }
  return { kind: "works", models: [], model: info.id };
}
