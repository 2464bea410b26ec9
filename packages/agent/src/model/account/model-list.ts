import { record } from "../failure/failure-facts.js";
import type { ModelApi } from "../language-model.js";
import { listOf } from "../local/local-server.js";

/** A request for the models of a provider: it is free, and tells whether the key works. */
interface ListRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

const BASES: Partial<Record<ModelApi, string>> = {
  "anthropic-messages": "https://api.anthropic.com/v1",
  "openai-responses": "https://api.openai.com/v1",
  "openai-completions": "https://api.openai.com/v1",
  "google-generative-ai": "https://generativelanguage.googleapis.com/v1beta",
};

interface Account {
  readonly provider: string;
  readonly api: ModelApi;
  readonly baseUrl?: string | undefined;
  readonly key: string | undefined;
}

/** Undefined for clouds without such a list, or with another login for it. */
export function listRequest({ provider, api, baseUrl, key }: Account): ListRequest | undefined {
  const base = baseUrl ?? BASES[api];
  if (base === undefined) return undefined;
  const bearer: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  switch (api) {
    case "anthropic-messages":
      return {
        url: `${base}/models?limit=1000`,
        headers: { "anthropic-version": "2023-06-01", ...(key !== undefined && { "x-api-key": key }) },
      };
    case "google-generative-ai":
      return { url: `${base}/models?pageSize=1000`, headers: key === undefined ? {} : { "x-goog-api-key": key } };
    case "openai-responses":
    case "openai-completions":
      // OpenRouter's model list is public, so ask for the facts about the key instead.
      if (provider === "openrouter") return { url: `${base}/key`, headers: bearer };
      return { url: `${base}/models`, headers: bearer };
    default:
      return undefined;
  }
}

/** The IDs in the response to a list request. */
export function listedIds(answer: unknown): string[] {
  const list = Array.isArray(answer) ? (answer as unknown[]).map(record) : listOf(answer, "data");
  const named = list.length > 0 ? list : listOf(answer, "models");
  return named.flatMap(({ id, name }) => {
    const found = id ?? name;
    return typeof found === "string" ? [found.replace(/^models\//, "")] : [];
  });
}
