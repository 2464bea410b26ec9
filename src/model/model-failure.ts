import { defined, parsedJson } from "../text/index.js";
import type { ModelFailure, ModelInfo } from "./language-model.js";
import { redactKeys } from "./redact-keys.js";

type Kind = ModelFailure["kind"];

/** How providers say that the conversation is too long. */
export const OVERFLOW_PATTERNS: readonly RegExp[] = [
  /(?:prompt|input) (?:is )?too long/i,
  /input length and `?max_tokens`? exceed context limit/i,
  /context_length_exceeded|exceed_context_size_error|model_context_window_exceeded|request_too_large/i,
  /exceeds? (?:the |this )?(?:model'?s? )?(?:maximum |available )?context/i,
  /context length exceeded|exceeded model token limit|maximum allowed input length/i,
  /maximum (?:context|input) length/i,
  /range of input length should be/i,
  /too large for model with \d+ maximum context/i,
  /longer than the model's context/i,
  /input token count.{0,60}exceeds the maximum/i,
  /maximum (?:model|prompt) length/i,
  /(?:greater|longer|larger) than the (?:context|maximum model) length/i,
  /context (?:length|size|window) (?:of only|exceeded|exceeds|is too)/i,
  /reduce the length of the messages/i,
];
const NO_MONEY =
  /insufficient_quota|exceeded your current quota|credit balance is too low|insufficient (?:credits|balance|funds)/i;
const WRONG_KEY =
  /api key not valid|invalid api key|invalid x-api-key|incorrect api key|invalid_api_key|authentication_error|UNAUTHENTICATED/i;
const OVERLOAD = /overloaded/i;
const UNREADABLE = new Set([
  "AI_TypeValidationError",
  "AI_JSONParseError",
  "AI_InvalidResponseDataError",
  "AI_EmptyResponseBodyError",
]);

const RETRYABLE: ReadonlySet<Kind> = new Set(["rate-limit", "overloaded", "server", "network"]);

interface FailureContext {
  readonly info: ModelInfo;
  readonly apiKey: string | undefined;
  /** Milliseconds. */
  readonly now: number;
}

/** What went wrong, as something a user and the agent can act on. Says what was said, without any key. */
export function modelFailure(error: unknown, context: FailureContext): ModelFailure {
  const facts = failureFacts(error, context.now);
  const kind = kindOf(facts);
  const broke = NO_MONEY.test(facts.text);
  const said = redactKeys(facts.message, context.apiKey).slice(0, 500);
  const who = `${context.info.provider}/${context.info.id}`;
  const hint = broke ? "Check your plan and billing with the provider." : hintFor(kind, context.info);
  return {
    kind,
    message: `${who} ${SAYS[kind]}${facts.status === undefined ? "" : ` (${facts.status})`}: ${said}`,
    ...defined({ hint }),
    retryable: RETRYABLE.has(kind) && !broke,
    ...defined({ retryAfterMs: facts.retryAfterMs, status: facts.status }),
  };
}

/** For a provider that wants a key if there is none. */
export function noKeyFailure(info: ModelInfo, variables: readonly string[]): ModelFailure {
  const named = variables.length === 0 ? "the provider's key variable" : variables.join(" or ");
  return {
    kind: "no-key",
    message: `No key for ${info.provider}`,
    hint: `Set ${named} in the environment, save a key in auth.json, or use offline/rules, which needs none.`,
    retryable: false,
  };
}

/** For an answer the provider ended on its own in a way that is not an answer. */
export function refusedFailure(info: ModelInfo, reason: string | undefined): ModelFailure {
  return {
    kind: "bad-request",
    message: `${info.provider}/${info.id} stopped the answer${reason === undefined ? "" : ` (${reason})`}: its content filter refused`,
    hint: "Rephrase it, or go back to an earlier point in the conversation.",
    retryable: false,
  };
}

const SAYS: Readonly<Record<Kind, string>> = {
  "no-key": "has no key",
  auth: "rejected the key",
  "rate-limit": "rate limited the request",
  overloaded: "is overloaded",
  server: "failed",
  network: "could not be reached or dropped the connection",
  "context-overflow": "rejected the conversation as too long",
  "bad-request": "rejected the request",
  unknown: "failed for an unknown reason",
};

function kindOf(facts: FailureFacts): Kind {
  const { status, text, code } = facts;
  if (facts.name === "AI_LoadAPIKeyError") return "no-key";
  if (facts.broken && status === undefined) return "network";
  if (status === 413) return "context-overflow";
  if (status === 429 || /rate_limit/.test(code)) return "rate-limit";
  if ((status === undefined || status < 500) && OVERFLOW_PATTERNS.some((pattern) => pattern.test(text)))
    return "context-overflow";
  if (status === 401 || status === 403 || WRONG_KEY.test(text)) return "auth";
  if (status === 529 || status === 503 || OVERLOAD.test(code)) return "overloaded";
  if (status === 408) return "network";
  if (status === 409) return "server";
  if (status !== undefined) return status >= 500 ? "server" : "bad-request";
  if (UNREADABLE.has(facts.name) || /api_error|server_error|timeout_error/.test(code)) return "server";
  return /invalid_request|not_found/.test(code) ? "bad-request" : "unknown";
}

function hintFor(kind: Kind, info: ModelInfo): string | undefined {
  switch (kind) {
    case "no-key":
    case "auth":
      return `Check the key for ${info.provider} in the environment or in auth.json.`;
    case "rate-limit":
      return "Wait a little, or choose another model.";
    case "overloaded":
    case "server":
      return "Try again in a while, or choose another model.";
    case "network":
      return info.baseUrl === undefined
        ? "Check your network connection, or use offline/rules."
        : `Check that a server is running at ${info.baseUrl}`;
    case "context-overflow":
      return "Shorten the conversation with /compact, or go back to an earlier point.";
    case "bad-request":
      return `Check that ${info.provider} has a model ${info.id} and that it supports tools.`;
    default:
      return undefined;
  }
}

/** What an error of a provider, of the SDK or of the network says, whatever its shape. */
interface FailureFacts {
  readonly name: string;
  readonly message: string;
  /** The provider's word for it, such as `overloaded_error`; several joined by spaces. */
  readonly code: string;
  /** Everything that was said, for patterns. */
  readonly text: string;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  /** The connection failed or broke. */
  readonly broken: boolean;
}

const BROKEN_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EPIPE",
  "ETIMEDOUT",
]);
const BROKEN_TEXT = /fetch failed|terminated|cannot connect|socket|other side closed|network|ended without a finish/i;

function failureFacts(error: unknown, now: number): FailureFacts {
  const facts = record(error);
  const body = bodyOf(facts);
  const inner = record(body.error ?? record(body.response).error ?? body);
  const message =
    firstText(inner.message, facts.message, typeof error === "string" ? error : undefined) ?? "no reason given";
  const code = [inner.type, inner.code, inner.status, facts.type, facts.code].filter(
    (word) => typeof word === "string",
  );
  const status = firstNumber(facts.statusCode, facts.status, inner.code);
  return {
    name: firstText(facts.name) ?? "",
    message: message.replace(/\s+/g, " ").trim(),
    code: [...new Set(code)].join(" "),
    text: `${message} ${code.join(" ")} ${typeof facts.responseBody === "string" ? facts.responseBody : ""}`,
    status: status !== undefined && status >= 400 && status < 600 ? status : undefined,
    retryAfterMs: retryAfter(
      record(facts.responseHeaders),
      typeof facts.responseBody === "string" ? facts.responseBody : "",
      now,
    ),
    broken: isBroken(error),
  };
}

function bodyOf(facts: Record<string, unknown>): Record<string, unknown> {
  if (typeof facts.responseBody === "string") {
    const body = parsedJson(facts.responseBody);
    // A page of a proxy, or nothing; the SDK's message has to do.
    if (body === undefined) return record(facts.data);
    // Google wraps the error of a failed stream into a list.
    return record(Array.isArray(body) ? body[0] : body);
  }
  return record(facts.data ?? facts);
}

/** Walks the causes, because the SDK and `fetch` wrap what the socket said. */
function isBroken(error: unknown): boolean {
  let current: unknown = error;
  for (let depth = 0; depth < 6 && current instanceof Error; depth++) {
    const { code, statusCode } = current as Error & { code?: unknown; statusCode?: unknown };
    if (typeof statusCode === "number" && statusCode >= 400) return false;
    if (typeof code === "string" && (BROKEN_CODES.has(code) || code.startsWith("UND_ERR_"))) return true;
    if (current.name === "TimeoutError" || current.name === "AbortError") return true;
    if (BROKEN_TEXT.test(current.message)) return true;
    current = current.cause;
  }
  return false;
}

function retryAfter(headers: Record<string, unknown>, body: string, now: number): number | undefined {
  const exact = Number(headers["retry-after-ms"]);
  if (headers["retry-after-ms"] !== undefined && Number.isFinite(exact) && exact >= 0) return exact;
  const header = headers["retry-after"];
  if (typeof header === "string" && header !== "") {
    const seconds = Number(header);
    if (Number.isFinite(seconds)) return Math.max(0, Math.round(seconds * 1000));
    const date = Date.parse(header);
    if (Number.isFinite(date)) return Math.max(0, date - now);
  }
  const delay = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1];
  return delay === undefined ? undefined : Math.round(Number(delay) * 1000);
}

/** Its fields; none for what is not an object. */
export function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === "string" && value.trim() !== "");
}

function firstNumber(...values: readonly unknown[]): number | undefined {
  return values.find((value): value is number => typeof value === "number");
}
