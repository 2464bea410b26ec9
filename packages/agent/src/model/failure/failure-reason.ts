/** Explains why an account does not work and what to do, in the same words for a step and for `bough doctor`. */
import { KNOWN_PROVIDERS } from "../catalogue/known-providers.js";
import type { ModelFailure, ModelInfo } from "../language-model.js";
import { NetworkError } from "../network/network-error.js";
import type { FailureFacts } from "./failure-facts.js";

type Reason = NonNullable<ModelFailure["reason"]>;

export const NO_MONEY =
  /insufficient_quota|exceeded your current quota|credit balance is too low|insufficient (?:credits|balance|funds)|billing_(?:not_active|hard_limit)/i;
const NO_SUCH_MODEL = /model.{0,80}(?:not found|does not exist|not exist)|model_not_found|unknown model|no such model/i;
const TLS_CODES =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:VERIFY|GET)_.*|CERT_.*|ERR_TLS_.*|ERR_SSL_.*|EPROTO)$/;
const TIMEOUT_CODES = /^(?:ETIMEDOUT|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT)$/;

/** Undefined if the failure is not about the account or the connection to the provider. */
export function failureReason(facts: FailureFacts): Reason | undefined {
  return facts.status === undefined ? connectionReason(facts) : answerReason(facts, facts.status);
}

function answerReason({ text, code }: FailureFacts, status: number): Reason | undefined {
  if (status === 402 || NO_MONEY.test(text)) return "no-credit";
  if (status === 429) return "rate-limit";
  if (status === 401 || /api key not valid|invalid api key|invalid_api_key|incorrect api key/i.test(text))
    return "wrong-key";
  if (status === 403) return "no-rights";
  // If the path itself is unknown, the message does not mention a model.
  if (status === 404 || status === 405) return /model|deployment/i.test(text) ? "unknown-model" : "wrong-address";
  if (/model_not_found/.test(code)) return "unknown-model";
  return status === 400 && NO_SUCH_MODEL.test(text) ? "unknown-model" : undefined;
}

function connectionReason({ chain }: FailureFacts): Reason | undefined {
  for (const error of chain) {
    const { code } = error as Error & { readonly code?: unknown };
    if (error instanceof NetworkError) return error.reason;
    if (error.name === "TimeoutError") return "timeout";
    if (typeof code !== "string") continue;
    if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "dns";
    if (code === "ECONNREFUSED") return "refused";
    if (code === "missing-package") return "missing-package";
    if (TIMEOUT_CODES.test(code)) return "timeout";
    if (TLS_CODES.test(code)) return "tls";
  }
  return undefined;
}

interface Explanation {
  /** Completes a sentence that starts with the name of the model. */
  readonly predicate: string;
  readonly hint: string;
}

export function explained(reason: Reason, info: ModelInfo): Explanation {
  const { provider, id } = info;
  const host = hostOf(info);
  switch (reason) {
    case "no-key":
      return { predicate: "has no key", hint: `Save one with \`bough login ${provider}\`.` };
    case "wrong-key":
      return { predicate: "rejected the key", hint: `Check the key for ${provider}: ${whereKeysAre(provider)}` };
    case "no-rights":
      return {
        predicate: "denied access",
        hint: `The key is valid, but has no access to ${id}. Grant it in your ${provider} account, or choose another model.`,
      };
    case "no-credit":
      return { predicate: "has no credit left", hint: `Add credit or change your plan with ${provider}.` };
    case "rate-limit":
      return { predicate: "rate limited the request", hint: "Wait a moment, or choose another model." };
    case "unknown-model":
      return { predicate: "was not found", hint: unknownModelHint(info) };
    case "dns":
      return {
        predicate: "could not be reached",
        hint: `The name ${host} was not found. Check your network connection${info.baseUrl === undefined ? "" : " and the base URL"}.`,
      };
    case "refused":
      return { predicate: "could not be reached", hint: startHint(info, host) };
    case "tls":
      return {
        predicate: "has a certificate that cannot be verified",
        hint: "If your company inspects TLS, set NODE_EXTRA_CA_CERTS to its certificate file and start again.",
      };
    case "proxy":
      return {
        predicate: "could not be reached through the proxy",
        hint: `Check HTTPS_PROXY and HTTP_PROXY, or add ${host} to NO_PROXY.`,
      };
    case "timeout":
      return { predicate: "did not answer in time", hint: `Check your network connection and that ${host} is up.` };
    case "redirect":
      return {
        predicate: "answered with a redirect that was not followed",
        hint: `If you trust that address, set it as the base URL of ${provider}.`,
      };
    case "clear-text":
      return {
        predicate: "was not contacted",
        hint: `Use an https base URL. If you trust the network, set models.providers.${provider}.allowHttp to true in your settings.`,
      };
    case "wrong-address":
      return { predicate: "was not found at its address", hint: addressHint(info) };
    case "missing-package":
      return { predicate: "needs another package", hint: "Install it next to Bough." };
  }
}

const START: Readonly<Record<string, string>> = {
  ollama: "Start Ollama: ollama serve",
  lmstudio: "Start LM Studio's server: lms server start",
  llamacpp: "Start llama.cpp: llama-server -m <model.gguf> -c 32768 --jinja",
  vllm: "Start vLLM: vllm serve <model>",
};

function startHint({ provider, baseUrl }: ModelInfo, host: string): string {
  const check = `Check that a server is running at ${baseUrl ?? host}`;
  const start = baseUrl === KNOWN_PROVIDERS[provider]?.baseUrl ? START[provider] : undefined;
  return start ?? check;
}

function unknownModelHint({ provider, id, api, baseUrl }: ModelInfo): string {
  if (provider === "ollama") return `Get it with: ollama pull ${id}`;
  const choose = `Check the name with \`bough models\`, and that your account has access to ${id}.`;
  if (baseUrl === undefined) return choose;
  const other =
    api === "openai-responses"
      ? ` If this server has only chat completions, set models.providers.${provider}.api to openai-completions.`
      : "";
  return `${choose} The base URL is ${baseUrl}${other === "" ? "" : `.${other}`}`;
}

function addressHint({ provider, baseUrl, api }: ModelInfo): string {
  const path = api === "google-generative-ai" ? "/v1beta" : "/v1";
  if (baseUrl === undefined)
    return `Check whether something on your network answers instead of ${provider}, such as a login page.`;
  return `Check the base URL ${baseUrl}: it has to be the address of the API, which usually ends in ${path}`;
}

function whereKeysAre(provider: string): string {
  const [variable] = KNOWN_PROVIDERS[provider]?.keyVariables ?? [];
  const save = `\`bough login ${provider}\` saves a new one`;
  return variable === undefined ? `${save}.` : `${save}; ${variable} takes precedence if it is set.`;
}

function hostOf({ baseUrl, provider }: ModelInfo): string {
  return baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl).host : `the server of ${provider}`;
}
