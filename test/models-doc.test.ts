/** docs/models.md: every account in it works as it is written, against servers that speak the protocol. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { bedrockSays } from "@bough/agent/model/api/bedrock-stream.test-support.js";
import { createModelRegistry, type ModelEvent, type ModelsSettings } from "@bough/agent/model/index.js";
import { type LocalProgram, localProgram } from "@bough/agent/model/local/local-program.test-support.js";
import { PROTOCOLS, type Spoken, says } from "@bough/agent/model/wire-protocols.test-support.js";
import { type WireServer, wireServer } from "@bough/agent/model/wire-server.test-support.js";
import { assertPromptPrefix } from "@bough/session/context/index.js";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { bough, makePlace } from "./scenario/cli-support.js";
import { tempFolder } from "./support/temp-folder.js";

const PAGE = readFileSync(fileURLToPath(new URL("../docs/models.md", import.meta.url)), "utf8");

interface Example {
  readonly title: string;
  readonly env: Readonly<Record<string, string>>;
  readonly model: string;
  readonly settings: { readonly models?: ModelsSettings };
}

/** The sections that ask a model something. */
const EXAMPLES: readonly Example[] = PAGE.split(/^### /m)
  .slice(1)
  .flatMap((section) => {
    const [title = ""] = section.split("\n");
    const model = /--model (\S+)/.exec(section)?.[1];
    if (model === undefined) return [];
    const env = Object.fromEntries(
      [...section.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
    );
    const settings = /```json\n([\s\S]*?)```/.exec(section)?.[1] ?? "{}";
    return [{ title, model, env, settings: JSON.parse(settings) as Example["settings"] }];
  });

const HELLO: Spoken = { parts: [{ text: "Hello from the server" }], stop: "stop" };
const [ANTHROPIC, OPENAI, COMPLETIONS, GOOGLE] = PROTOCOLS as [P, P, P, P];
type P = (typeof PROTOCOLS)[0];

/** Who is spoken to, and with which key. */
const EXPECTED: Readonly<Record<string, readonly [address: string, header: string, protocol: P | "bedrock"]>> = {
  Anthropic: ["https://api.anthropic.com/v1/messages", "x-api-key", ANTHROPIC],
  OpenAI: ["https://api.openai.com/v1/responses", "authorization", OPENAI],
  Google: [
    "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:streamGenerateContent",
    "x-goog-api-key",
    GOOGLE,
  ],
  OpenRouter: ["https://openrouter.ai/api/v1/chat/completions", "authorization", COMPLETIONS],
  Groq: ["https://api.groq.com/openai/v1/chat/completions", "authorization", COMPLETIONS],
  xAI: ["https://api.x.ai/v1/chat/completions", "authorization", COMPLETIONS],
  Mistral: ["https://api.mistral.ai/v1/chat/completions", "authorization", COMPLETIONS],
  DeepSeek: ["https://api.deepseek.com/v1/chat/completions", "authorization", COMPLETIONS],
  Together: ["https://api.together.xyz/v1/chat/completions", "authorization", COMPLETIONS],
  Fireworks: ["https://api.fireworks.ai/inference/v1/chat/completions", "authorization", COMPLETIONS],
  Cerebras: ["https://api.cerebras.ai/v1/chat/completions", "authorization", COMPLETIONS],
  Baseten: ["https://inference.baseten.co/v1/chat/completions", "authorization", COMPLETIONS],
  "Cloudflare Workers AI": [
    "https://api.cloudflare.com/client/v4/accounts/0123abcd/ai/v1/chat/completions",
    "authorization",
    COMPLETIONS,
  ],
  "GitHub Models": ["https://models.github.ai/inference/chat/completions", "authorization", COMPLETIONS],
  "GitHub Copilot": ["https://api.individual.githubcopilot.com/chat/completions", "authorization", COMPLETIONS],
  "Hugging Face": ["https://router.huggingface.co/v1/chat/completions", "authorization", COMPLETIONS],
  MiniMax: ["https://api.minimax.io/anthropic/v1/messages", "x-api-key", ANTHROPIC],
  Moonshot: ["https://api.moonshot.ai/v1/chat/completions", "authorization", COMPLETIONS],
  NVIDIA: ["https://integrate.api.nvidia.com/v1/chat/completions", "authorization", COMPLETIONS],
  "opencode Zen": ["https://opencode.ai/zen/v1/chat/completions", "authorization", COMPLETIONS],
  Qwen: ["https://dashscope-intl.aliyuncs.com/compatible-mode/v1/chat/completions", "authorization", COMPLETIONS],
  "Vercel AI Gateway": ["https://ai-gateway.vercel.sh/v1/chat/completions", "authorization", COMPLETIONS],
  "Z.ai": ["https://api.z.ai/api/coding/paas/v4/chat/completions", "authorization", COMPLETIONS],
  "Amazon Bedrock": [
    "https://bedrock-runtime.us-east-1.amazonaws.com/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse-stream",
    "authorization",
    "bedrock",
  ],
  "Google Vertex AI": [
    "https://aiplatform.googleapis.com/v1/publishers/google/models/gemini-2.5-flash:streamGenerateContent",
    "x-goog-api-key",
    GOOGLE,
  ],
  "Azure OpenAI": ["https://my-company.openai.azure.com/openai/v1/responses", "api-key", OPENAI],
  "Gateway by environment": ["https://ai-gateway.example.com/anthropic/v1/messages", "x-api-key", ANTHROPIC],
  "Your own provider": ["https://ai-gateway.example.com/v1/chat/completions", "authorization", COMPLETIONS],
};
const LOCAL: Readonly<Record<string, "ollama" | "lmstudio" | "llamacpp" | "vllm">> = {
  Ollama: "ollama",
  "LM Studio": "lmstudio",
  "llama.cpp": "llamacpp",
  vLLM: "vllm",
};

let server: WireServer;
let program: LocalProgram | undefined;
beforeEach(async () => {
  server = await wireServer();
});
afterEach(async () => {
  await server.close();
  await program?.close();
  program = undefined;
});

test("the page has an example for every kind of account, and no others are tried here", () => {
  expect(EXAMPLES.map(({ title }) => title).sort()).toEqual([...Object.keys(EXPECTED), ...Object.keys(LOCAL)].sort());
});

const REQUEST = {
  system: "Be brief.",
  messages: [{ role: "user", content: "Hello", timestamp: 1 }],
  tools: [],
  thinkingLevel: "off",
} as const;

describe.each(EXAMPLES.filter(({ title }) => title in EXPECTED))("$title", ({ title, env, model, settings }) => {
  test("is asked where its vendor listens, with the key of the example", async () => {
    const [address, header, protocol] = EXPECTED[title] as (typeof EXPECTED)[string];
    server.reply(protocol === "bedrock" ? bedrockSays(HELLO) : says(protocol, HELLO));
    const asked: string[] = [];
    const registry = createModelRegistry({
      home: tempFolder(),
      env,
      servers: [],
      ...(settings.models && { overrides: settings.models }),
      // The wire ends here instead of at the vendor's.
      fetch: (input, init) => {
        const { origin, pathname } = new URL(input instanceof Request ? input.url : input);
        asked.push(`${origin}${pathname}`);
        return globalThis.fetch(`${server.origin}${pathname}`, init);
      },
    });
    let last: ModelEvent | undefined;
    for await (const event of registry.open(registry.resolve(model)).stream(REQUEST, { now: () => 0 })) last = event;
    expect(last).toMatchObject({ message: { content: [{ type: "text", text: "Hello from the server" }] } });
    expect(asked).toEqual([address]);
    const key = Object.entries(env).find(([name]) => /KEY$|TOKEN/.test(name))?.[1] as string;
    expect(server.requests[0]?.headers[header]).toBe(header === "authorization" ? `Bearer ${key}` : key);
  });
});

describe.each(EXAMPLES.filter(({ title }) => title in LOCAL))("$title", ({ title, model }) => {
  test("answers with the window of the example, and nothing is reported", async () => {
    const kind = LOCAL[title] as (typeof LOCAL)[string];
    const id = model.slice(kind.length + 1);
    program = await localProgram({ kind, model: id, trained: 40_960, window: 32_768, loaded: true });
    const baseUrl = `${program.origin}/v1`;
    const registry = createModelRegistry({
      home: tempFolder(),
      env: {},
      overrides: { providers: { [kind]: { baseUrl } } },
    });
    const opened = registry.open(registry.resolve(model));
    expect([await opened.prepare?.(), opened.info.contextWindow]).toEqual([undefined, 32_768]);
    let last: ModelEvent | undefined;
    for await (const event of opened.stream(REQUEST, { now: () => 0 })) last = event;
    expect(last).toMatchObject({ message: { content: [{ type: "text", text: `Hello from ${kind}` }] } });
  });
});

describe("a newcomer", () => {
  const KEY = "sk-newcomer-0123456789";
  const json = (value: unknown, status = 200) => ({
    status,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(value),
  });

  test("logs in with a key, asks, and the next process starts with the same bytes", {
    timeout: 110_000,
  }, async () => {
    const settings = { models: { providers: { openai: { baseUrl: `${server.origin}/v1` } } } };
    const place = makePlace({ settings });
    server.reply(json({ error: { message: `Incorrect API key provided: ${KEY}`, code: "invalid_api_key" } }, 401));
    const refused = await bough(place, ["login", "openai"], `${KEY}\n`);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("openai rejected the key (401)")]);
    expect(refused.stdout + refused.stderr).not.toContain(KEY);
    server.reply(json({ data: [{ id: "gpt-6.1-sol" }] }));
    const saved = await bough(place, ["login", "openai"], `${KEY}\n`);
    expect([saved.code, saved.stdout]).toEqual([
      0,
      expect.stringContaining("The key works (1 model) and was saved in"),
    ]);
    expect(saved.stdout + saved.stderr).not.toContain(KEY);
    server.reply(says(OPENAI, HELLO), says(OPENAI, HELLO), json({ data: [{ id: "gpt-6.1-sol" }] }));
    const answered = await bough(place, ["-p", "Hello"]);
    expect([answered.code, answered.stdout]).toEqual([0, "Hello from the server\n"]);
    expect((await bough(place, ["-p", "-c", "And again"])).code).toBe(0);
    const [first, second] = server.requests.filter(({ path }) => path === "/v1/responses");
    assertPromptPrefix(first?.body, second?.body);
    const doctor = await bough(place, ["doctor", "--online", "--json"]);
    expect(doctor.stdout).toContain("openai/gpt-6.1-sol works");
  });
});
