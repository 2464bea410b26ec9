/** Claude through gateways that speak Chat Completions, over the wire. */
import { assertPromptPrefix } from "@bough/session/context/index.js";
import type { AgentMessage, AssistantMessage } from "@bough/session/entry/index.js";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openModel } from "../open-model.js";
import { infoOf, PROTOCOLS, type Protocol } from "../wire-protocols.test-support.js";
import { type WireServer, wireServer } from "../wire-server.test-support.js";

const CLAUDE = "anthropic/claude-sonnet-4.5";
const MARK = { cache_control: { type: "ephemeral" } };
const COMPLETIONS = PROTOCOLS.find(({ api }) => api === "openai-completions") as Protocol;
let server: WireServer;

beforeEach(async () => {
  server = await wireServer();
});
afterEach(() => server.close());

const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: "gen-1", created: 1, model: CLAUDE, choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

/** An answer with thinking in pieces and a call, as OpenRouter streams Claude's. */
const THINKING_FRAMES = [
  chunk({ role: "assistant", content: "" }),
  ...["The file ", "may say."].map((text) =>
    chunk({
      reasoning: text,
      reasoning_details: [{ type: "reasoning.text", text, format: "anthropic-claude-v1", index: 0 }],
    }),
  ),
  chunk({
    reasoning_details: [{ type: "reasoning.text", signature: "c2lnbmVk", format: "anthropic-claude-v1", index: 0 }],
  }),
  chunk({
    reasoning_details: [{ type: "reasoning.encrypted", data: "b3BhcXVl", format: "anthropic-claude-v1", index: 1 }],
  }),
  chunk({
    tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: "read", arguments: '{"path":"a"}' } }],
  }),
  chunk({}, "tool_calls"),
  "data: [DONE]\n\n",
];
const DETAILS = [
  { type: "reasoning.text", text: "The file may say.", format: "anthropic-claude-v1", index: 0, signature: "c2lnbmVk" },
  { type: "reasoning.encrypted", data: "b3BhcXVl", format: "anthropic-claude-v1", index: 1 },
];

interface Step {
  readonly provider: string;
  readonly model?: string;
  readonly messages: readonly AgentMessage[];
  readonly frames?: readonly string[];
}

/** Sends one step, and returns the body of the request and the answer. */
async function step({ provider, model = CLAUDE, messages, frames }: Step) {
  const info = { ...infoOf({ ...COMPLETIONS, provider, model }, server.origin), reasoning: true };
  const said = COMPLETIONS.frames({ parts: [{ text: "Fine." }], stop: "stop" });
  server.reply({ frames: frames ?? said, after: "end" });
  const request = { system: "You are helpful.", messages, tools: [], thinkingLevel: "medium" } as const;
  let answer: AssistantMessage | undefined;
  for await (const event of openModel({ info, apiKey: () => "k" }).stream(request, { now: () => 0 })) {
    if (event.type === "end") answer = event.message;
  }
  const body = server.requests.at(-1)?.body as { readonly messages: readonly Record<string, unknown>[] };
  return { body, answer: answer as AssistantMessage };
}

const user = (content: string): AgentMessage => ({ role: "user", content, timestamp: 0 });
const result = (text: string): AgentMessage =>
  ({
    role: "toolResult",
    toolCallId: "call_1",
    toolName: "read",
    content: [{ type: "text", text }],
    isError: false,
    timestamp: 0,
  }) as AgentMessage;

const part = (text: string, mark: object = {}) => [{ type: "text", text, ...mark }];

describe("through OpenRouter", () => {
  test("the instructions and the ends of the last two messages are marked for Claude's cache", async () => {
    const { answer } = await step({ provider: "openrouter", messages: [user("Look.")], frames: THINKING_FRAMES });
    const { body } = await step({
      provider: "openrouter",
      messages: [user("First."), user("Look."), answer, result("It says so."), user("And now?")],
    });
    expect(body.messages).toMatchObject([
      { role: "system", content: part("You are helpful.", MARK) },
      { role: "user" },
      { role: "user", content: part("Look.", MARK) },
      { role: "assistant" },
      { role: "tool", content: part("It says so.") },
      { role: "user", content: part("And now?", MARK) },
    ]);
    expect(JSON.stringify(body.messages[1])).not.toContain("cache_control");
  });

  test("each request starts with the one before it, whichever messages are marked", async () => {
    const { body: first, answer } = await step({
      provider: "openrouter",
      messages: [user("Look.")],
      frames: THINKING_FRAMES,
    });
    const path = [user("Look."), answer, result("It says so.")];
    const { body: second, answer: next } = await step({ provider: "openrouter", messages: path });
    const { body: third } = await step({ provider: "openrouter", messages: [...path, next, user("And now?")] });
    assertPromptPrefix(first, second);
    assertPromptPrefix(second, third);
  });

  test("thinking is stored as it came and sent back with its answer, not as text", async () => {
    const messages = [user("Look.")];
    const { answer } = await step({ provider: "openrouter", messages, frames: THINKING_FRAMES });
    expect(answer.content).toMatchObject([
      { type: "thinking", thinking: "The file may say.", thinkingSignature: JSON.stringify(DETAILS) },
      { type: "toolCall", id: "call_1" },
    ]);
    const { body } = await step({ provider: "openrouter", messages: [...messages, answer, result("It says so.")] });
    const sent = body.messages.find(({ role }) => role === "assistant");
    expect(sent).toEqual({
      role: "assistant",
      content: null,
      tool_calls: [{ id: "call_1", type: "function", function: { name: "read", arguments: '{"path":"a"}' } }],
      reasoning_details: DETAILS,
    });
  });

  test("thinking without words is kept and sent back", async () => {
    const frames = [THINKING_FRAMES[0], ...THINKING_FRAMES.slice(4)] as readonly string[];
    const { answer } = await step({ provider: "openrouter", messages: [user("Look.")], frames });
    expect(answer.content).toMatchObject([{ type: "thinking", thinking: "", redacted: true }, { type: "toolCall" }]);
    const { body } = await step({ provider: "openrouter", messages: [user("Look."), answer, result("So.")] });
    expect(body.messages.find(({ role }) => role === "assistant")).toMatchObject({ reasoning_details: [DETAILS[1]] });
  });

  test("another model gets neither the details nor the marks", async () => {
    const { answer } = await step({ provider: "openrouter", messages: [user("Look.")], frames: THINKING_FRAMES });
    const messages = [user("Look."), answer, result("It says so.")];
    const { body } = await step({ provider: "openrouter", model: "qwen/qwen3-coder", messages });
    expect(JSON.stringify(body)).not.toMatch(/cache_control|reasoning_details/);
    expect(body.messages[1]).toEqual({ role: "user", content: "Look." });
  });

  test.each([
    ["no list", "nothing"],
    ["strings", ["a", 5, null]],
    ["a list in a list", [[{ type: "reasoning.text" }]]],
  ])("details that are malformed (%s) do not break the answer", async (_what, reasoning_details) => {
    const frames = [chunk({ role: "assistant", content: "Fine.", reasoning_details }), chunk({}, "stop")];
    const { answer } = await step({ provider: "openrouter", messages: [user("Look.")], frames });
    expect([answer.stopReason, answer.content]).toEqual(["stop", [{ type: "text", text: "Fine." }]]);
  });
});

describe("through other gateways", () => {
  test("Vercel's places the marks itself, and gets thinking back as it came", async () => {
    const { answer } = await step({ provider: "vercel", messages: [user("Look.")], frames: THINKING_FRAMES });
    const { body } = await step({ provider: "vercel", messages: [user("Look."), answer, result("It says so.")] });
    expect(body).toMatchObject({ providerOptions: { gateway: { caching: "auto" } } });
    expect(body.messages.find(({ role }) => role === "assistant")).toMatchObject({ reasoning_details: DETAILS });
    expect(JSON.stringify(body)).not.toContain("cache_control");
  });

  test("of which nothing is known get no fields that they could refuse", async () => {
    const { body } = await step({ provider: "team", messages: [user("Look.")] });
    expect(JSON.stringify(body)).not.toMatch(/cache_control|providerOptions/);
    expect(body.messages).toEqual([
      { role: "system", content: "You are helpful." },
      { role: "user", content: "Look." },
    ]);
  });
});
