import { parsedJson } from "@bough/session/text/index.js";

/** Facts extracted from an error of a provider, the SDK or the network, whatever its shape. */
export interface FailureFacts {
  readonly name: string;
  readonly message: string;
  /** The provider's error code, such as `overloaded_error`; several are joined by spaces. */
  readonly code: string;
  /** Message, codes and body, for pattern matching. */
  readonly text: string;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  /** The connection failed or broke. */
  readonly broken: boolean;
  /** The error and what caused it, outermost first. */
  readonly chain: readonly Error[];
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
const BROKEN_TEXT =
  /fetch failed|\bterminated\b|cannot connect|socket|other side closed|network|ended without a finish/i;

export function failureFacts(error: unknown, now: number): FailureFacts {
  const facts = record(error);
  const body = bodyOf(facts);
  // If the first event of a stream cannot be read, the SDK makes up a status, and a body from its own error.
  if (typeof facts.responseBody === "string" && typeof body.name === "string" && body.name.startsWith("AI_")) {
    return failureFacts({ name: body.name, message: facts.message }, now);
  }
  const inner = record(body.error ?? record(body.response).error ?? body);
  const given =
    firstText(inner.message, facts.message, typeof error === "string" ? error : undefined) ?? "no reason given";
  const chain = chainOf(error);
  // `fetch` only says that it failed; its cause says why.
  const message = given === "fetch failed" ? (firstText(chain.at(-1)?.message) ?? given) : given;
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
    chain,
  };
}

function bodyOf(facts: Record<string, unknown>): Record<string, unknown> {
  if (typeof facts.responseBody === "string") {
    const body = parsedJson(facts.responseBody);
    // A proxy's web page, or nothing: fall back to the SDK's data.
    if (body === undefined) return record(facts.data);
    // Google wraps the error of a failed stream in a list.
    return record(Array.isArray(body) ? body[0] : body);
  }
  return record(facts.data ?? facts);
}

/** The error and its causes: the SDK and `fetch` wrap the socket's error. */
function chainOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let current = error; current instanceof Error && chain.length < 6; current = current.cause) {
    chain.push(current);
    // A host with several addresses has one error for each.
    if (current instanceof AggregateError && current.errors[0] instanceof Error) chain.push(current.errors[0]);
  }
  return chain;
}

function isBroken(error: unknown): boolean {
  for (const current of chainOf(error)) {
    const { code, statusCode } = current as Error & { code?: unknown; statusCode?: unknown };
    if (typeof statusCode === "number" && statusCode >= 400) return false;
    if (typeof code === "string" && (BROKEN_CODES.has(code) || code.startsWith("UND_ERR_"))) return true;
    if (current.name === "TimeoutError" || current.name === "AbortError") return true;
    if (BROKEN_TEXT.test(current.message)) return true;
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

/** The value as a record; empty if it is not an object. */
export function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === "string" && value.trim() !== "");
}

function firstNumber(...values: readonly unknown[]): number | undefined {
  return values.find((value): value is number => typeof value === "number");
}
