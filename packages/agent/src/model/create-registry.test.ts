import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { KNOWN_PROVIDERS } from "./catalogue/known-providers.js";
import { modelsSettingsSchema } from "./catalogue/models-settings-schema.js";
import { createModelRegistry, type RegistryOptions } from "./create-registry.js";
import { ModelError } from "./model-error.js";
import { wireServer } from "./wire-server.test-support.js";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "bough-model-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function registry(options: Partial<RegistryOptions> = {}) {
  return createModelRegistry({ home, env: {}, servers: [], ...options });
}

const names = (models: readonly { provider: string; id: string }[]) =>
  models.map(({ provider, id }) => `${provider}/${id}`);

function thrown(action: () => unknown): ModelError {
  try {
    action();
  } catch (error) {
    if (error instanceof ModelError) return error;
    throw error;
  }
  throw new Error("bug: nothing was thrown");
}

describe("without any key", () => {
  test("the offline model is what is available and preferred, and all others are still known", () => {
    const models = registry();
    expect(names(models.available())).toEqual(["offline/rules"]);
    expect(models.preferred()).toMatchObject({ provider: "offline", id: "rules", prices: undefined });
    expect(names(models.all())).toEqual(
      expect.arrayContaining(["anthropic/claude-sonnet-4-5", "openai/gpt-5", "offline/rules"]),
    );
    expect(new Set(names(models.all())).size).toBe(models.all().length);
  });
});

describe("keys", () => {
  test("come from the environment and open their provider's models", () => {
    const models = registry({ env: { GEMINI_API_KEY: "g-1", OPENAI_API_KEY: " " } });
    expect(models.apiKey("google")).toBe("g-1");
    expect(models.apiKey("openai")).toBeUndefined();
    expect(new Set(models.available().map((info) => info.provider))).toEqual(new Set(["google", "offline"]));
    expect(models.preferred()).toMatchObject({ provider: "google" });
  });

  test.each([
    ["ANTHROPIC_API_KEY", /^claude-sonnet-(?<version>[\d-]+)$/],
    ["OPENAI_API_KEY", /^gpt-(?<version>[\d.]+)(?:-sol)?$/],
    ["GEMINI_API_KEY", /^gemini-(?<version>[\d.]+)-(?:pro|argon)$/],
  ])("with %s, sessions start with the newest model of its kind", (variable, kind) => {
    const models = registry({ env: { [variable]: "k" } });
    const { provider, id, prices } = models.preferred();
    const versionOf = (name: string) => Number(kind.exec(name)?.groups?.version?.replace("-", "."));
    const versions = models
      .all()
      .filter((info) => info.provider === provider && kind.test(info.id))
      .map((info) => versionOf(info.id))
      .filter((version) => version < 100);
    expect(versions.length).toBeGreaterThan(1);
    expect(versionOf(id)).toBe(Math.max(...versions));
    expect(prices).toBeDefined();
  });

  test("are saved in a private file that keeps its other content, and apply at once", () => {
    const models = registry();
    models.saveKey("anthropic", "a-1");
    models.saveKey("openai", "o-1");
    const path = join(home, "auth.json");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
      anthropic: { type: "api_key", key: "a-1" },
      openai: { type: "api_key", key: "o-1" },
    });
    expect([models.apiKey("anthropic"), models.apiKey("openai")]).toEqual(["a-1", "o-1"]);
    models.saveKey("openai", undefined);
    expect(models.apiKey("openai")).toBeUndefined();
    expect(models.problems()).toEqual([]);
  });

  test("of the environment win over saved ones", () => {
    const models = registry({ env: { ANTHROPIC_API_KEY: "from-env" } });
    models.saveKey("anthropic", "saved");
    expect(models.apiKey("anthropic")).toBe("from-env");
  });

  test("are not read from a file that others can read, and a problem says so", () => {
    const models = registry();
    models.saveKey("anthropic", "a-1");
    chmodSync(join(home, "auth.json"), 0o644);
    expect(models.apiKey("anthropic")).toBeUndefined();
    expect(names(models.available())).toEqual(["offline/rules"]);
    expect(models.problems()).toEqual([expect.stringContaining("chmod 600")]);
    // Saving again makes the file private.
    models.saveKey("openai", "o-1");
    expect(models.problems()).toEqual([]);
    expect(models.apiKey("anthropic")).toBe("a-1");
  });

  test("a damaged file is reported, and saving does not run over it", () => {
    const path = join(home, "auth.json");
    writeFileSync(path, "{ broken", { mode: 0o600 });
    const models = registry();
    expect(models.problems()).toEqual([expect.stringContaining("not a JSON object")]);
    expect(thrown(() => models.saveKey("openai", "o-1")).code).toBe("bad-auth-file");
    expect(readFileSync(path, "utf8")).toBe("{ broken");
  });

  test("an empty key is refused without being repeated", () => {
    const error = thrown(() => registry().saveKey("openai", "two words"));
    expect(error.code).toBe("bad-key");
    expect(error.message).not.toContain("two words");
  });
});

describe("a reference", () => {
  test.each([
    ["anthropic/claude-sonnet-4-5", "anthropic/claude-sonnet-4-5"],
    ["Anthropic/Claude-Sonnet-4-5", "anthropic/claude-sonnet-4-5"],
    ["gpt-5", "openai/gpt-5"],
    ["haiku-4", "anthropic/claude-haiku-4-5"],
    ["opus 4.5", "anthropic/claude-opus-4-5"],
    ["offline", "offline/rules"],
    ["openrouter/meta/llama-4:free", "openrouter/meta/llama-4:free"],
    ["ollama/qwen3:8b", "ollama/qwen3:8b"],
  ])("%s means %s", (reference, name) => {
    const info = registry().resolve(reference);
    expect(`${info.provider}/${info.id}`).toBe(name);
  });

  test("to a model of a server with its own list has no known price", () => {
    expect(registry().resolve("openrouter/some/new-model")).toEqual({
      provider: "openrouter",
      id: "some/new-model",
      name: "some/new-model",
      api: "openai-completions",
      contextWindow: 32_768,
      maxOutput: 8192,
      reasoning: false,
      images: false,
      prices: undefined,
      baseUrl: "https://openrouter.ai/api/v1",
    });
  });

  test("that several models match names them", () => {
    const error = thrown(() => registry().resolve("sonnet"));
    expect(error.code).toBe("ambiguous-model");
    expect(error.hint).toContain("anthropic/claude-sonnet-4-5");
  });

  test("with a slip gets what comes near", () => {
    const error = thrown(() => registry().resolve("claude-sonet-4-5"));
    expect(error.code).toBe("unknown-model");
    expect((error.data.near as string[])[0]).toBe("anthropic/claude-sonnet-4-5");
    expect(error.hint).toContain("anthropic/claude-sonnet-4-5");
  });

  test("to an unknown provider names those that are known", () => {
    const error = thrown(() => registry().resolve("acme/model"));
    expect(error.code).toBe("unknown-provider");
    expect(error.hint).toContain("openrouter");
  });

  test("that is empty is unknown", () => {
    expect(thrown(() => registry().resolve(" ")).code).toBe("unknown-model");
  });
});

describe("settings", () => {
  test("change known models and add providers and models", () => {
    const overrides = modelsSettingsSchema.parse({
      default: "work/big",
      providers: {
        work: {
          baseUrl: "http://10.0.0.1:9000/v1/",
          apiKeyEnv: "WORK_KEY",
          models: [{ id: "big", contextWindow: 64_000, prices: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 } }],
        },
        anthropic: { models: [{ id: "claude-sonnet-4-5", contextWindow: 1_000_000 }, { id: "claude-next" }] },
      },
    });
    const models = registry({ overrides, env: { WORK_KEY: "w-1" } });
    expect(models.preferred()).toEqual({
      provider: "work",
      id: "big",
      name: "big",
      api: "openai-completions",
      contextWindow: 64_000,
      maxOutput: 8192,
      reasoning: false,
      images: false,
      prices: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
      baseUrl: "http://10.0.0.1:9000/v1",
    });
    expect(models.apiKey("work")).toBe("w-1");
    expect(models.resolve("anthropic/claude-sonnet-4-5")).toMatchObject({
      contextWindow: 1_000_000,
      prices: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
    });
    expect(models.resolve("anthropic/claude-next")).toMatchObject({ api: "anthropic-messages", prices: undefined });
  });

  test("a field that is undefined changes nothing", () => {
    const env = { ANTHROPIC_BASE_URL: "http://10.0.0.1:9000" };
    const overrides = { providers: { anthropic: { baseUrl: undefined, api: undefined, models: undefined } } };
    const reference = "anthropic/claude-sonnet-4-5";
    expect(registry({ overrides, env }).resolve(reference)).toEqual(registry({ env }).resolve(reference));
  });

  test("an invalid default is reported, not replaced by another model", () => {
    const models = registry({ overrides: { default: "gpt-99" } });
    expect(thrown(() => models.preferred()).code).toBe("unknown-model");
  });

  test.each([
    [{ providers: { "Bad Name": {} } }, "lower-case"],
    [{ providers: { work: { baseUrl: "ftp://x" } } }, "URL"],
    [{ providers: { work: { apiKeyEnv: "sk-123 456" } } }, "environment variable"],
    [{ providers: { work: { apiKey: "sk" } } }, "apiKey"],
  ])("%j is refused with a reason", (value, reason) => {
    const result = modelsSettingsSchema.safeParse(value);
    expect(result.success).toBe(false);
    expect(result.error?.message).toContain(reason);
  });
});

describe("servers on this machine", () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  async function serve(answer: (path: string) => { readonly body?: string; readonly hang?: true }): Promise<string> {
    const server = createServer((request, response) => {
      const { body, hang } = answer(request.url ?? "");
      if (hang) return;
      response.writeHead(body === undefined ? 404 : 200).end(body);
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async function threeServers() {
    const ollama = await serve((path) => {
      if (path === "/api/tags") return { body: JSON.stringify({ models: [{ name: "qwen3:8b" }, { name: "old" }] }) };
      if (path !== "/api/show") return {};
      return {
        body: JSON.stringify({
          capabilities: ["tools", "thinking", "vision"],
          model_info: { "qwen3.context_length": 40_960 },
        }),
      };
    });
    const vllm = await serve((path) =>
      path === "/v1/models"
        ? { body: JSON.stringify({ data: [{ id: "llama", max_model_len: 8000 }, { id: "text-embedding" }] }) }
        : {},
    );
    const page = await serve(() => ({ body: "<html>Something else</html>" }));
    return [
      { provider: "ollama", origin: ollama, kind: "ollama" },
      { provider: "vllm", origin: vllm, kind: "openai" },
      { provider: "llamacpp", origin: page, kind: "openai" },
      // Nothing listens here.
      { provider: "lmstudio", origin: "http://127.0.0.1:1", kind: "openai" },
    ] as const;
  }

  test("are found with their models, and whatever else listens there is passed over", async () => {
    const found = await threeServers();
    const models = registry({ servers: found });
    expect(names(await models.discover({ timeoutMs: 5000 }))).toEqual(["ollama/qwen3:8b", "ollama/old", "vllm/llama"]);
    expect(models.resolve("qwen3")).toEqual({
      provider: "ollama",
      id: "qwen3:8b",
      name: "qwen3:8b",
      api: "openai-completions",
      contextWindow: 40_960,
      maxOutput: 8192,
      reasoning: true,
      images: true,
      prices: undefined,
      baseUrl: `${found[0].origin}/v1`,
    });
    expect(models.resolve("vllm/llama")).toMatchObject({ contextWindow: 8000, maxOutput: 8000, reasoning: false });
    expect(names(models.available())).toEqual(["offline/rules", "ollama/qwen3:8b", "ollama/old", "vllm/llama"]);
    expect(models.preferred()).toMatchObject({ provider: "ollama", id: "qwen3:8b" });
    const withKey = registry({ servers: found, env: { XAI_API_KEY: "k" } });
    await withKey.discover({ timeoutMs: 5000 });
    expect(withKey.preferred()).toMatchObject({ provider: "xai" });
  });

  test("models missing from the next scan are no longer offered", async () => {
    const models = registry({ servers: await threeServers() });
    await models.discover({ timeoutMs: 5000 });
    for (const server of servers) {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    }
    expect(await models.discover({ timeoutMs: 5000 })).toEqual([]);
    expect(names(models.available())).toEqual(["offline/rules"]);
  });

  test("that never answer do not hold anyone up, and the search can be stopped", async () => {
    const silent = await serve(() => ({ hang: true }));
    const models = registry({ servers: [{ provider: "vllm", origin: silent, kind: "openai" }] });
    expect(await models.discover({ timeoutMs: 50 })).toEqual([]);
    expect(await models.discover({ timeoutMs: 60_000, signal: AbortSignal.abort() })).toEqual([]);
  });
});

describe("models that several providers offer", () => {
  test("come from the vendor, or from the only provider with a key", () => {
    expect(registry().resolve("claude-sonnet-4-6")).toMatchObject({ provider: "anthropic" });
    const gateway = registry({ env: { OPENCODE_API_KEY: "k" } });
    expect(gateway.resolve("claude-sonnet-4-6")).toMatchObject({ provider: "opencode", contextWindow: 1_000_000 });
  });

  test("are what a session starts with if only their provider has a key: the newest of a kind for daily work", () => {
    const chosen = Object.entries(KNOWN_PROVIDERS).flatMap(
      ([
        name,
        {
          keyVariables: [variable],
          baseUrl,
        },
      ]) => {
        if (variable === undefined || baseUrl === undefined) return [];
        const { provider, id } = registry({ env: { [variable]: "k" } }).preferred();
        return [[name, provider === "offline" ? "none" : `${provider}/${id}`]];
      },
    );
    expect(Object.fromEntries(chosen)).toMatchInlineSnapshot(`
      {
        "baseten": "baseten/zai-org/GLM-5.3",
        "cerebras": "cerebras/gpt-oss-120b",
        "cloudflare": "cloudflare/@cf/zai-org/glm-5.3",
        "deepseek": "deepseek/deepseek-v4-pro",
        "fireworks": "fireworks/accounts/fireworks/models/glm-5p3",
        "github-copilot": "github-copilot/claude-sonnet-5.5",
        "github-models": "none",
        "groq": "groq/openai/gpt-oss-120b",
        "huggingface": "none",
        "minimax": "minimax/MiniMax-M3",
        "mistral": "mistral/mistral-large-latest",
        "moonshotai": "moonshotai/kimi-k3.1-pro",
        "nvidia": "nvidia/nvidia/nemotron-3-ultra-550b-a55b",
        "opencode": "opencode/claude-sonnet-5-5",
        "openrouter": "none",
        "qwen": "none",
        "qwen-token-plan": "qwen-token-plan/qwen3.8-max",
        "together": "together/zai-org/GLM-5.3",
        "vercel": "none",
        "xai": "xai/grok-4.7",
        "zai": "zai/glm-5.3",
      }
    `);
  });

  test("give way to a vendor with a key, and to models of the user's own", () => {
    const env = { GROQ_API_KEY: "k" };
    expect(registry({ env: { ...env, OPENAI_API_KEY: "k" } }).preferred()).toMatchObject({ provider: "openai" });
    const overrides = { providers: { groq: { models: [{ id: "qwen/qwen3.8-27b" }] } } };
    expect(registry({ env, overrides }).preferred()).toMatchObject({ provider: "groq", id: "qwen/qwen3.8-27b" });
    const team = { baseUrl: "https://ai.example.com/v1", models: [{ id: "large" }] };
    expect(registry({ env, overrides: { providers: { team } } }).preferred()).toMatchObject({ provider: "team" });
  });
});

describe("built-in facts", () => {
  test("have a price or none, but never one of zero", () => {
    const prices = registry()
      .all()
      .flatMap((info) => (info.prices === undefined ? [] : [info.prices]));
    expect(prices.length).toBeGreaterThan(500);
    for (const { input, output, cacheRead, cacheWrite } of prices) {
      expect(Math.min(input, output, cacheRead, cacheWrite)).toBeGreaterThan(0);
    }
  });

  test("have sizes, names and a provider that is known", () => {
    const known = registry();
    for (const info of known.all()) {
      expect(known.providers()).toContain(info.provider);
      expect([info.contextWindow > 0, info.maxOutput > 0, info.name.trim() !== ""]).toEqual([true, true, true]);
    }
    expect(known.resolve("mistral/mistral-large-latest").prices).toMatchObject({ input: 0.5, output: 1.5 });
  });

  test("know which protocol each model of a gateway with several speaks, unless the settings say one", async () => {
    const server = await wireServer();
    try {
      const paths = async (api?: "openai-completions") => {
        const opencode = { baseUrl: `${server.origin}/zen/v1`, ...(api && { api }) };
        const models = registry({ env: { OPENCODE_API_KEY: "k" }, overrides: { providers: { opencode } } });
        const from = server.requests.length;
        for (const id of ["claude-sonnet-5", "gpt-5.4", "gemini-3.1-pro", "glm-5.2", "claude-not-listed"]) {
          server.reply({ status: 400, body: "{}" });
          const request = { system: "", messages: [], tools: [], thinkingLevel: "off" } as const;
          for await (const _ of models.open(models.resolve(`opencode/${id}`)).stream(request, { now: () => 0 }));
        }
        return server.requests.slice(from).map(({ path }) => path.replace(/^\/zen\/v1|\?.*$/g, ""));
      };
      const completions = "/chat/completions";
      const google = "/models/gemini-3.1-pro:streamGenerateContent";
      expect(await paths()).toEqual(["/messages", "/responses", google, completions, "/messages"]);
      expect(await paths("openai-completions")).toEqual([
        completions,
        completions,
        completions,
        completions,
        completions,
      ]);
    } finally {
      await server.close();
    }
  });

  test("send a Cloudflare token only to the account it is for", () => {
    const models = registry({ env: { CLOUDFLARE_AI_TOKEN: "t", CLOUDFLARE_ACCOUNT_ID: "a/b" } });
    expect(models.resolve("cloudflare/@cf/openai/gpt-oss-120b").baseUrl).toBe(
      "https://api.cloudflare.com/client/v4/accounts/a%2Fb/ai/v1",
    );
  });
});
