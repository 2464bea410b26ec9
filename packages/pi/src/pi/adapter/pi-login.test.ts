import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createModelRegistry, type ProviderConfig, type UserModelRegistry } from "@bough/agent/model/index.js";
import {
  browsing,
  type OAuthServer,
  oauthClient,
  oauthServer,
} from "@bough/agent/model/provider/oauth-server.test-support.js";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ownApi, useRegistry } from "../ai/ask-model.js";
import { envApiKeyAuth, lazyOAuth } from "../ai/provider-auth.js";
import type { PiAuth } from "./pi-login.js";
import { nativeProvider } from "./pi-provider.js";

let home: string;
let server: OAuthServer;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "bough-pi-login-"));
  server = await oauthServer();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server.close();
  rmSync(home, { recursive: true, force: true });
});

const HOUR = 3_600_000;

/** A registry with a complete provider of pi's, as registered by `registerProvider(provider)`. */
function registry(
  auth: object,
  { later = 0, ...parts }: { readonly later?: number; readonly [part: string]: unknown } = {},
) {
  const models = createModelRegistry({ home, env: {}, servers: [], now: () => Date.now() + later });
  const model = {
    ...{ id: "large", name: "Large", api: "openai-completions", provider: "corp", baseUrl: `${server.origin}/v1` },
    ...{ reasoning: false, input: ["text"], contextWindow: 32_000, maxTokens: 2000 },
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  };
  const provider = {
    ...{ id: "corp", name: "Corp", baseUrl: `${server.origin}/v1`, auth: auth as PiAuth, getModels: () => [model] },
    ...ownApi("openai-completions"),
    ...parts,
  };
  const { name, config } = nativeProvider([provider]);
  models.registerProvider?.(name, config as ProviderConfig);
  useRegistry(models);
  return models;
}

async function asked(models: UserModelRegistry) {
  const messages = [{ role: "user", content: "hi", timestamp: 1 }] as const;
  const request = { system: "", messages, tools: [], thinkingLevel: "off" } as const;
  for await (const event of models.open(models.resolve("corp/large")).stream(request, { now: () => 1 })) {
    if (event.type === "end") return event.message;
  }
  throw new Error("bug: no end");
}

/** The login of the loopback server, in the form of pi's providers. */
function flow({ baseUrl }: { readonly baseUrl?: string } = {}) {
  const client = oauthClient(server.origin);
  type Notify = { notify(event: object): void; prompt(prompt: object): Promise<string>; readonly signal: AbortSignal };
  return {
    login: async (...[interaction]: readonly unknown[]) => {
      const { notify, prompt, signal } = interaction as Notify;
      const region = await prompt({ type: "select", message: "Region?", options: [{ id: "north", label: "North" }] });
      notify({ type: "progress", message: `Going ${region}` });
      const onAuth = ({ url }: { readonly url: string }) => notify({ type: "auth_url", url });
      return { ...(await client.login({ ...browsing(signal), onAuth })), type: "oauth" };
    },
    refresh: async (...[credentials, signal]: readonly unknown[]) =>
      client.refreshToken(credentials as never, signal as AbortSignal),
    toAuth: async (...[credentials]: readonly unknown[]) => ({
      apiKey: (credentials as { access: string }).access,
      ...(baseUrl === undefined ? {} : { baseUrl }),
    }),
  };
}

const choosing = () => ({ ...browsing(), onSelect: async () => "north" });
const saved = () => JSON.parse(readFileSync(join(home, "auth.json"), "utf8")) as Record<string, { access?: string }>;
const isAvailable = (models: UserModelRegistry) => models.available().some(({ provider }) => provider === "corp");

describe("a whole provider with lazyOAuth", () => {
  test("loads the login when it is first used, once, and its tokens open the models", async () => {
    const load = vi.fn(async () => flow());
    const models = registry({ oauth: lazyOAuth({ name: "Corp SSO", load }) });
    expect([models.logins?.(), isAvailable(models), load.mock.calls]).toEqual([
      [{ provider: "corp", name: "Corp SSO", loggedIn: false }],
      false,
      [],
    ]);
    const told: string[] = [];
    await models.login?.("corp", { ...choosing(), onProgress: (message) => void told.push(message) });
    expect([told, isAvailable(models), load.mock.calls.length]).toEqual([["Going north"], true, 1]);
    expect(statSync(join(home, "auth.json")).mode & 0o777).toBe(0o600);
    expect(await asked(models)).toMatchObject({ stopReason: "stop", content: [{ text: "hello" }] });
    expect([server.grants, server.asked]).toEqual([["authorization_code"], ["valid /v1/chat/completions"]]);
  });

  test("renews a login that has expired, in the next program too", async () => {
    const auth = { oauth: lazyOAuth({ name: "Corp SSO", load: async () => flow() }) };
    await registry(auth).login?.("corp", choosing());
    const before = saved().corp?.access;
    server.lifetime = 9 * 3600;
    expect((await asked(registry(auth, { later: 2 * HOUR }))).stopReason).toBe("stop");
    expect(server.grants).toEqual(["authorization_code", "refresh_token"]);
    expect(saved().corp?.access).not.toBe(before);
    expect(server.asked).toEqual(["valid /v1/chat/completions"]);
  });

  test("asks where the login says, and saves nothing if the user chooses nothing", async () => {
    const load = async () => flow({ baseUrl: `${server.origin}/v1/tenant` });
    const models = registry({ oauth: lazyOAuth({ name: "Corp SSO", load }) });
    await expect(models.login?.("corp", browsing())).rejects.toThrow("Login cancelled");
    expect([models.logins?.()[0]?.loggedIn, isAvailable(models)]).toEqual([false, false]);
    await models.login?.("corp", choosing());
    expect(models.resolve("corp/large").baseUrl).toBe(`${server.origin}/v1/tenant`);
    expect((await asked(models)).stopReason).toBe("stop");
    expect(server.asked).toEqual(["valid /v1/tenant/chat/completions"]);
  });
});

describe("a whole provider with envApiKeyAuth", () => {
  const auth = { apiKey: envApiKeyAuth("Corp key", ["CORP_FIRST", "CORP_SECOND"]) };

  /** A token that the server accepts, from a separate login. */
  const validToken = async () => (await oauthClient(server.origin).login(browsing())).access;

  test("takes the first variable that is set", async () => {
    vi.stubEnv("CORP_SECOND", await validToken());
    const models = registry(auth);
    expect((await asked(models)).stopReason).toBe("stop");
    vi.stubEnv("CORP_FIRST", "wrong");
    expect((await asked(models)).stopReason).toBe("error");
    expect(server.asked).toEqual(["valid /v1/chat/completions", "unknown /v1/chat/completions"]);
  });

  test("prefers the key that was saved", async () => {
    vi.stubEnv("CORP_FIRST", "wrong");
    const models = registry(auth);
    models.saveKey("corp", await validToken());
    expect((await asked(models)).stopReason).toBe("stop");
    expect(server.asked).toEqual(["valid /v1/chat/completions"]);
  });

  test("fails with an answer that says so if there is no key", async () => {
    expect(await asked(registry(auth))).toMatchObject({
      stopReason: "error",
      errorMessage: expect.stringMatching(/key/i),
    });
    expect(server.asked).toEqual([]);
  });
});

test("a whole provider without any login is asked once, and says what its server says", async () => {
  expect((await asked(registry({}))).stopReason).toBe("error");
  expect(server.asked).toEqual(["unknown /v1/chat/completions"]);
});

test("a whole provider lists its models again with the login", async () => {
  const names = ["large"];
  const entry = (id: string) => ({
    ...{ id, name: id, api: "openai-completions", provider: "corp", baseUrl: `${server.origin}/v1`, reasoning: false },
    ...{
      input: ["text"],
      contextWindow: 1000,
      maxTokens: 100,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    },
  });
  const refreshModels: ProviderConfig["refreshModels"] = async ({ credential, allowNetwork, signal }) => {
    if (!allowNetwork || credential?.type !== "oauth") return [];
    const headers = { authorization: `Bearer ${credential.access}` };
    const { data } = (await (await fetch(`${server.origin}/v1/models`, { headers, signal })).json()) as {
      data: { id: string }[];
    };
    names.splice(0, names.length, ...data.map(({ id }) => id));
    return [];
  };
  const oauth = lazyOAuth({ name: "Corp SSO", load: async () => flow() });
  const models = registry({ oauth }, { getModels: () => names.map(entry), refreshModels });
  await models.login?.("corp", choosing());
  await models.discover();
  expect(
    models
      .available()
      .filter(({ provider }) => provider === "corp")
      .map(({ id }) => id),
  ).toEqual(["live-1", "live-2"]);
});
