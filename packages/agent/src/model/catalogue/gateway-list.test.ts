/** What gateways and servers say about their own models, in their own formats. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { createModelRegistry } from "../create-registry.js";
import { type WireServer, wireServer } from "../wire-server.test-support.js";
import { modelsOfGateway } from "./gateway-list.js";

describe("the list of a gateway", () => {
  test.each([
    [
      "openrouter",
      {
        data: [
          {
            id: "anthropic/claude-sonnet-4.5",
            name: "Anthropic: Claude Sonnet 4.5",
            context_length: 1_000_000,
            architecture: { input_modalities: ["text", "image"], output_modalities: ["text"] },
            pricing: {
              prompt: "0.000003",
              completion: "0.000015",
              input_cache_read: "0.0000003",
              input_cache_write: "0.00000375",
            },
            top_provider: { max_completion_tokens: 64_000 },
            supported_parameters: ["tools", "reasoning"],
          },
          { id: "a/painter", architecture: { output_modalities: ["image"] } },
          { id: "a/gift:free", context_length: 32_768, pricing: { prompt: "0", completion: "0" } },
        ],
      },
      [
        {
          ...{ id: "anthropic/claude-sonnet-4.5", name: "Anthropic: Claude Sonnet 4.5" },
          ...{ contextWindow: 1_000_000, maxOutput: 64_000, reasoning: true, images: true },
          prices: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
        },
        { id: "a/gift:free", contextWindow: 32_768 },
      ],
    ],
    [
      "vercel",
      {
        object: "list",
        data: [
          {
            ...{ id: "anthropic/claude-sonnet-4.6", name: "Claude Sonnet 4.6", type: "language" },
            ...{ context_window: 200_000, max_tokens: 64_000, tags: ["reasoning", "vision"] },
            pricing: { input: "0.000003", output: "0.000015" },
          },
          { id: "openai/text-embedding-3", type: "embedding" },
        ],
      },
      [
        {
          ...{ id: "anthropic/claude-sonnet-4.6", name: "Claude Sonnet 4.6" },
          ...{ contextWindow: 200_000, maxOutput: 64_000, reasoning: true, images: true },
          prices: { input: 3, output: 15, cacheRead: 3, cacheWrite: 3 },
        },
      ],
    ],
    [
      "huggingface",
      {
        data: [
          {
            id: "openai/gpt-oss-120b",
            architecture: { input_modalities: ["text"] },
            providers: [
              { provider: "a", context_length: 131_072, pricing: { input: 0.1, output: 0.5 } },
              { provider: "b", context_length: 65_536, pricing: { input: 0.25, output: 0.69 } },
              { provider: "c", pricing: { input: 0, output: 0 } },
            ],
          },
        ],
      },
      [
        {
          ...{ id: "openai/gpt-oss-120b", contextWindow: 65_536, images: false },
          prices: { input: 0.25, output: 0.69, cacheRead: 0.25, cacheWrite: 0.25 },
        },
      ],
    ],
    [
      "github-models",
      [
        {
          ...{ id: "openai/gpt-5", name: "OpenAI gpt-5", capabilities: ["reasoning", "tool-calling"] },
          limits: { max_input_tokens: 200_000, max_output_tokens: 100_000 },
          ...{ supported_input_modalities: ["text", "image"], supported_output_modalities: ["text"] },
        },
        { id: "openai/text-embedding-3-large", supported_output_modalities: ["embeddings"] },
      ],
      [
        {
          ...{ id: "openai/gpt-5", name: "OpenAI gpt-5" },
          ...{ contextWindow: 200_000, maxOutput: 100_000, reasoning: true, images: true },
        },
      ],
    ],
    [
      "together",
      [
        { id: "Qwen/Q3", display_name: "Q3", type: "chat", context_length: 262_144, pricing: { input: 2, output: 2 } },
        { id: "black/flux", type: "image" },
      ],
      [
        {
          ...{ id: "Qwen/Q3", name: "Q3", contextWindow: 262_144 },
          prices: { input: 2, output: 2, cacheRead: 2, cacheWrite: 2 },
        },
      ],
    ],
    [
      "groq",
      { data: [{ id: "gpt-oss", context_window: 131_072, max_completion_tokens: 65_536 }] },
      [{ id: "gpt-oss", contextWindow: 131_072, maxOutput: 65_536 }],
    ],
  ])("of %s is read", (provider, answer, expected) => {
    expect(modelsOfGateway(provider, answer)).toEqual(expected.map((one) => ({ provider, ...one })));
  });

  test.each([undefined, null, 5, "text", [], {}, { data: {} }, { data: [null, 5, [], { id: 7 }, {}] }])(
    "is empty for %j",
    (answer) => expect(modelsOfGateway("openrouter", answer)).toEqual([]),
  );
});

describe("a registry", () => {
  let server: WireServer;
  beforeEach(async () => {
    server = await wireServer();
  });
  afterEach(() => server.close());
  const reply = (body: unknown) => server.reply({ status: 200, body: JSON.stringify(body) });

  test("asks gateways with a key, remembers the answer, and marks its prices", async () => {
    const home = tempFolder();
    const pricing = { prompt: "0.000001", completion: "0.000002" };
    reply({ data: [{ id: "a/b", context_length: 50_000, pricing }] });
    const create = () =>
      createModelRegistry({
        ...{ home, env: { OPENROUTER_API_KEY: "sk-or-1" }, servers: [] },
        overrides: { providers: { openrouter: { baseUrl: `${server.origin}/api/v1` } } },
      });
    await create().askGateways({ timeoutMs: 10_000 });
    expect(server.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ["/api/v1/models", "Bearer sk-or-1"],
    ]);
    expect(create().resolve("openrouter/a/b")).toMatchObject({
      ...{ contextWindow: 50_000, pricesFrom: "openrouter", baseUrl: `${server.origin}/api/v1` },
      prices: { input: 1, output: 2 },
    });
    // Without a key, nobody is asked.
    const env = {};
    await createModelRegistry({ home, env, servers: [] }).askGateways({ timeoutMs: 10_000 });
    expect(server.requests).toHaveLength(1);
  });

  test("does not ask a gateway whose address in the settings is not one", async () => {
    const asked: string[] = [];
    const fetch = async (input: unknown) => {
      asked.push(String(input));
      return new Response("{}");
    };
    const registry = createModelRegistry({
      ...{ home: tempFolder(), env: { GITHUB_MODELS_TOKEN: "k", GROQ_API_KEY: "k" }, servers: [] },
      overrides: { providers: { "github-models": { baseUrl: "models.example" } } },
      fetch: fetch as typeof globalThis.fetch,
    });
    await registry.refreshLists();
    await registry.askGateways({ timeoutMs: 10_000 });
    expect(asked).toContain("https://models.dev/api.json");
    expect(asked.filter((url) => url.includes("example"))).toEqual([]);
  });

  test("asks the servers that the settings name, with their key, and once for all facts", async () => {
    reply({ data: [{ id: "large", max_model_len: 40_000 }, { id: "small" }, { id: "embed-1" }] });
    const team = { baseUrl: `${server.origin}/llm/v1`, apiKeyEnv: "TEAM_KEY" };
    const registry = createModelRegistry({
      ...{ home: tempFolder(), env: { TEAM_KEY: "k" }, servers: [], overrides: { providers: { team } } },
    });
    const found = await registry.discover({ timeoutMs: 10_000 });
    expect(found.map(({ provider, id, contextWindow, baseUrl }) => [provider, id, contextWindow, baseUrl])).toEqual([
      ["team", "large", 40_000, `${server.origin}/llm/v1`],
      ["team", "small", 32_768, `${server.origin}/llm/v1`],
    ]);
    expect(server.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ["/llm/v1/models", "Bearer k"],
    ]);
  });

  test("asks a known program where the settings say it runs", async () => {
    reply({ models: [{ name: "qwen3:8b" }] });
    const overrides = { providers: { ollama: { baseUrl: `${server.origin}/v1` } } };
    const registry = createModelRegistry({ home: tempFolder(), env: {}, overrides });
    const found = await registry.discover({ timeoutMs: 10_000 });
    expect(found).toMatchObject([{ provider: "ollama", id: "qwen3:8b", baseUrl: `${server.origin}/v1` }]);
    expect(server.requests[0]?.path).toBe("/api/tags");
  });

  test("asks no server whose models are named in the settings, and none that would get the key in clear text", async () => {
    const asked: string[] = [];
    const fetch = async (input: unknown) => {
      asked.push(String(input));
      return new Response("{}");
    };
    const team = { baseUrl: "https://ai.example.com/v1", models: [{ id: "large" }] };
    const clear = { baseUrl: "http://ai.example.com/v1", apiKeyEnv: "TEAM_KEY" };
    const registry = createModelRegistry({
      ...{ home: tempFolder(), env: { TEAM_KEY: "k" }, servers: [], overrides: { providers: { team, clear } } },
      fetch: fetch as typeof globalThis.fetch,
    });
    expect(await registry.discover({ timeoutMs: 10_000 })).toEqual([]);
    expect(asked).toEqual([]);
  });
});
