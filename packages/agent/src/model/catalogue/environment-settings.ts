import type { Environment } from "../network/environment.js";
import type { ProviderSettings } from "./models-settings.js";

/**
 * Variables from which other programs, including the vendors' own, read a base URL. `path` is what they append to it.
 */
const BASE_URLS = [
  { provider: "anthropic", variable: "ANTHROPIC_BASE_URL", path: "/v1" },
  { provider: "openai", variable: "OPENAI_BASE_URL", path: "" },
  { provider: "google", variable: "GOOGLE_GEMINI_BASE_URL", path: "/v1beta" },
  { provider: "azure", variable: "AZURE_OPENAI_ENDPOINT", path: "/openai" },
  { provider: "azure", variable: "AZURE_BASE_URL", path: "" },
] as const;

const HEADERS = [
  { provider: "openai", variable: "OPENAI_ORG_ID", header: "openai-organization" },
  { provider: "openai", variable: "OPENAI_PROJECT_ID", header: "openai-project" },
] as const;

/** Provider settings from environment variables. Bough's own settings override them. */
export function environmentSettings(env: Environment): Readonly<Record<string, ProviderSettings>> {
  const found: Record<string, ProviderSettings> = {};
  for (const { provider, variable, path } of BASE_URLS) {
    const value = env[variable]?.trim();
    if (value !== undefined && value !== "") found[provider] = { baseUrl: withPath(value, path) };
  }
  const resource = env.AZURE_RESOURCE_NAME?.trim();
  if (resource && found.azure === undefined) {
    found.azure = { baseUrl: `https://${encodeURIComponent(resource)}.openai.azure.com/openai` };
  }
  const account = env.CLOUDFLARE_ACCOUNT_ID?.trim();
  if (account) {
    found.cloudflare = {
      baseUrl: `https://api.cloudflare.com/client/v4/accounts/${encodeURIComponent(account)}/ai/v1`,
    };
  }
  for (const { provider, variable, header } of HEADERS) {
    const value = env[variable]?.trim();
    if (value) found[provider] = { ...found[provider], headers: { ...found[provider]?.headers, [header]: value } };
  }
  return found;
}

/** Variables with an unusable URL. */
export function badBaseUrls(env: Environment): string[] {
  const bad = BASE_URLS.filter(({ variable }) => {
    const value = env[variable]?.trim();
    return value !== undefined && value !== "" && !/^https?:$/.test(URL.canParse(value) ? new URL(value).protocol : "");
  });
  return bad.map(({ variable }) => variable);
}

/** A URL that already ends in a version is complete. */
function withPath(value: string, path: string): string {
  const url = value.replace(/\/+$/, "");
  return path === "" || /\/(?:v\d+[a-z0-9]*|openai(?:\/v1)?)$/.test(url) ? url : `${url}${path}`;
}
