import { defined, titleOf } from "@bough/session/text/index.js";
import type { ModelFailure, ModelInfo } from "../language-model.js";
import type { ModelError } from "../model-error.js";
import { redactKeys } from "../redact-keys.js";
import { type FailureFacts, failureFacts } from "./failure-facts.js";
import { explained, failureReason, NO_MONEY } from "./failure-reason.js";

/** Of what a provider says. */
type Kind = Exclude<ModelFailure["kind"], "no-output">;

/** How providers report that the conversation is too long. */
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
const WRONG_KEY =
  /api key not valid|invalid api key|invalid x-api-key|incorrect api key|invalid_api_key|authentication_error|UNAUTHENTICATED/i;
const OVERLOAD = /overloaded/i;
/** The server answered, but not with what its protocol says. */
const GARBLED = new Set(["AI_TypeValidationError", "AI_JSONParseError", "NotAStream"]);
const UNREADABLE = new Set([...GARBLED, "AI_InvalidResponseDataError", "AI_EmptyResponseBodyError"]);

/** What `fetch` and the stream say of a connection that broke; the message says that already. */
const SAYS_NO_MORE =
  /^(?:terminated|fetch failed|other side closed|(?:the|response) stream ended without a finish(?: reason)?\.?)$/i;

/** Retrying does not help with these. */
const LASTING = new Set<ModelFailure["reason"]>([
  "no-credit",
  "tls",
  "proxy",
  "redirect",
  "unknown-model",
  "clear-text",
  "wrong-address",
]);
const RETRYABLE: ReadonlySet<Kind> = new Set(["rate-limit", "overloaded", "server", "network"]);

interface FailureContext {
  readonly info: ModelInfo;
  readonly apiKey: string | undefined;
  /** Milliseconds. */
  readonly now: number;
}

/** Turns an error into a failure that the user and the agent can act on. Quotes the original message without keys. */
export function modelFailure(error: unknown, context: FailureContext): ModelFailure {
  const facts = failureFacts(error, context.now);
  const kind = kindOf(facts);
  const reason = failureReason(facts);
  const { info } = context;
  const known = reason === undefined ? undefined : explained(reason, info);
  const quoted = redactKeys(wordsOf(facts), context.apiKey).slice(0, 500);
  const hint = hintOf(error) ?? known?.hint ?? hintFor(kind);
  const status = facts.status === undefined ? "" : ` (${facts.status})`;
  const happened = known?.predicate ?? predicateOf(kind, facts);
  const message = `${nameOf(info)}${happened.startsWith(":") ? "" : " "}${happened}${status}`;
  return defined({
    kind,
    reason,
    message: SAYS_NO_MORE.test(quoted) ? message : `${message}: ${quoted}`,
    hint,
    retryable: RETRYABLE.has(kind) && !(reason !== undefined && LASTING.has(reason)) && !NO_MONEY.test(facts.text),
    retryAfterMs: facts.retryAfterMs,
    status: facts.status,
  });
}

/** If an account is checked without a model, there is only the name of the provider. */
function nameOf({ provider, id }: ModelInfo): string {
  return id === "" ? provider : `${provider}/${id}`;
}

/** Bough's own errors, such as one about a missing package, have their own hint. */
function hintOf(error: unknown): string | undefined {
  const hint = (error as { readonly hint?: unknown } | null | undefined)?.hint;
  return typeof hint === "string" ? hint : undefined;
}

/** The failure for a provider whose key is missing. */
export function noKeyFailure(info: ModelInfo, variables: readonly string[]): ModelFailure {
  const named = variables.length === 0 ? "the provider's key variable" : variables.join(" or ");
  return {
    kind: "no-key",
    reason: "no-key",
    message: `No key for ${info.provider}`,
    hint: `Run \`bough login ${info.provider}\` or set ${named}. The model offline/rules needs no key.`,
    retryable: false,
  };
}

/** The failure for a key that could not be had: a login that was not renewed, a command that failed. */
export function keyFailure({ message, hint }: ModelError): ModelFailure {
  return { kind: "no-key", reason: "no-key", message, ...defined({ hint }), retryable: false };
}

/** The failure for an answer that the provider's content filter stopped. */
export function refusedFailure(info: ModelInfo, reason: string | undefined): ModelFailure {
  return {
    kind: "bad-request",
    message: `${info.provider}/${info.id} stopped the answer${reason === undefined ? "" : ` (${reason})`}: blocked by its content filter`,
    hint: "Rephrase it, or go back to an earlier point in the conversation.",
    retryable: false,
  };
}

const PREDICATES: Readonly<Record<Kind, string>> = {
  "no-key": "has no key",
  auth: "rejected the key",
  "rate-limit": "rate limited the request",
  overloaded: "is overloaded",
  server: "failed",
  network: ": connection lost",
  "context-overflow": "rejected the conversation as too long",
  "bad-request": "rejected the request",
  unknown: "failed for an unknown reason",
};

function kindOf(facts: FailureFacts): Kind {
  const { status, text, code } = facts;
  if (facts.name === "AI_LoadAPIKeyError") return "no-key";
  if (status === undefined && GARBLED.has(facts.name)) return "server";
  if (status === undefined && (facts.broken || facts.chain.some(({ name }) => name === "NetworkError")))
    return "network";
  if (status === 413) return "context-overflow";
  if (status === 429 || /rate_limit/.test(code)) return "rate-limit";
  if ((status === undefined || status < 500) && OVERFLOW_PATTERNS.some((pattern) => pattern.test(text)))
    return "context-overflow";
  if (status === 401 || status === 403 || WRONG_KEY.test(text)) return "auth";
  if (status === 402) return "rate-limit";
  if (status === 529 || status === 503 || OVERLOAD.test(code)) return "overloaded";
  if (status === 408) return "network";
  if (status === 409) return "server";
  if (status !== undefined) return status >= 500 ? "server" : "bad-request";
  if (UNREADABLE.has(facts.name) || /api_error|server_error|timeout_error/.test(code)) return "server";
  return /invalid_request|not_found/.test(code) ? "bad-request" : "unknown";
}

function predicateOf(kind: Kind, { name, status }: FailureFacts): string {
  return status === undefined && GARBLED.has(name) ? "sent an answer that cannot be read" : PREDICATES[kind];
}

/** The start of what could not be parsed, from the parser's message. */
function wordsOf({ message }: FailureFacts): string {
  const [, garbled] = /^JSON parsing failed: Text: (.*)\. Error message: /.exec(message) ?? [];
  return garbled === undefined ? message : titleOf(garbled, 80);
}

function hintFor(kind: Kind): string | undefined {
  switch (kind) {
    case "overloaded":
    case "server":
      return "Try again later, or choose another model.";
    case "context-overflow":
      return "Shorten the conversation with /compact, or go back to an earlier point.";
    case "network":
      return "Check your network connection, and send again.";
    case "bad-request":
      return "Check that the model supports tools, or choose another one.";
    default:
      return undefined;
  }
}
