import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectProxy } from "../../../../../test/support/connect-proxy.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { testCertificate } from "../../../../../test/support/test-certificate.js";
import { createModelRegistry } from "../create-registry.js";
import type { ModelsSettings } from "../index.js";
import { PROTOCOLS, says } from "../wire-protocols.test-support.js";
import { type WireReply, type WireServer, wireServer } from "../wire-server.test-support.js";

const KEY = "sk-secret-0123456789";
const json = (value: unknown, status = 200) => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value),
});
const page = (status: number) => ({
  status,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: "<!DOCTYPE html><title>Sign in</title>",
});

let server: WireServer;
beforeEach(async () => {
  server = await wireServer();
});
afterEach(() => server.close());

type Env = Readonly<Record<string, string>>;
function registryAt(baseUrl: string, { env = {}, provider = "openai" }: { env?: Env; provider?: string } = {}) {
  const overrides: ModelsSettings = { providers: { [provider]: { baseUrl } } };
  return createModelRegistry({ home: tempFolder(), env, servers: [], overrides });
}

describe("an account that works", () => {
  test.each([
    [
      "anthropic",
      "/v1",
      { data: [{ type: "model", id: "claude-sonnet-4-6", display_name: "Claude Sonnet 4.6" }], has_more: false },
      ["/v1/models?limit=1000", "x-api-key", KEY],
      "claude-sonnet-4-6",
    ],
    [
      "openai",
      "/v1",
      { object: "list", data: [{ id: "gpt-5", object: "model", created: 1, owned_by: "system" }] },
      ["/v1/models", "authorization", `Bearer ${KEY}`],
      "gpt-5",
    ],
    [
      "google",
      "/v1beta",
      { models: [{ name: "models/gemini-2.5-flash", version: "001", displayName: "Gemini 2.5 Flash" }] },
      ["/v1beta/models?pageSize=1000", "x-goog-api-key", KEY],
      "gemini-2.5-flash",
    ],
    [
      "together",
      "/v1",
      [{ id: "Qwen/Qwen3-8B", object: "model", type: "chat" }],
      ["/v1/models", "authorization", `Bearer ${KEY}`],
      "Qwen/Qwen3-8B",
    ],
  ] as const)("the models of %s are requested with its key, which is free", async (provider, base, list, sent, id) => {
    server.reply(json(list));
    const registry = registryAt(`${server.origin}${base}`, { provider });
    expect(await registry.check(provider, { key: KEY })).toEqual({ kind: "works", models: [id] });
    const [path, header, value] = sent;
    expect(server.requests.map((request) => [request.path, request.headers[header]])).toEqual([[path, value]]);
  });

  test("of OpenRouter is asked about the key, because its list is open to everyone", async () => {
    server.reply(json({ data: { label: "sk-or-v1-0e6...1c96", usage: 0, limit: null, is_free_tier: true } }));
    const registry = registryAt(`${server.origin}/api/v1`, { provider: "openrouter" });
    expect(await registry.check("openrouter", { key: KEY })).toMatchObject({ kind: "works" });
    expect(server.requests[0]?.path).toBe("/api/v1/key");
  });

  test("a short answer is requested if there is no list, or the model is not on it", async () => {
    const answer = says(PROTOCOLS[1] as (typeof PROTOCOLS)[0], { parts: [{ text: "Hi" }], stop: "stop" });
    const registry = registryAt(`${server.origin}/v1`);
    const model = registry.resolve("openai/team-model");
    server.reply(json({ error: { message: "Not Found" } }, 404), answer, json({ data: [{ id: "other" }] }), answer);
    const works = { kind: "works", model: "team-model" };
    expect(await registry.check("openai", { key: KEY, model })).toMatchObject(works);
    expect(await registry.check("openai", { key: KEY, model })).toMatchObject({ ...works, models: ["other"] });
    expect(server.requests[1]?.body).toMatchObject({ model: "team-model", max_output_tokens: 16 });
  });
});

describe("an account that does not work is explained", () => {
  const check = async (replies: readonly WireReply[], given: { model?: string; env?: Env; base?: string } = {}) => {
    server.reply(...replies);
    const registry = registryAt(given.base ?? `${server.origin}/v1`, given.env ? { env: given.env } : {});
    const model = given.model === undefined ? {} : { model: registry.resolve(given.model) };
    const checked = await registry.check("openai", { key: KEY, ...model });
    if (checked.kind !== "fails") throw new Error(`bug: ${checked.kind}`);
    expect(JSON.stringify(checked)).not.toContain(KEY);
    return checked.failure;
  };
  const wrongKey = {
    error: { message: `Incorrect API key provided: ${KEY}.`, type: "invalid_request_error", code: "invalid_api_key" },
  };
  const noModel = {
    error: { message: "The model `nope` does not exist", type: "invalid_request_error", code: "model_not_found" },
  };

  test.each([
    [
      "a wrong key",
      [json(wrongKey, 401)],
      {},
      "wrong-key",
      "openai rejected the key (401): Incorrect API key provided: [key].",
      "OPENAI_API_KEY",
    ],
    [
      "no credit",
      [json({ error: { message: "You exceeded your current quota", code: "insufficient_quota" } }, 429)],
      {},
      "no-credit",
      "no credit left",
      "Add credit",
    ],
    [
      "a web page",
      [page(200)],
      {},
      "wrong-address",
      "/v1/models answered with a web page (200)",
      "usually ends in /v1",
    ],
    [
      "a page that says not found",
      [page(404)],
      {},
      "wrong-address",
      "answered with a web page (404)",
      "Check the base URL",
    ],
    [
      "a path that is not there",
      [json({ detail: "Not Found" }, 404)],
      {},
      "wrong-address",
      "was not found at its address (404)",
      "Check the base URL",
    ],
    [
      "something that is not JSON",
      [{ status: 200, body: "hello" }],
      {},
      "wrong-address",
      "the answer is not JSON",
      "Check the base URL",
    ],
    [
      "an unknown model",
      [json({ data: [{ id: "gpt-5" }] }), json(noModel, 404)],
      { model: "openai/nope" },
      "unknown-model",
      "openai/nope was not found (404)",
      "bough models",
    ],
  ] as const)("%s", async (_name, replies, given, reason, message, hint) => {
    const failure = await check([...replies], given);
    expect(failure.reason).toBe(reason);
    expect(failure.message).toContain(message);
    expect(failure.hint).toContain(hint);
  });

  test("a server that is not there, a name that is not known, and a proxy that refuses", async () => {
    const proxy = await connectProxy({ port: 1, login: "me:secret" });
    const refused = await check([], { base: "https://gateway.test/v1", env: { HTTPS_PROXY: proxy.origin } });
    await proxy.close();
    const gone = await check([], { base: `${proxy.origin}/v1` });
    const unknown = await check([], { base: "https://no-such-host.invalid/v1" });
    expect([refused.reason, gone.reason, unknown.reason]).toEqual(["proxy", "refused", "dns"]);
  });

  test("a certificate that cannot be verified", async () => {
    const { key, cert } = testCertificate("localhost");
    const secure = createServer({ key, cert }, (_request, response) => response.end());
    await new Promise<void>((resolve) => secure.listen(0, "127.0.0.1", resolve));
    const failure = await check([], { base: `https://localhost:${(secure.address() as AddressInfo).port}/v1` });
    await new Promise((resolve) => secure.close(resolve));
    expect(failure).toMatchObject({ reason: "tls", hint: expect.stringContaining("NODE_EXTRA_CA_CERTS") });
  });

  test("a redirect elsewhere, and a key that would be sent unencrypted: neither gets it", async () => {
    const other = await wireServer();
    const away = await check([{ status: 307, headers: { location: `${other.origin}/v1/models` }, body: "" }]);
    const clear = await check([], { base: "http://gateway.test/v1" });
    expect([away.reason, clear.reason, other.requests]).toEqual(["redirect", "clear-text", []]);
    await other.close();
  });
});

test("clouds that need a model to be asked about are not checked without one", async () => {
  const registry = createModelRegistry({ home: tempFolder(), env: {}, servers: [] });
  expect(await registry.check("bedrock", { key: KEY })).toEqual({ kind: "unchecked" });
});

test("an unknown provider is refused", async () => {
  const registry = createModelRegistry({ home: tempFolder(), env: {}, servers: [] });
  await expect(registry.check("nobody", { key: KEY })).rejects.toMatchObject({ code: "unknown-provider" });
});
