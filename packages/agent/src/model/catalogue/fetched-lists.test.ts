/** Lists of models from a local server, valid and invalid. */
import { readFileSync, statSync, utimesSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { createModelRegistry, type RegistryOptions } from "../create-registry.js";
import type { ModelInfo } from "../language-model.js";
import { type WireServer, wireServer } from "../wire-server.test-support.js";
import type { ModelsSettings } from "./models-settings.js";

let server: WireServer;
let home: string;

beforeEach(async () => {
  server = await wireServer();
  home = tempFolder();
});
afterEach(() => server.close());

const model = (id: string, facts: object = {}) => ({
  id,
  name: `Name of ${id}`,
  reasoning: true,
  modalities: { input: ["text", "image"] },
  limit: { context: 400_000, output: 64_000 },
  cost: { input: 2, output: 8, cache_read: 0.2, cache_write: 2.5 },
  ...facts,
});
const listOf = (provider: string, ...models: readonly { readonly id: string }[]) =>
  JSON.stringify({
    [provider]: { api: "http://evil.example", models: Object.fromEntries(models.map((m) => [m.id, m])) },
  });
const reply = (body: string, headers: Readonly<Record<string, string>> = {}, status = 200) =>
  server.reply({ status, headers, body });

function registryWith(settings: ModelsSettings = {}, env: RegistryOptions["env"] = { MISTRAL_API_KEY: "k" }) {
  return createModelRegistry({
    home,
    env,
    servers: [],
    overrides: { refresh: `${server.origin}/api.json`, ...settings },
  });
}

async function refreshed(): Promise<(reference: string) => ModelInfo | undefined> {
  const registry = registryWith();
  await registry.refreshLists();
  return (reference) => registry.all().find(({ provider, id }) => `${provider}/${id}` === reference);
}

const cacheFile = () => join(home, "cache", "models", "models.dev.json");
const age = (hours: number) => {
  const time = new Date(Date.now() - hours * 3_600_000);
  utimesSync(cacheFile(), time, time);
};

describe("a fetched list", () => {
  test("adds models with their numbers, marked, and is there at the next start", async () => {
    reply(listOf("groq", model("new-model")));
    const find = await refreshed();
    const expected = {
      ...{ provider: "groq", id: "new-model", name: "Name of new-model", api: "openai-completions" },
      ...{ baseUrl: "https://api.groq.com/openai/v1", contextWindow: 400_000, maxOutput: 64_000 },
      ...{ reasoning: true, images: true, pricesFrom: "models.dev" },
      prices: { input: 2, output: 8, cacheRead: 0.2, cacheWrite: 2.5 },
    };
    expect(find("groq/new-model")).toEqual(expected);
    expect(registryWith().resolve("groq/new-model")).toEqual(expected);
    expect(statSync(cacheFile()).mode & 0o777).toBe(0o600);
    expect(server.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ["/api.json", undefined],
    ]);
  });

  test("changes prices of models that are kept by hand, and not their windows", async () => {
    const limit = { context: 9_000_000, output: 900_000 };
    reply(listOf("anthropic", model("claude-sonnet-4-6", { limit })));
    const [before] = registryWith()
      .all()
      .filter(({ id, provider }) => provider === "anthropic" && id === "claude-sonnet-4-6");
    const find = await refreshed();
    expect(find("anthropic/claude-sonnet-4-6")).toEqual({
      ...before,
      prices: { input: 2, output: 8, cacheRead: 0.2, cacheWrite: 2.5 },
      pricesFrom: "models.dev",
    });
  });

  test("gives way to the user's settings", async () => {
    reply(listOf("groq", model("new-model")));
    const own = { id: "new-model", prices: { input: 1, output: 1 } };
    const registry = registryWith({ providers: { groq: { models: [own] } } });
    await registry.refreshLists();
    const { prices, pricesFrom, contextWindow } = registry.resolve("groq/new-model");
    expect([prices?.input, pricesFrom, contextWindow]).toEqual([1, undefined, 400_000]);
  });

  test.each([
    ["is free", { input: 0, output: 0 }],
    ["is free to write", { input: 2, output: 0 }],
    ["costs less than nothing", { input: -3, output: -15 }],
    ["costs a millionth of a dollar", { input: 1e-6, output: 1e-6 }],
    ["costs more than a house", { input: 1e9, output: 1e9 }],
    ["costs a word", { input: "cheap", output: "3" }],
  ])("that says that a model %s is not believed: its price stays what it was", async (_what, cost) => {
    reply(listOf("mistral", model("mistral-large-latest", { cost }), model("new-model", { cost })));
    const before = registryWith().resolve("mistral/mistral-large-latest").prices;
    const find = await refreshed();
    expect(find("mistral/mistral-large-latest")?.prices).toEqual(before);
    expect(find("mistral/new-model")).toMatchObject({ prices: undefined });
  });

  test.each([
    [{ context: -1, output: -1 }],
    [{ context: 1e300, output: 1e300 }],
    [{ context: 3, output: 2 }],
    [{ context: "many", output: null }],
    [{ context: 0.5, output: 1.5 }],
  ])("with the impossible window %j leaves the window unknown", async (limit) => {
    reply(listOf("groq", model("new-model", { limit })));
    expect((await refreshed())("groq/new-model")).toMatchObject({ contextWindow: 32_768, maxOutput: 8192 });
  });

  test("cannot bring providers, addresses, control characters or odd IDs", async () => {
    const odd = [model("a b"), model("\u001b[31mred"), model(""), model("x".repeat(300)), model("__proto__")];
    const named = model("fine", {
      name: "Fine\u001b]0;title\u0007\n model",
      api: "http://evil.example",
      baseUrl: "http://evil.example",
    });
    const other = { evil: { models: { m: model("m") } }, offline: { models: { m: model("m") } } };
    reply(JSON.stringify({ ...JSON.parse(listOf("groq", named, ...odd)), ...other }));
    const before = registryWith().all();
    const registry = registryWith();
    await registry.refreshLists();
    const added = registry
      .all()
      .filter(({ provider, id }) => !before.some((one) => one.provider === provider && one.id === id));
    expect(added.map(({ id, name, baseUrl }) => [id, name, baseUrl])).toEqual([
      ["fine", expect.stringMatching(/^Fine[\x20-\x7e]* model$/), "https://api.groq.com/openai/v1"],
      ["__proto__", expect.any(String), "https://api.groq.com/openai/v1"],
    ]);
  });
});

describe("a list that cannot be used", () => {
  test.each([
    ["a web page", () => reply("<html>Log in first</html>", { "content-type": "text/html" })],
    ["half of a list", () => reply(listOf("groq", model("m")).slice(0, -9))],
    ["a list without models", () => reply('{"groq":{"models":{}}}')],
    ["another form", () => reply('[1,"a",null]')],
    ["nothing", () => reply("")],
    ["an error", () => reply("busy", {}, 503)],
    ["a redirect to another address", () => reply("", { location: "http://127.0.0.2:9/api.json" }, 302)],
    [
      "a redirect to itself",
      () => {
        for (let n = 0; n < 9; n++) reply("", { location: "/api.json" }, 302);
      },
    ],
  ])("because of %s changes nothing, and is asked for again after an hour", async (_what, answer) => {
    reply(listOf("groq", model("old-model")));
    await refreshed();
    age(30);
    answer();
    const find = await refreshed();
    expect(find("groq/old-model")).toMatchObject({ contextWindow: 400_000 });
    server.forget();
    const { length } = server.requests;
    await refreshed();
    expect(server.requests).toHaveLength(length);
    age(1.5);
    reply(listOf("groq", model("newer-model")));
    expect((await refreshed())("groq/newer-model")).toBeDefined();
  });

  test("because it never ends is cut off", async () => {
    const endless = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const piece = " ".repeat(1 << 20);
      const more = (): void => {
        while (!response.destroyed && response.write(piece));
        response.once("drain", more);
      };
      more();
    });
    await new Promise<void>((done) => endless.listen(0, "127.0.0.1", done));
    try {
      const refresh = `http://127.0.0.1:${(endless.address() as AddressInfo).port}/`;
      await registryWith({ refresh }).refreshLists();
      expect(JSON.parse(readFileSync(cacheFile(), "utf8"))).toEqual({ date: "", models: [], failed: true });
    } finally {
      endless.closeAllConnections();
      endless.close();
    }
  });

  test("because the server hangs does not outlive the session", async () => {
    server.reply({ frames: [], after: "wait" });
    const ending = new AbortController();
    const work = registryWith().refreshLists({ signal: ending.signal });
    await server.asked(1);
    ending.abort();
    await work;
    expect(() => statSync(cacheFile())).toThrow("ENOENT");
  });

  test("because the file was damaged counts as none", async () => {
    reply(listOf("groq", model("old-model")));
    await refreshed();
    const { writeFileSync } = await import("node:fs");
    for (const text of [
      "",
      "{",
      '{"date":5,"models":{}}',
      '{"date":"2026-11-16","models":[null,5,{"provider":"groq"}]}',
    ]) {
      writeFileSync(cacheFile(), text);
      expect(
        registryWith()
          .all()
          .some(({ id }) => id === "old-model"),
      ).toBe(false);
    }
  });
});

describe("a list is asked for", () => {
  test("once a day", async () => {
    reply(listOf("groq", model("a")), {}, 200);
    await refreshed();
    for (const hours of [0, 2, 23]) {
      age(hours);
      await refreshed();
    }
    expect(server.requests).toHaveLength(1);
    age(25);
    reply(listOf("groq", model("b")));
    expect((await refreshed())("groq/b")).toBeDefined();
  });

  test("only where a model with a key is set up", async () => {
    await registryWith({}, {}).refreshLists();
    await registryWith({}, { OLLAMA_CONTEXT_LENGTH: "5" }).refreshLists();
    expect(server.requests).toEqual([]);
  });

  test("not if the settings say no", async () => {
    await registryWith({ refresh: false }).refreshLists();
    expect(server.requests).toEqual([]);
  });

  test("not from models.dev, if all keys are for other addresses", async () => {
    const asked: string[] = [];
    const fetch = async (input: unknown) => {
      asked.push(String(input));
      return new Response("{}");
    };
    const withKey = (overrides: ModelsSettings, env: RegistryOptions["env"]) =>
      createModelRegistry({ home, env, servers: [], overrides, fetch: fetch as typeof globalThis.fetch });
    const team = { baseUrl: "http://127.0.0.1:9/v1", apiKeyEnv: "TEAM_KEY" };
    await withKey({ providers: { team } }, { TEAM_KEY: "k" }).refreshLists();
    await withKey({}, { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: "http://127.0.0.1:9" }).refreshLists();
    expect(asked).toEqual([]);
    await withKey({}, { ANTHROPIC_API_KEY: "k" }).refreshLists();
    expect(asked).toEqual(["https://models.dev/api.json"]);
  });

  test("of many models, none is chosen for the user", async () => {
    reply(listOf("openrouter", model("a/b")));
    const registry = registryWith({}, { OPENROUTER_API_KEY: "k" });
    await registry.refreshLists();
    expect(registry.available().map(({ id }) => id)).toContain("a/b");
    expect(registry.preferred().provider).toBe("offline");
  });
});
