import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createModelRegistry, type UserModelRegistry } from "../create-registry.js";
import type { ModelInfo } from "../language-model.js";
import type { ProviderConfig } from "../provider-config.js";
import { browsing, type OAuthServer, oauthClient, oauthServer } from "./oauth-server.test-support.js";

let home: string;
let server: OAuthServer;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "bough-oauth-"));
  server = await oauthServer();
});
afterEach(async () => {
  await server.close();
  rmSync(home, { recursive: true, force: true });
});

const HOUR = 3_600_000;

function registry({ later = 0, ...changed }: Partial<ProviderConfig> & { readonly later?: number } = {}) {
  const models = createModelRegistry({ home, env: {}, servers: [], now: () => Date.now() + later });
  models.registerProvider?.("corp", {
    baseUrl: `${server.origin}/v1`,
    api: "openai-completions",
    models: [{ id: "large" }],
    oauth: oauthClient(server.origin),
    ...changed,
  });
  return models;
}

const available = (models: UserModelRegistry) => models.available().filter(({ provider }) => provider === "corp");
const saved = () => JSON.parse(readFileSync(join(home, "auth.json"), "utf8")) as Record<string, object>;

async function asked(models: UserModelRegistry, info: ModelInfo = models.resolve("corp/large")) {
  const request = {
    system: "",
    messages: [{ role: "user", content: "hi", timestamp: 1 }],
    tools: [],
    thinkingLevel: "off",
  } as const;
  for await (const event of models.open(info).stream(request, { now: () => 1 })) {
    if (event.type === "end") return event;
  }
  throw new Error("bug: no end");
}

describe("a login of a registered provider", () => {
  test("opens its models, and is saved privately, next to what else is there", async () => {
    const models = registry();
    models.saveKey("openai", "o-1");
    expect([available(models), models.logins?.()]).toEqual([
      [],
      [{ provider: "corp", name: "Corporate SSO", loggedIn: false }],
    ]);
    const user = browsing();
    await models.login?.("corp", user);
    expect(user.seen).toEqual(["/authorize"]);
    expect(available(models).map(({ id }) => id)).toEqual(["large"]);
    expect(models.logins?.()[0]?.loggedIn).toBe(true);
    expect(statSync(join(home, "auth.json")).mode & 0o777).toBe(0o600);
    expect(saved()).toEqual({
      openai: { type: "api_key", key: "o-1" },
      corp: {
        type: "oauth",
        access: expect.any(String),
        refresh: expect.any(String),
        expires: expect.any(Number),
        region: "north",
      },
    });
    expect((await asked(models)).message).toMatchObject({ stopReason: "stop", content: [{ text: "hello" }] });
    // A later process finds it.
    expect((await asked(registry())).message.stopReason).toBe("stop");
    expect([server.grants, server.asked]).toEqual([
      ["authorization_code"],
      ["valid /v1/chat/completions", "valid /v1/chat/completions"],
    ]);
  });

  test("is renewed when it has expired, once for all who wait, and what was not repeated stays", async () => {
    const oauth = oauthClient(server.origin);
    await registry().login?.("corp", browsing());
    const before = saved().corp;
    const withoutRegion = async (...given: Parameters<typeof oauth.refreshToken>) => {
      const { region: _, ...rest } = await oauth.refreshToken(...given);
      return rest as Awaited<ReturnType<typeof oauth.refreshToken>>;
    };
    const changed = { later: 2 * HOUR, oauth: { ...oauth, refreshToken: withoutRegion } };
    // Two processes: the server accepts a refresh token only once.
    const [first, second] = [registry(changed), registry(changed)];
    server.lifetime = 9 * 3600;
    const ends = await Promise.all([asked(first), asked(first), asked(second)]);
    expect(ends.map(({ message }) => message.stopReason)).toEqual(["stop", "stop", "stop"]);
    expect(server.grants).toEqual(["authorization_code", "refresh_token"]);
    expect(saved().corp).not.toEqual(before);
    expect(saved().corp).toMatchObject({ type: "oauth", region: "north" });
  });

  test("that cannot be renewed says so without a token, sends nothing, and stays saved", async () => {
    await registry().login?.("corp", browsing());
    const { refresh } = saved().corp as { refresh: string };
    server.revoke();
    const end = await asked(registry({ later: 2 * HOUR }));
    expect(end.failure).toMatchObject({ kind: "no-key", retryable: false, hint: "Log in again with /login corp" });
    expect(end.message.errorMessage).toMatch(/^The login to Corporate SSO could not be renewed: HTTP 400/);
    expect(JSON.stringify(end)).not.toContain(refresh);
    expect(server.asked).toEqual([]);
    expect(saved().corp).toMatchObject({ refresh });
  });

  test("that is cancelled saves nothing", async () => {
    const models = registry();
    const cancelling = new AbortController();
    const waiting = models.login?.("corp", { ...browsing(cancelling.signal), onAuth: () => cancelling.abort() });
    await expect(waiting).rejects.toThrow();
    expect([available(models), models.logins?.()[0]?.loggedIn]).toEqual([[], false]);
  });

  test("that gives no token is refused, as is one to a provider without a login", async () => {
    const login = async () => ({ refresh: "r", access: "a\nb", expires: 1 });
    const models = registry({ oauth: { ...oauthClient(server.origin), login } });
    await expect(models.login?.("corp", browsing())).rejects.toMatchObject({ code: "login-failed" });
    await expect(models.login?.("openai", browsing())).rejects.toMatchObject({ code: "no-login" });
  });

  test("ends when its key is removed, and is ignored in a file that others can read", async () => {
    const models = registry();
    await models.login?.("corp", browsing());
    chmodSync(join(home, "auth.json"), 0o644);
    expect(available(models)).toEqual([]);
    chmodSync(join(home, "auth.json"), 0o600);
    expect(available(models)).toHaveLength(1);
    models.saveKey("corp", undefined);
    expect([available(models), saved()]).toEqual([[], {}]);
  });

  test("may change the models, and is the key of a stream of the provider's own", async () => {
    const keys: unknown[] = [];
    const models = registry({
      oauth: {
        ...oauthClient(server.origin),
        modifyModels: (list, { region }) => list.map((info) => ({ ...info, baseUrl: `https://${region}.example.com` })),
      },
      async *streamSimple(_model, _context, { apiKey }) {
        keys.push(apiKey);
        yield { type: "done", message: { content: [{ type: "text", text: "own" }], stopReason: "stop" } };
      },
    });
    expect(models.resolve("corp/large").baseUrl).toBe(`${server.origin}/v1`);
    await models.login?.("corp", browsing());
    expect(models.resolve("corp/large").baseUrl).toBe("https://north.example.com");
    expect((await asked(models)).message.content).toEqual([{ type: "text", text: "own" }]);
    expect(keys).toEqual([(saved().corp as { access: string }).access]);
  });
});

describe("models that a provider lists itself", () => {
  const listing: ProviderConfig["refreshModels"] = async ({ credential, stored, allowNetwork, signal, publish }) => {
    if (!allowNetwork) return (stored?.models ?? []) as { id: string }[];
    if (credential?.type !== "oauth") return [];
    const headers = { authorization: `Bearer ${credential.access}` };
    const response = await fetch(`${server.origin}/v1/models`, { headers, signal });
    const { data } = (await response.json()) as { data: { id: string }[] };
    await publish({ persist: { models: data } });
    return data;
  };

  test("are asked for with the login, replace the others, and are known at the next start without a network", async () => {
    const models = registry({ refreshModels: listing });
    await models.login?.("corp", browsing());
    expect(available(models).map(({ id }) => id)).toEqual(["large"]);
    await models.discover();
    expect(available(models).map(({ id }) => id)).toEqual(["live-1", "live-2"]);
    expect((await asked(models, models.resolve("corp/live-2"))).message.stopReason).toBe("stop");
    expect(statSync(join(home, "provider-models.json")).mode & 0o777).toBe(0o600);
    await server.close();
    const next = registry({ refreshModels: listing });
    expect(await next.refreshModels?.({ allowNetwork: false })).toEqual({ aborted: false, errors: new Map() });
    expect(available(next).map(({ id }) => id)).toEqual(["live-1", "live-2"]);
    server = await oauthServer();
  });

  test("stay unchanged if the provider fails, which is reported once and without its key", async () => {
    const refreshModels = async () => Promise.reject(new Error("Bearer abcdef is not known"));
    const models = registry({ refreshModels });
    const { errors } = (await models.refreshModels?.()) ?? {};
    expect([...(errors?.keys() ?? [])]).toEqual(["corp"]);
    expect(models.all().some(({ provider, id }) => provider === "corp" && id === "large")).toBe(true);
    expect(models.warnings()).toContain("The models of corp could not be listed: [key] is not known");
  });
});
