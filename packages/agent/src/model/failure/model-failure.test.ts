import { describe, expect, test } from "vitest";
import { KNOWN_MODELS } from "../catalogue/known-models.js";
import type { ModelFailure, ModelInfo } from "../language-model.js";
import { redactKeys } from "../redact-keys.js";
import { modelFailure } from "./model-failure.js";

const info = KNOWN_MODELS[0] as ModelInfo;
const NOW = Date.parse("2026-01-01T00:00:00Z");

function failure(status: number | undefined, message: string, more: object = {}): ModelFailure {
  const error = Object.assign(new Error(message), { name: "AI_APICallError", statusCode: status, ...more });
  return modelFailure(error, { info, apiKey: "sk-secret-0123456789", now: NOW });
}

describe("a conversation that is too long", () => {
  test.each([
    "prompt is too long: 213462 tokens > 200000 maximum",
    "input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000",
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
    "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
    "the request exceeds the available context size. try increasing the context size",
    "Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens",
    "The decoder prompt (length 9000) is longer than the maximum model length of 8192.",
    "This model's maximum prompt length is 131072 but the request contains 200000 tokens.",
    "Please reduce the length of the messages or completion.",
  ])("is known by what providers say: %s", (message) => {
    expect(failure(400, message)).toMatchObject({ kind: "context-overflow", retryable: false });
  });

  test("is not what a request with another mistake is", () => {
    expect(failure(400, "messages.3: tool_use ids were found without tool_result blocks").kind).toBe("bad-request");
    expect(
      failure(429, "This request would exceed your organization's rate limit of 30,000 input tokens per minute").kind,
    ).toBe("rate-limit");
  });
});

describe("what the provider asks for", () => {
  test.each([
    [{ "retry-after": "20" }, 20_000],
    [{ "retry-after": "Thu, 01 Jan 2026 00:00:05 GMT" }, 5000],
    [{ "retry-after-ms": "250", "retry-after": "1" }, 250],
    [{ "retry-after": "soon" }, undefined],
  ])("is read from %j", (responseHeaders, expected) => {
    expect(failure(429, "slow down", { responseHeaders }).retryAfterMs).toBe(expected);
  });

  test("is read from Google's answer", () => {
    const responseBody = JSON.stringify({ error: { code: 429, message: "Quota", details: [{ retryDelay: "17s" }] } });
    expect(failure(429, "Quota", { responseBody }).retryAfterMs).toBe(17_000);
  });
});

describe("a failure", () => {
  test("of money is not tried again", () => {
    const body = JSON.stringify({
      error: { code: "insufficient_quota", type: "insufficient_quota", message: "You exceeded your current quota" },
    });
    expect(failure(429, "quota", { responseBody: body })).toEqual({
      kind: "rate-limit",
      reason: "no-credit",
      message: "anthropic/claude-opus-5-5 has no credit left (429): You exceeded your current quota",
      hint: "Add credit or change your plan with anthropic.",
      retryable: false,
      status: 429,
    });
  });

  test("of a key that Google calls a bad request is one of the key", () => {
    expect(failure(400, "API key not valid. Please pass a valid API key.").kind).toBe("auth");
  });

  test("of the network is found under what wraps it", () => {
    const socket = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { code: "ECONNREFUSED" });
    const wrapped = new Error("Cannot connect to API", { cause: new TypeError("fetch failed", { cause: socket }) });
    expect(modelFailure(wrapped, { info, apiKey: undefined, now: NOW })).toMatchObject({
      kind: "network",
      retryable: true,
    });
  });

  test("of a connection that broke says so, and not how the network puts it", () => {
    const broken = (message: string) => modelFailure(new TypeError(message), { info, apiKey: undefined, now: NOW });
    expect(broken("terminated")).toEqual({
      kind: "network",
      message: "anthropic/claude-opus-5-5: connection lost",
      hint: "Check your network connection, and send again.",
      retryable: true,
    });
    expect(broken("read ECONNRESET on a socket").message).toBe(
      "anthropic/claude-opus-5-5: connection lost: read ECONNRESET on a socket",
    );
  });

  test("of an answer that is not what the protocol says quotes its start, and is not one of the network", () => {
    const garbled = `{"text": "${"word ".repeat(40)}`;
    const error = Object.assign(
      new Error(`JSON parsing failed: Text: ${garbled}.\nError message: Unterminated string in JSON at position 9`),
      { name: "AI_JSONParseError" },
    );
    expect(modelFailure(error, { info, apiKey: undefined, now: NOW })).toEqual({
      kind: "server",
      message: `anthropic/claude-opus-5-5 sent an answer that cannot be read: ${garbled.slice(0, 79).trimEnd()}…`,
      hint: "Try again later, or choose another model.",
      retryable: true,
    });
  });

  test.each([undefined, null, "oops", 7, {}])("may have any shape: %j", (error) => {
    expect(modelFailure(error, { info, apiKey: undefined, now: NOW })).toMatchObject({
      kind: "unknown",
      retryable: false,
    });
  });
});

test("no key is shown, neither ours nor one quoted by a provider", () => {
  const said =
    "Incorrect API key provided: sk-proj-abcdef1234567890. Also AIzaSyA1234567890abcdef, Bearer abc.def and my-own-key!";
  expect(redactKeys(said, "my-own-key")).toBe("Incorrect API key provided: [key] Also [key], [key] and [key]!");
});
