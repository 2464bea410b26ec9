import { afterEach, beforeEach, expect, test } from "vitest";
import type { ModelEvent } from "./language-model.js";
import { openModel } from "./open-model.js";
import { infoOf, PROTOCOLS, type Protocol } from "./wire-protocols.test-support.js";
import { type WireServer, wireServer } from "./wire-server.test-support.js";

let server: WireServer;
beforeEach(async () => {
  server = await wireServer();
});
afterEach(() => server.close());

async function failureOf(api: string, frames: (protocol: Protocol) => readonly string[], after: "end" | "cut" = "end") {
  const protocol = PROTOCOLS.find((candidate) => candidate.api === api) as Protocol;
  server.reply({ frames: frames(protocol), after });
  const model = openModel({ info: infoOf(protocol, server.origin), apiKey: () => "key-1" });
  let end: ModelEvent | undefined;
  for await (const event of model.stream(
    { system: "", messages: [{ role: "user", content: "Hello", timestamp: 1 }], tools: [], thinkingLevel: "off" },
    { now: () => 0 },
  )) {
    end = event;
  }
  if (end?.type !== "end") throw new Error("bug: the last event is not an end");
  return { failure: end.failure, stopReason: end.message.stopReason, content: end.message.content };
}

const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`;

test("Anthropic: an overload that comes as the first event", async () => {
  const frame = data({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } });
  expect(await failureOf("anthropic-messages", () => [frame])).toMatchObject({
    failure: { kind: "overloaded", retryable: true, status: 529 },
    stopReason: "error",
    content: [],
  });
});

test("Anthropic: an overload in the middle of an answer keeps the partial answer", async () => {
  const frame = data({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } });
  const frames = (protocol: Protocol) => [
    ...protocol.frames({ parts: [{ text: "Half" }], stop: "stop" }).slice(0, 4),
    frame,
  ];
  expect(await failureOf("anthropic-messages", frames)).toMatchObject({
    failure: { kind: "overloaded", retryable: true },
    stopReason: "error",
    content: [{ type: "text", text: "Half" }],
  });
});

test("Anthropic: a refusal is not an answer and is not retried", async () => {
  const frames = (protocol: Protocol) =>
    protocol
      .frames({ parts: [{ text: "I will not" }], stop: "stop" })
      .map((frame) => frame.replace("end_turn", "refusal"));
  expect(await failureOf("anthropic-messages", frames)).toMatchObject({
    failure: { kind: "bad-request", retryable: false },
    stopReason: "error",
    content: [{ type: "text", text: "I will not" }],
  });
});

test("OpenAI: a response that failed says why", async () => {
  const frames = [
    data({ type: "response.created", response: { id: "resp_1", created_at: 1, model: "m" } }),
    data({
      type: "response.failed",
      sequence_number: 1,
      response: { error: { code: "rate_limit_exceeded", message: "Too fast" } },
    }),
  ];
  expect(await failureOf("openai-responses", () => frames)).toMatchObject({
    failure: { kind: "rate-limit", retryable: true },
  });
});

test("compatible servers: an error among the pieces of an answer", async () => {
  const frames = (protocol: Protocol) => [
    ...protocol.frames({ parts: [{ text: "Half" }], stop: "stop" }).slice(0, 3),
    data({ error: { message: "the request exceeds the available context size", type: "exceed_context_size_error" } }),
  ];
  expect(await failureOf("openai-completions", frames)).toMatchObject({
    failure: { kind: "context-overflow", retryable: false },
    content: [{ type: "text", text: "Half" }],
  });
});

test("Google: a call the model garbled is worth another try", async () => {
  const frames = [
    data({ candidates: [{ index: 0, content: { parts: [] }, finishReason: "MALFORMED_FUNCTION_CALL" }] }),
  ];
  expect(await failureOf("google-generative-ai", () => frames)).toMatchObject({
    failure: { kind: "server", retryable: true },
    stopReason: "error",
  });
});

test("Google: an answer the filter stopped", async () => {
  const frames = [data({ candidates: [{ index: 0, content: { parts: [{ text: "As" }] }, finishReason: "SAFETY" }] })];
  expect(await failureOf("google-generative-ai", () => frames)).toMatchObject({
    failure: { kind: "bad-request", retryable: false, message: expect.stringContaining("SAFETY") },
  });
});

test.each(PROTOCOLS)("$api: a connection that breaks after the last word has done no harm", async ({ api }) => {
  const frames = (protocol: Protocol) => protocol.frames({ parts: [{ text: "All of it" }], stop: "stop" });
  expect(await failureOf(api, frames, "cut")).toMatchObject({
    failure: undefined,
    stopReason: "stop",
    content: [{ type: "text", text: "All of it" }],
  });
});
