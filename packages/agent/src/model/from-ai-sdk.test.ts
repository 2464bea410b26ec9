import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type AiSdkModel, fromAiSdk, isAiSdkModel } from "./from-ai-sdk.js";
import type { LanguageModel, ModelEvent } from "./language-model.js";
import { READ_TOOL } from "./mixed-context.test-support.js";
import { PROTOCOLS, SPOKEN_USAGE, says } from "./wire-protocols.test-support.js";
import { type WireServer, wireServer } from "./wire-server.test-support.js";

type End = Extract<ModelEvent, { type: "end" }>;

let server: WireServer;
beforeEach(async () => {
  server = await wireServer();
});
afterEach(() => server.close());

async function end(model: LanguageModel): Promise<End> {
  const request = {
    system: "Be brief.",
    messages: [{ role: "user", content: "Hello", timestamp: 1 }],
    tools: [READ_TOOL],
    thinkingLevel: "low",
  } as const;
  let last: ModelEvent | undefined;
  for await (const event of model.stream(request, { now: () => 77 })) last = event;
  return last as End;
}

const MAKERS: Readonly<Record<string, (baseURL: string, id: string) => AiSdkModel>> = {
  "anthropic-messages": (baseURL, id) => createAnthropic({ baseURL, apiKey: "k" }).languageModel(id),
  "openai-responses": (baseURL, id) => createOpenAI({ baseURL, apiKey: "k" }).responses(id),
  "openai-completions": (baseURL, id) =>
    createOpenAICompatible({ name: "deepseek", baseURL, apiKey: "k", includeUsage: true }).chatModel(id),
  "google-generative-ai": (baseURL, id) => createGoogleGenerativeAI({ baseURL, apiKey: "k" }).languageModel(id),
};

test("given facts override the catalogue; an undefined fact is ignored", () => {
  const made = createAnthropic({ apiKey: "k" }).languageModel("claude-sonnet-4-5");
  const known = fromAiSdk(made).info;
  const facts = { contextWindow: undefined, name: undefined, prices: undefined, maxOutput: 7 };
  expect(fromAiSdk(made, facts).info).toEqual({ ...known, maxOutput: 7 });
});

describe("a model of the AI SDK", () => {
  test.each(PROTOCOLS.map((protocol) => [protocol.api, protocol] as const))(
    "of %s answers, calls tools and counts as one of ours",
    async (api, protocol) => {
      const make = MAKERS[api];
      const made = make?.(`${server.origin}${protocol.base}`, protocol.model) as AiSdkModel;
      expect(isAiSdkModel(made)).toBe(true);
      const model = fromAiSdk(made);
      expect(model.info).toMatchObject({ id: protocol.model, api });
      server.reply(
        says(protocol, {
          parts: [{ text: "Reading." }, { call: "c1", name: "read", input: '{"path":"a"}' }],
          stop: "toolUse",
        }),
      );
      const { message, failure } = await end(model);
      expect(failure).toBeUndefined();
      expect(message).toMatchObject({ stopReason: "toolUse", usage: { output: SPOKEN_USAGE.output } });
      expect(message.content.filter((block) => block.type !== "thinking")).toMatchObject([
        { type: "text", text: "Reading." },
        { type: "toolCall", name: "read", arguments: { path: "a" } },
      ]);
      expect(server.requests).toHaveLength(1);
    },
  );

  test("has the window and the prices of the catalogue, and what its maker says comes first", () => {
    const made = MAKERS["anthropic-messages"]?.(server.origin, "claude-sonnet-4-5") as AiSdkModel;
    expect(fromAiSdk(made).info).toMatchObject({ contextWindow: 200_000, prices: { input: 3 } });
    expect(fromAiSdk(made, { contextWindow: 50_000 }).info.contextWindow).toBe(50_000);
  });

  test("of version 2 of the contract ends with a plain reason and flat counts", async () => {
    const parts = [
      { type: "stream-start", warnings: [] },
      { type: "text-start", id: "0" },
      { type: "text-delta", id: "0", delta: "Hi" },
      { type: "text-end", id: "0" },
      {
        type: "finish",
        finishReason: "stop",
        usage: { inputTokens: 10, outputTokens: 2, totalTokens: 12, cachedInputTokens: 4 },
      },
    ];
    const stream = new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(part);
        controller.close();
      },
    });
    const old: AiSdkModel = {
      specificationVersion: "v2",
      provider: "mistral.chat",
      modelId: "old",
      doStream: async () => ({ stream }),
    };
    const { message, failure } = await end(fromAiSdk(old));
    expect(failure).toBeUndefined();
    expect(message).toMatchObject({
      provider: "mistral",
      stopReason: "stop",
      content: [{ type: "text", text: "Hi" }],
      usage: { input: 6, output: 2, cacheRead: 4, totalTokens: 12 },
    });
  });
});
