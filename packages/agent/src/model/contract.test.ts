import type { AgentMessage, AssistantMessage } from "@bough/session/entry/index.js";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { LanguageModel, ModelEvent, ModelFailure, ModelRequest } from "./language-model.js";
import { READ_TOOL } from "./mixed-context.test-support.js";
import { openModel } from "./open-model.js";
import { unreadableInput } from "./unreadable-call.js";
import { infoOf, PROTOCOLS, SPOKEN_USAGE, type Spoken, says } from "./wire-protocols.test-support.js";
import { type WireServer, wireServer } from "./wire-server.test-support.js";

const KEY = "sk-secret-0123456789";
const HELLO: AgentMessage = { role: "user", content: "Hello", timestamp: 1 };
const REQUEST: ModelRequest = { system: "Be brief.", messages: [HELLO], tools: [READ_TOOL], thinkingLevel: "low" };

type End = Extract<ModelEvent, { type: "end" }>;

async function run(model: LanguageModel, request: ModelRequest = REQUEST, signal?: AbortSignal) {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request, { now: () => 77, ...(signal && { signal }) })) events.push(event);
  expect(events.filter((event) => event.type === "end")).toHaveLength(1);
  const end = events.at(-1) as End;
  expect(end.type).toBe("end");
  return { events, ...end };
}

/** The whole step, as assembled from the events. */
function heard(events: readonly ModelEvent[], type: "text" | "thinking"): string {
  return events.map((event) => (event.type === type ? event.delta : "")).join("");
}

function result(id: string, text: string): AgentMessage {
  const content = [{ type: "text", text }] as const;
  return { role: "toolResult", toolCallId: id, toolName: "read", content, isError: false, timestamp: 2 };
}

/** The model's own last answer in a request. */
function secondTurn(body: unknown): unknown {
  const { messages, contents, input } = body as Record<string, { role?: string; type?: string }[] | undefined>;
  const list = messages ?? contents ?? input ?? [];
  return list.filter(
    ({ role, type }) => role === "assistant" || role === "model" || type === "reasoning" || type === "function_call",
  );
}

const CALLS = [
  { id: "c1", path: "a" },
  { id: "c2", path: "b" },
];

const SECOND_TURNS: Readonly<Record<string, unknown>> = {
  "anthropic-messages": [
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "First this.\n\nThen that.", signature: "SIGNATURE-1" },
        { type: "text", text: "Reading." },
        ...CALLS.map(({ id, path }) => ({ type: "tool_use", id, name: "read", input: { path } })),
      ],
    },
  ],
  "openai-responses": [
    {
      type: "reasoning",
      id: "rs_0",
      encrypted_content: "SIGNATURE-1",
      summary: [
        { type: "summary_text", text: "First this." },
        { type: "summary_text", text: "Then that." },
      ],
    },
    { role: "assistant", id: "msg_SIGNATURE2", content: [{ type: "output_text", text: "Reading." }] },
    ...CALLS.map(({ id, path }) => ({
      type: "function_call",
      call_id: id,
      name: "read",
      arguments: JSON.stringify({ path }),
    })),
  ],
  "openai-completions": [
    {
      role: "assistant",
      content: "Reading.",
      reasoning_content: "First this.\n\nThen that.",
      tool_calls: CALLS.map(({ id, path }) => ({
        id,
        type: "function",
        function: { name: "read", arguments: JSON.stringify({ path }) },
      })),
    },
  ],
  "google-generative-ai": [
    {
      role: "model",
      parts: [
        { text: "First this.\n\nThen that.", thought: true, thoughtSignature: "SIGNATURE-1" },
        { text: "Reading.", thoughtSignature: "msg_SIGNATURE2" },
        { functionCall: { id: "c1", name: "read", args: { path: "a" } }, thoughtSignature: "SIGNATURE-3" },
        { functionCall: { id: "c2", name: "read", args: { path: "b" } } },
      ],
    },
  ],
};

describe.each(PROTOCOLS)("a model behind $api", (protocol) => {
  let server: WireServer;
  let model: LanguageModel;

  beforeEach(async () => {
    server = await wireServer();
    model = openModel({ info: infoOf(protocol, server.origin), apiKey: () => KEY });
  });
  afterEach(() => server.close());

  const maker = { api: protocol.api, provider: protocol.provider, model: protocol.model };
  /** Google sends the input of a call as one object, so it cannot be invalid or partial. */
  const sendsObjects = protocol.api === "google-generative-ai";
  const cacheWrite = protocol.api === "anthropic-messages" ? SPOKEN_USAGE.cacheWrite : 0;

  test("streams text and ends with the whole message, its usage without cached tokens in the input, and its cost", async () => {
    server.reply(says(protocol, { parts: [{ text: "Good morning" }], stop: "stop" }));
    const { events, message, failure } = await run(model);
    expect(failure).toBeUndefined();
    expect(events.filter((event) => event.type === "text").length).toBeGreaterThan(1);
    expect(heard(events, "text")).toBe("Good morning");
    const { input, output, cacheRead, reasoning } = SPOKEN_USAGE;
    expect(message.content.map((block) => ({ ...block, textSignature: undefined }))).toEqual([
      { type: "text", text: "Good morning", textSignature: undefined },
    ]);
    expect({ ...message, content: [], responseId: typeof message.responseId }).toEqual({
      role: "assistant",
      content: [],
      ...maker,
      usage: {
        input,
        output,
        cacheRead,
        cacheWrite,
        reasoning,
        totalTokens: input + output + cacheRead + cacheWrite,
        cost: {
          input: (input * 3) / 1e6,
          output: (output * 15) / 1e6,
          cacheRead: (cacheRead * 0.3) / 1e6,
          cacheWrite: (cacheWrite * 3.75) / 1e6,
          total: expect.closeTo((input * 3 + output * 15 + cacheRead * 0.3 + cacheWrite * 3.75) / 1e6, 12),
        },
      },
      stopReason: "stop",
      responseId: "string",
      timestamp: 77,
    });
    expect(server.requests.map((request) => protocol.path.test(request.path))).toEqual([true]);
    expect(JSON.stringify(server.requests[0]?.headers)).toContain(KEY);
  });

  test("writes no cost where the price is not known", async () => {
    server.reply(says(protocol, { parts: [{ text: "Hi" }], stop: "stop" }));
    const unpriced = openModel({ info: { ...infoOf(protocol, server.origin), prices: undefined }, apiKey: () => KEY });
    const { message } = await run(unpriced);
    expect(message.usage).not.toHaveProperty("cost");
    expect(message.usage.input).toBe(SPOKEN_USAGE.input);
  });

  test("keeps blocks in order, and gives reasoning back to its maker with its signature", async () => {
    const spoken: Spoken = {
      parts: [
        { thinking: "First this.\n\nThen that.", signature: "SIGNATURE-1" },
        { text: "Reading.", signature: "msg_SIGNATURE2" },
        { call: "c1", name: "read", input: '{"path":"a"}', signature: "SIGNATURE-3" },
        { call: "c2", name: "read", input: '{"path":"b"}' },
      ],
      stop: "toolUse",
    };
    server.reply(says(protocol, spoken), says(protocol, { parts: [{ text: "Done" }], stop: "stop" }));
    const { events, message } = await run(model);
    expect(heard(events, "thinking")).toBe("First this.\n\nThen that.");
    expect(events.filter((event) => event.type === "tool_call").map((event) => event.call.id)).toEqual(["c1", "c2"]);
    const inputs = events.filter((event) => event.type === "tool_input" && event.id === "c2");
    expect(inputs.map((event) => (event as { delta: string }).delta).join("")).toBe('{"path":"b"}');
    expect(message.stopReason).toBe("toolUse");
    expect(message.content.map((block) => block.type)).toEqual(["thinking", "text", "toolCall", "toolCall"]);
    expect(message.content[3]).toEqual({ type: "toolCall", id: "c2", name: "read", arguments: { path: "b" } });

    // Round trip through the session file, as after a restart.
    const stored = JSON.parse(JSON.stringify(message)) as AssistantMessage;
    await run(model, { ...REQUEST, messages: [HELLO, stored, result("c1", "A"), result("c2", "B")] });
    expect(secondTurn(server.requests[1]?.body)).toEqual(SECOND_TURNS[protocol.api]);
  });

  test.skipIf(sendsObjects)(
    "keeps input that is not JSON, so that the call can be answered with an error",
    async () => {
      server.reply(says(protocol, { parts: [{ call: "c1", name: "read", input: '{"path": oops' }], stop: "toolUse" }));
      const { message, failure } = await run(model);
      expect(failure).toBeUndefined();
      expect(message.stopReason).toBe("toolUse");
      const [call] = message.content;
      expect(call).toEqual({ type: "toolCall", id: "c1", name: "read", arguments: {}, partialJson: '{"path": oops' });
      expect(call?.type === "toolCall" && unreadableInput(call)).toBe('{"path": oops');
    },
  );

  test("says when the answer was cut off by the output limit", async () => {
    server.reply(says(protocol, { parts: [{ text: "And so" }], stop: "length" }));
    const { message, failure } = await run(model);
    expect({ stopReason: message.stopReason, failure }).toEqual({ stopReason: "length", failure: undefined });
  });

  test.each<[string, number, string, Record<string, string>, Partial<ModelFailure>]>([
    ["a wrong key", 401, "authentication_error", {}, { kind: "auth", retryable: false, status: 401 }],
    ["a key without rights", 403, "permission_error", {}, { kind: "auth", retryable: false, status: 403 }],
    [
      "too many requests",
      429,
      "rate_limit_error",
      { "retry-after": "3" },
      { kind: "rate-limit", retryable: true, status: 429, retryAfterMs: 3000 },
    ],
    ["a fault of the server", 500, "api_error", {}, { kind: "server", retryable: true, status: 500 }],
    ["an overload", 529, "overloaded_error", {}, { kind: "overloaded", retryable: true, status: 529 }],
    ["an unavailable server", 503, "UNAVAILABLE", {}, { kind: "overloaded", retryable: true, status: 503 }],
    ["an unknown model", 404, "not_found_error", {}, { kind: "bad-request", retryable: false, status: 404 }],
  ])("reports %s as such, after one request, without the key", async (_name, status, type, headers, expected) => {
    server.reply({ status, headers, body: protocol.failure(status, `It went wrong with ${KEY}`, type) });
    const { message, failure } = await run(model);
    expect(failure).toMatchObject(expected);
    expect(failure?.message).toContain("It went wrong with [key]");
    expect(failure?.hint).toMatch(/\w/);
    expect(JSON.stringify({ message, failure })).not.toContain(KEY);
    expect(message).toMatchObject({ ...maker, content: [], stopReason: "error", errorMessage: failure?.message });
    expect(server.requests).toHaveLength(1);
  });

  test("knows a conversation that is too long", async () => {
    const { status, message: said, type } = protocol.overflow;
    server.reply({ status, body: protocol.failure(status, said, type) });
    const { failure } = await run(model);
    expect(failure).toMatchObject({ kind: "context-overflow", retryable: false, status });
  });

  test("reports a page of a proxy in place of an answer", async () => {
    server.reply({ status: 502, headers: { "content-type": "text/html" }, body: "<html>Bad gateway</html>" });
    const { failure } = await run(model);
    expect(failure).toMatchObject({ kind: "server", retryable: true, status: 502 });
  });

  test("reports a server that is not there", async () => {
    await server.close();
    const { failure, message } = await run(model);
    expect(failure).toMatchObject({ kind: "network", retryable: true });
    expect(failure?.hint).toContain(server.origin);
    expect(message.stopReason).toBe("error");
  });

  test("an abort closes the connection and keeps what had arrived", async () => {
    const frames = protocol.frames({ parts: [{ text: "Half of it" }], stop: "stop" });
    const withText = frames.findIndex((frame) => frame.includes("Half "));
    server.reply({ frames: frames.slice(0, withText + 1), after: "wait" });
    const abort = new AbortController();
    const events: ModelEvent[] = [];
    for await (const event of model.stream(REQUEST, { now: () => 77, signal: abort.signal })) {
      events.push(event);
      if (event.type === "text") abort.abort();
    }
    await server.requests[0]?.closedEarly;
    const { message, failure } = events.at(-1) as End;
    expect(failure).toBeUndefined();
    expect(message).toMatchObject({ ...maker, content: [{ type: "text", text: "Half " }], stopReason: "aborted" });
    expect(message).not.toHaveProperty("errorMessage");
  });

  test("an abort before the first word ends at once", async () => {
    server.reply({ frames: [], after: "wait" });
    const abort = new AbortController();
    const running = run(model, REQUEST, abort.signal);
    await expect.poll(() => server.requests.length).toBe(1);
    abort.abort();
    const { message, failure } = await running;
    await server.requests[0]?.closedEarly;
    expect({ stopReason: message.stopReason, content: message.content, failure }).toEqual({
      stopReason: "aborted",
      content: [],
      failure: undefined,
    });
  });

  test("a server that goes silent, before or during its answer, is a retryable failure that keeps what had arrived", async () => {
    const frames = protocol.frames({ parts: [{ text: "Half of it" }], stop: "stop" });
    const withText = frames.findIndex((frame) => frame.includes("Half "));
    for (const some of [0, withText + 1]) {
      server.reply({ frames: frames.slice(0, some), after: "wait" });
      let end: End | undefined;
      for await (const event of model.stream(REQUEST, { now: () => 77, idleTimeoutMs: 300 })) {
        if (event.type === "end") end = event;
      }
      await server.requests.at(-1)?.closedEarly;
      expect(end?.failure).toMatchObject({ kind: "network", retryable: true });
      expect(end?.failure?.message).toContain("did not answer in time");
      expect(end?.message.content).toMatchObject(some === 0 ? [] : [{ type: "text", text: "Half " }]);
    }
  });

  test("sends no request if it was stopped before it started", async () => {
    const { message } = await run(model, REQUEST, AbortSignal.abort());
    expect(message.stopReason).toBe("aborted");
    expect(server.requests).toEqual([]);
  });

  test("an answer that is broken JSON under status 200 cannot be read, and is asked for again", async () => {
    server.reply({ status: 200, body: '{"id": "m", "content": [' });
    const { failure } = await run(model);
    expect(failure).toMatchObject({ kind: "server", retryable: true });
    expect(failure?.message).toContain("sent an answer that cannot be read");
  });

  test("so can a stream whose first event is broken: it has no status but 200", async () => {
    server.reply({ frames: ['data: {"type":"mess\n\n'], after: "end" });
    const { failure } = await run(model);
    expect(failure).toMatchObject({ kind: "server", retryable: true });
    expect(failure).not.toHaveProperty("status");
    expect(failure?.message).toContain("sent an answer that cannot be read");
  });

  test("leaving the loop closes the connection", async () => {
    const frames = protocol.frames({ parts: [{ text: "Half of it" }], stop: "stop" });
    server.reply({ frames: frames.slice(0, -2), after: "wait" });
    for await (const event of model.stream(REQUEST, { now: () => 77 })) if (event.type === "text") break;
    await server.requests[0]?.closedEarly;
  });

  test.each(["cut", "end"] as const)(
    "a stream that stops in the middle (%s) is a network failure and keeps what had arrived",
    async (after) => {
      const spoken: Spoken = {
        parts: [{ text: "Half of it" }, { call: "c1", name: "read", input: '{"path":"a"}' }],
        stop: "toolUse",
      };
      const frames = protocol.frames(spoken);
      const withText = frames.findLastIndex((frame) => frame.includes("of it"));
      server.reply({ frames: frames.slice(0, withText + 1), after });
      const { message, failure } = await run(model);
      expect(failure).toMatchObject({ kind: "network", retryable: true });
      expect(message).toMatchObject({ stopReason: "error", content: [{ type: "text", text: "Half of it" }] });
    },
  );

  test.skipIf(sendsObjects)("a call with truncated input is not a call", async () => {
    const spoken: Spoken = { parts: [{ call: "c1", name: "read", input: '{"path":"a"}' }], stop: "toolUse" };
    const frames = protocol.frames(spoken);
    const half = frames.findIndex((frame) => frame.includes('{\\"path'));
    server.reply({ frames: frames.slice(0, half + 1), after: "end" });
    const { message, failure } = await run(model);
    expect(failure).toMatchObject({ kind: "network", retryable: true });
    expect(message.content).toEqual([]);
  });

  test("a stream that is not what the protocol says is a fault of the server", async () => {
    server.reply({ frames: ["data: {not json\n\n"], after: "end" });
    const { failure } = await run(model);
    expect(failure).toMatchObject({ kind: "server", retryable: true });
  });

  test("nothing is sent without a required key", async () => {
    const keyless = openModel({
      info: infoOf(protocol, server.origin),
      apiKey: () => undefined,
      needsKey: { variables: ["SOME_API_KEY"] },
    });
    const { message, failure } = await run(keyless);
    expect(failure).toMatchObject({ kind: "no-key", retryable: false, hint: expect.stringContaining("SOME_API_KEY") });
    expect(message.stopReason).toBe("error");
    expect(server.requests).toEqual([]);
  });
});
