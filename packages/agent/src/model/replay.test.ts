import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ModelRequest } from "./language-model.js";
import { answer, IMAGE, MIXED_REQUEST, READ_TOOL } from "./mixed-context.test-support.js";
import { openModel } from "./open-model.js";
import { infoOf, PROTOCOLS, type Protocol, says } from "./wire-protocols.test-support.js";
import { type WireServer, wireServer } from "./wire-server.test-support.js";

const SUMMARY =
  "The following is a summary of the earlier part of this conversation, which is no longer shown:\n\n<summary>\nWe began.\n</summary>";
const INTERRUPTED = "This tool call was interrupted and has no result. Whether it had any effect is not known.";
const SAFE_1 = "call_1_fc_1_f80dab8b";
const SAFE_2 = "call_2_fc_2_03dc37e6";
const URL = "data:image/png;base64,iVBORw0KGgo=";
const CACHED = { cache_control: { type: "ephemeral" } };
const LAST = "Go on, please. \uFFFD";
const { parameters } = READ_TOOL;

/** The requests of each API for the same recorded session. */
const BODIES: Readonly<Record<string, unknown>> = {
  "anthropic-messages": {
    model: "claude-sonnet-4-5",
    max_tokens: 32_000,
    thinking: { type: "enabled", budget_tokens: 10_240 },
    system: [{ type: "text", text: "You are helpful.", ...CACHED }],
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: SUMMARY },
          { type: "text", text: "What is in this picture?" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: IMAGE.data } },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "text", text: "A tree, I believe." },
          { type: "text", text: "A tree." },
          { type: "tool_use", id: SAFE_1, name: "read", input: { path: "tree.png" } },
          { type: "tool_use", id: SAFE_2, name: "read", input: { path: "gone.txt" } },
        ],
      },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: SAFE_1,
            content: [
              { type: "text", text: "the picture" },
              { type: "image", source: { type: "base64", media_type: "image/png", data: IMAGE.data } },
            ],
          },
          { type: "tool_result", tool_use_id: SAFE_2, content: "no such file", is_error: true, ...CACHED },
        ],
      },
      { role: "assistant", content: [{ type: "tool_use", id: "open", name: "read", input: { path: "a.txt" } }] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "open", content: INTERRUPTED, is_error: true },
          { type: "text", text: LAST, ...CACHED },
        ],
      },
    ],
    tools: [{ name: "read", description: "Reads a file.", input_schema: parameters, ...CACHED }],
    tool_choice: { type: "auto" },
    stream: true,
  },
  "openai-responses": {
    model: "gpt-5",
    input: [
      { role: "developer", content: "You are helpful." },
      { role: "user", content: [{ type: "input_text", text: SUMMARY }] },
      {
        role: "user",
        content: [
          { type: "input_text", text: "What is in this picture?" },
          { type: "input_image", image_url: URL },
        ],
      },
      { role: "assistant", content: [{ type: "output_text", text: "A tree, I believe." }] },
      { role: "assistant", content: [{ type: "output_text", text: "A tree." }] },
      { type: "function_call", call_id: SAFE_1, name: "read", arguments: '{"path":"tree.png"}' },
      { type: "function_call", call_id: SAFE_2, name: "read", arguments: '{"path":"gone.txt"}' },
      {
        type: "function_call_output",
        call_id: SAFE_1,
        output: [
          { type: "input_text", text: "the picture" },
          { type: "input_image", image_url: URL },
        ],
      },
      { type: "function_call_output", call_id: SAFE_2, output: "Error: no such file" },
      { type: "function_call", call_id: "open", name: "read", arguments: '{"path":"a.txt"}' },
      { type: "function_call_output", call_id: "open", output: `Error: ${INTERRUPTED}` },
      { role: "user", content: [{ type: "input_text", text: LAST }] },
    ],
    store: false,
    prompt_cache_key: expect.stringMatching(/^bough-[0-9a-f]{24}$/),
    include: ["reasoning.encrypted_content"],
    reasoning: { effort: "medium", summary: "auto" },
    tools: [{ type: "function", name: "read", description: "Reads a file.", parameters }],
    tool_choice: "auto",
    stream: true,
  },
  "openai-completions": {
    model: "qwen3",
    reasoning_effort: "medium",
    messages: [
      { role: "system", content: "You are helpful." },
      { role: "user", content: SUMMARY },
      {
        role: "user",
        content: [
          { type: "text", text: "What is in this picture?" },
          { type: "image_url", image_url: { url: URL } },
        ],
      },
      {
        role: "assistant",
        content: "A tree, I believe.\n\nA tree.",
        tool_calls: [
          { id: SAFE_1, type: "function", function: { name: "read", arguments: '{"path":"tree.png"}' } },
          { id: SAFE_2, type: "function", function: { name: "read", arguments: '{"path":"gone.txt"}' } },
        ],
      },
      { role: "tool", tool_call_id: SAFE_1, content: "the picture\n[The image follows below.]" },
      { role: "tool", tool_call_id: SAFE_2, content: "Error: no such file" },
      {
        role: "user",
        content: [
          { type: "text", text: "Image from the result of read:" },
          { type: "image_url", image_url: { url: URL } },
        ],
      },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "open", type: "function", function: { name: "read", arguments: '{"path":"a.txt"}' } }],
      },
      { role: "tool", tool_call_id: "open", content: `Error: ${INTERRUPTED}` },
      { role: "user", content: LAST },
    ],
    tools: [{ type: "function", function: { name: "read", description: "Reads a file.", parameters } }],
    tool_choice: "auto",
    stream: true,
    stream_options: { include_usage: true },
  },
  "google-generative-ai": {
    generationConfig: { thinkingConfig: { thinkingBudget: 8192, includeThoughts: true } },
    contents: [
      { role: "user", parts: [{ text: SUMMARY }] },
      {
        role: "user",
        parts: [{ text: "What is in this picture?" }, { inlineData: { mimeType: "image/png", data: IMAGE.data } }],
      },
      {
        role: "model",
        parts: [
          { text: "A tree, I believe." },
          { text: "A tree." },
          { functionCall: { id: SAFE_1, name: "read", args: { path: "tree.png" } } },
          { functionCall: { id: SAFE_2, name: "read", args: { path: "gone.txt" } } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { id: SAFE_1, name: "read", response: { name: "read", content: "the picture" } } },
          { inlineData: { mimeType: "image/png", data: IMAGE.data } },
          { text: "Tool executed successfully and returned this image as a response" },
          {
            functionResponse: { id: SAFE_2, name: "read", response: { name: "read", content: "Error: no such file" } },
          },
        ],
      },
      { role: "model", parts: [{ functionCall: { id: "open", name: "read", args: { path: "a.txt" } } }] },
      {
        role: "user",
        parts: [
          {
            functionResponse: {
              id: "open",
              name: "read",
              response: { name: "read", content: `Error: ${INTERRUPTED}` },
            },
          },
        ],
      },
      { role: "user", parts: [{ text: LAST }] },
    ],
    systemInstruction: { parts: [{ text: "You are helpful." }] },
    tools: [
      {
        functionDeclarations: [
          {
            name: "read",
            description: "Reads a file.",
            parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
          },
        ],
      },
    ],
    toolConfig: { functionCallingConfig: { mode: "AUTO" } },
  },
};

let server: WireServer;
beforeEach(async () => {
  server = await wireServer();
});
afterEach(() => server.close());

/** The request body of one step. */
async function sent(
  protocol: Protocol,
  request: ModelRequest,
  change: { readonly id?: string; readonly images?: boolean } = {},
) {
  server.reply(says(protocol, { parts: [{ text: "Yes" }], stop: "stop" }));
  const info = { ...infoOf(protocol, server.origin), ...change };
  for await (const event of openModel({ info, apiKey: () => "key" }).stream(request, { now: () => 0 })) void event;
  return server.requests.at(-1)?.body as Record<string, unknown>;
}

function protocolOf(api: string): Protocol {
  return PROTOCOLS.find((protocol) => protocol.api === api) as Protocol;
}

describe.each(PROTOCOLS)("a recorded session sent to $api", (protocol) => {
  test("makes a valid request: foreign thinking as text, foreign signatures gone, images, errors, an interrupted call", async () => {
    expect(await sent(protocol, MIXED_REQUEST)).toEqual(BODIES[protocol.api]);
  });

  test("is the same bytes every time", async () => {
    const first = await sent(protocol, MIXED_REQUEST);
    expect(JSON.stringify(await sent(protocol, MIXED_REQUEST))).toBe(JSON.stringify(first));
  });

  test("holds no image where the model takes none", async () => {
    const body = JSON.stringify(await sent(protocol, MIXED_REQUEST, { images: false }));
    expect(body).not.toContain(IMAGE.data);
    expect(body.match(/This model does not support images/g)).toHaveLength(2);
  });

  test("starts and ends on the user's side, and leaves out tools and instructions that are not there", async () => {
    const request: ModelRequest = {
      system: "",
      messages: [answer([{ type: "text", text: "I was here first." }])],
      tools: [],
      thinkingLevel: "off",
    };
    const body = await sent(protocol, request);
    const turns = (body.messages ?? body.contents ?? body.input) as { role: string }[];
    expect(turns.map((turn) => turn.role.replace("model", "assistant"))).toEqual(["user", "assistant", "user"]);
    for (const name of ["tools", "tool_choice", "toolConfig", "system", "systemInstruction"]) {
      expect(body[name]).toBeUndefined();
    }
  });
});

describe("thinking levels", () => {
  const request = (thinkingLevel: ModelRequest["thinkingLevel"]): ModelRequest => ({ ...MIXED_REQUEST, thinkingLevel });
  const LEVELS = ["off", "minimal", "low", "medium", "high"] as const;

  async function told(api: string, id: string, field: (body: Record<string, unknown>) => unknown) {
    const all: unknown[] = [];
    for (const level of LEVELS) all.push(field(await sent(protocolOf(api), request(level), { id })));
    return all;
  }

  test("are budgets for Claude models that take them, within the limit of the output", async () => {
    expect(
      await told("anthropic-messages", "claude-haiku-4-5", ({ thinking, max_tokens }) => [thinking, max_tokens]),
    ).toEqual([
      [{ type: "disabled" }, 32_000],
      [{ type: "enabled", budget_tokens: 1024 }, 32_000],
      [{ type: "enabled", budget_tokens: 4096 }, 32_000],
      [{ type: "enabled", budget_tokens: 10_240 }, 32_000],
      [{ type: "enabled", budget_tokens: 20_480 }, 32_000],
    ]);
  });

  test("are efforts for Claude models that think by themselves", async () => {
    const adaptive = { type: "adaptive", display: "summarized" };
    expect(
      await told("anthropic-messages", "claude-opus-4-6", ({ thinking, output_config }) => [thinking, output_config]),
    ).toEqual([
      [{ type: "disabled" }, undefined],
      [adaptive, { effort: "low" }],
      [adaptive, { effort: "low" }],
      [adaptive, { effort: "medium" }],
      [adaptive, { effort: "high" }],
    ]);
  });

  test("Claude does not think in the middle of a turn that another model began", async () => {
    const messages = MIXED_REQUEST.messages.slice(0, 5);
    const body = await sent(protocolOf("anthropic-messages"), { ...MIXED_REQUEST, messages });
    expect(body.thinking).toEqual({ type: "disabled" });
  });

  test.each([
    ["gpt-5", ["minimal", "minimal", "low", "medium", "high"]],
    ["gpt-5-codex", ["low", "low", "low", "medium", "high"]],
    ["gpt-5.1", ["none", "low", "low", "medium", "high"]],
    ["o4-mini", ["low", "low", "low", "medium", "high"]],
    ["gpt-6-sol", ["none", "low", "low", "medium", "high"]],
    ["gpt-6-astra", ["low", "low", "low", "medium", "high"]],
  ])("are the nearest effort %s knows", async (id, efforts) => {
    const told5 = await told("openai-responses", id, ({ reasoning }) => (reasoning as { effort: string }).effort);
    expect(told5).toEqual(efforts);
  });

  test("are efforts for compatible servers, and off says nothing", async () => {
    const efforts = await told("openai-completions", "qwen3", (body) => body.reasoning_effort);
    expect(efforts).toEqual([undefined, "low", "low", "medium", "high"]);
  });

  test.each([
    ["gemini-2.5-flash", [0, 512, 2048, 8192, 24_576]],
    ["gemini-2.5-pro", [128, 512, 2048, 8192, 24_576]],
  ])("are budgets for %s", async (id, budgets) => {
    const all = await told("google-generative-ai", id, configOf);
    expect(all).toEqual(budgets.map((thinkingBudget, at) => ({ thinkingBudget, includeThoughts: at > 0 })));
  });

  test.each([
    ["gemini-3-flash-preview", ["minimal", "minimal", "low", "medium", "high"]],
    ["gemini-3-pro-preview", ["low", "low", "low", "high", "high"]],
  ])("are levels for %s", async (id, levels) => {
    const all = await told("google-generative-ai", id, configOf);
    expect(all).toEqual(levels.map((thinkingLevel, at) => ({ thinkingLevel, includeThoughts: at > 0 })));
  });

  function configOf(body: Record<string, unknown>): unknown {
    return (body.generationConfig as { thinkingConfig: unknown }).thinkingConfig;
  }
});

describe("what pi stored", () => {
  test("goes back to OpenAI: a reasoning item, and a text with its phase", async () => {
    const protocol = protocolOf("openai-responses");
    const own = { provider: "openai", model: "gpt-5" };
    const item = { type: "reasoning", id: "rs_9", summary: [], encrypted_content: "E" };
    const messages = [
      answer(
        [
          { type: "thinking", thinking: "", thinkingSignature: JSON.stringify(item) },
          { type: "text", text: "So.", textSignature: JSON.stringify({ v: 1, id: "msg_9", phase: "final_answer" }) },
          // The provider has nothing to match it with, so it is sent as text.
          {
            type: "thinking",
            thinking: "Hm.",
            thinkingSignature: JSON.stringify({ type: "reasoning", id: "rs_8", summary: [] }),
          },
        ],
        own,
      ),
    ];
    const body = await sent(protocol, { ...MIXED_REQUEST, messages });
    expect((body.input as unknown[]).slice(2, -1)).toEqual([
      item,
      { role: "assistant", id: "msg_9", phase: "final_answer", content: [{ type: "output_text", text: "So." }] },
      { role: "assistant", content: [{ type: "output_text", text: "Hm." }] },
    ]);
  });

  test("goes back to Anthropic: redacted thinking whole, unsigned thinking as text", async () => {
    const own = { provider: "anthropic", model: "claude-sonnet-4-5" };
    const messages = [
      answer(
        [
          { type: "thinking", thinking: "", thinkingSignature: "HIDDEN", redacted: true },
          { type: "thinking", thinking: "Unsigned." },
          { type: "text", text: "So." },
        ],
        own,
      ),
    ];
    const body = await sent(protocolOf("anthropic-messages"), { ...MIXED_REQUEST, messages });
    expect((body.messages as { content: unknown }[])[1]?.content).toEqual([
      { type: "redacted_thinking", data: "HIDDEN" },
      { type: "text", text: "Unsigned." },
      { type: "text", text: "So." },
    ]);
  });
});
