import { scriptedModel } from "@bough/agent/agent/scripted-model.test-support.js";
import type { ModelEvent, ModelInfo } from "@bough/agent/model/index.js";
import type { AssistantMessage } from "@bough/session/entry/index.js";
import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import {
  type ApiProvider,
  completeSimple,
  registerApiProvider,
  requestOf,
  resetApiProviders,
  useRegistry,
} from "./ask-model.js";
import { createAssistantMessageEventStream } from "./event-stream.js";
import { clampThinkingLevel, fromPiModel, type PiModel, toPiModel } from "./pi-model.js";
import {
  isContextOverflow,
  isRetryableAssistantError,
  parseStreamingJson,
  StringEnum,
  uuidv7,
} from "./small-helpers.js";
import { AnswerTeller, fromToldEvent } from "./told-events.js";
import { collapseSystemMessages, getCurrentSystemPrompt, getCurrentTools, normalizeContext } from "./transcript.js";
import { validateToolArguments } from "./validate-arguments.js";

const info: ModelInfo = {
  provider: "p",
  id: "m",
  name: "M",
  api: "openai-completions",
  contextWindow: 10,
  maxOutput: 5,
  reasoning: true,
  images: true,
  prices: undefined,
};

describe("models", () => {
  test("a model keeps everything on the way to pi and back, and stays one object", () => {
    const model = toPiModel(info);
    expect(model).toEqual({
      id: "m",
      name: "M",
      api: "openai-completions",
      provider: "p",
      baseUrl: "",
      reasoning: true,
      input: ["text", "image"],
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      contextWindow: 10,
      maxTokens: 5,
    });
    expect([fromPiModel(model), toPiModel(info)]).toEqual([info, model]);
    expect(fromPiModel(model)).toBe(info);
    expect(() => fromPiModel({ ...model, api: "smoke-signals" })).toThrow(
      "uses smoke-signals, which Bough does not support",
    );
  });

  test("a thinking level is lowered to one that the model has", () => {
    const model = { ...toPiModel(info), thinkingLevelMap: { high: null } } as PiModel;
    expect(["off", "low", "high", "xhigh"].map((level) => clampThinkingLevel(model, level))).toEqual([
      "off",
      "low",
      "medium",
      "medium",
    ]);
    expect(clampThinkingLevel({ ...model, reasoning: false }, "low")).toBe("off");
  });
});

test("an answer is emitted block by block, and can be parsed again", () => {
  const teller = new AnswerTeller(info, 7);
  const call = { type: "toolCall", id: "1", name: "read", arguments: { path: "a" } } as const;
  const message = {
    role: "assistant",
    content: [{ type: "text", text: "hi" }, call],
    api: "a",
    provider: "p",
    model: "m",
    usage: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
    stopReason: "toolUse",
    timestamp: 7,
  } as AssistantMessage;
  const events: ModelEvent[] = [
    { type: "thinking", delta: "hm" },
    { type: "text", delta: "h" },
    { type: "text", delta: "i" },
    { type: "tool_input", id: "1", name: "read", delta: '{"path":"a"}' },
    { type: "tool_call", call },
    { type: "end", message },
  ];
  const told = events.flatMap((event) => teller.tell(event));
  expect(told.map(({ type }) => type)).toEqual([
    "start",
    "thinking_start",
    "thinking_delta",
    "thinking_end",
    "text_start",
    "text_delta",
    "text_delta",
    "text_end",
    "toolcall_start",
    "toolcall_delta",
    "toolcall_end",
    "done",
  ]);
  expect(told.at(-1)).toMatchObject({ reason: "toolUse", message: { usage: { totalTokens: 3, cost: { total: 0 } } } });
  const back = told.flatMap((event) => fromToldEvent(event) ?? []);
  expect(back.map(({ type }) => type)).toEqual(events.map(({ type }) => type));
  const failed = { ...message, stopReason: "error", errorMessage: "context_length_exceeded" } as AssistantMessage;
  expect(fromToldEvent({ type: "error", reason: "error", error: failed })).toMatchObject({
    failure: { kind: "context-overflow" },
  });
});

test("the prompt and the tools of a request are in its transcript", () => {
  const tool = { name: "t", description: "d", parameters: { type: "object", [Symbol("kind")]: "x" } };
  const context = normalizeContext({ systemPrompt: "Be good.", messages: [{ role: "user" }], tools: [tool] });
  const later = {
    role: "system",
    content: "And kind.",
    sections: { a: "A" },
    toolsRemoved: [{ name: "t" }],
    timestamp: 1,
  };
  const messages = [...context.messages, later];
  expect(getCurrentTools(context.messages)).toEqual([{ name: "t", description: "d", parameters: { type: "object" } }]);
  expect(getCurrentTools(messages)).toEqual([]);
  expect(getCurrentSystemPrompt(messages)).toBe("Be good.\n\nAnd kind.\n\nA");
  expect(collapseSystemMessages({ messages }).messages.map(({ role }) => role)).toEqual(["system", "user"]);
  expect(requestOf({ systemPrompt: "x", messages: [] }, { reasoning: "max" })).toMatchObject({
    system: "x",
    thinkingLevel: "high",
  });
});

test("a stream can be read after it ended, and gives its last message", async () => {
  const stream = createAssistantMessageEventStream();
  const message = { role: "assistant" } as AssistantMessage;
  stream.push({ type: "start", partial: message });
  stream.push({ type: "done", reason: "stop", message });
  stream.push({ type: "start", partial: message });
  const types: string[] = [];
  for await (const { type } of stream) types.push(type);
  expect([types, await stream.result()]).toEqual([["start", "done"], message]);
});

test("a model is asked through the registry in use, a protocol of an extension by its own stream", async () => {
  const model = scriptedModel(["the answer"]);
  useRegistry({ all: () => [model.info], open: () => model, apiKey: () => undefined });
  const request = { messages: [{ role: "user", content: "q", timestamp: 1 }] } as never;
  expect(await completeSimple(toPiModel(model.info), request)).toMatchObject({ content: [{ text: "the answer" }] });
  const failing: ApiProvider["stream"] = () => {
    throw new Error("no connection");
  };
  registerApiProvider({ api: "smoke-signals", stream: failing, streamSimple: failing });
  const answer = await completeSimple({ ...toPiModel(model.info), api: "smoke-signals" }, request);
  expect([answer.stopReason, answer.errorMessage]).toEqual(["error", "no connection"]);
  resetApiProviders();
});

test("small things", () => {
  expect(JSON.stringify(StringEnum(["a", "b"], { description: "d" }))).toBe(
    '{"type":"string","enum":["a","b"],"description":"d"}',
  );
  expect(uuidv7()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(['{"a":1', '{"a":"x', '{"a":{"b":[1,2', '{"a', '{"a":1,"b":', ""].map(parseStreamingJson)).toEqual([
    { a: 1 },
    { a: "x" },
    { a: { b: [1, 2] } },
    {},
    { a: 1 },
    {},
  ]);
  expect(isContextOverflow({ stopReason: "error", errorMessage: "prompt is too long: 9 tokens > 8 maximum" })).toBe(
    true,
  );
  expect(isContextOverflow({ stopReason: "stop", usage: { input: 11 } }, 10)).toBe(true);
  expect(isRetryableAssistantError({ stopReason: "error", errorMessage: "529 overloaded" })).toBe(true);
  expect(isRetryableAssistantError({ stopReason: "error", errorMessage: "invalid key" })).toBe(false);
});

test("arguments are checked, and turned into their kind where that loses nothing", () => {
  const tool = { name: "t", parameters: Type.Object({ n: Type.Number() }) };
  expect(validateToolArguments(tool, { name: "t", arguments: { n: "3" } })).toEqual({ n: 3 });
  expect(() => validateToolArguments(tool, { name: "t", arguments: {} })).toThrow(/Invalid arguments for the tool t/);
});
