import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectProxy } from "../../../../../test/support/connect-proxy.js";
import { built } from "../../../../../test/support/loaded-modules.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { testCertificate } from "../../../../../test/support/test-certificate.js";
import { createModelRegistry } from "../create-registry.js";
import type { ModelEvent } from "../language-model.js";
import { PROTOCOLS, says } from "../wire-protocols.test-support.js";
import { type WireServer, wireServer } from "../wire-server.test-support.js";
import { proxyOf } from "./proxy-of.js";

type Env = Readonly<Record<string, string>>;
const KEY = "sk-secret-0123456789";
const REQUEST = {
  system: "",
  messages: [{ role: "user", content: "Hello", timestamp: 1 } as const],
  tools: [],
  thinkingLevel: "off" as const,
};

let server: WireServer;
beforeEach(async () => {
  server = await wireServer();
});
afterEach(() => server.close());

/** Runs one step with a model in this environment. */
async function step(
  reference: string,
  env: Env,
  { headers = {}, allowHttp = false }: { headers?: Readonly<Record<string, string>>; allowHttp?: boolean } = {},
) {
  const registry = createModelRegistry({
    home: tempFolder(),
    env,
    servers: [],
    overrides: { providers: { openai: { headers: { ...headers }, ...(allowHttp && { allowHttp }) } } },
  });
  let last: ModelEvent | undefined;
  for await (const event of registry.open(registry.resolve(reference)).stream(REQUEST, { now: () => 0 })) last = event;
  if (last?.type !== "end") throw new Error("bug: the step has no end");
  return { ...last, registry };
}

const [ANTHROPIC, OPENAI, COMPATIBLE, GOOGLE] = PROTOCOLS as [
  (typeof PROTOCOLS)[0],
  (typeof PROTOCOLS)[0],
  (typeof PROTOCOLS)[0],
  (typeof PROTOCOLS)[0],
];
const answer = (protocol: (typeof PROTOCOLS)[0]) => says(protocol, { parts: [{ text: "Hi" }], stop: "stop" });

describe("the base URL in the environment", () => {
  test.each([
    ["ANTHROPIC_BASE_URL", "", ANTHROPIC, "anthropic/own-name", "ANTHROPIC_API_KEY", "/v1/messages"],
    ["ANTHROPIC_BASE_URL", "/team/v1/", ANTHROPIC, "anthropic/own-name", "ANTHROPIC_API_KEY", "/team/v1/messages"],
    ["OPENAI_BASE_URL", "/v1", OPENAI, "openai/own-name", "OPENAI_API_KEY", "/v1/responses"],
    [
      "GOOGLE_GEMINI_BASE_URL",
      "/",
      GOOGLE,
      "google/own-name",
      "GEMINI_API_KEY",
      "/v1beta/models/own-name:streamGenerateContent?alt=sse",
    ],
  ])(
    "%s with the path %j gets the requests of its provider",
    async (variable, base, protocol, reference, key, path) => {
      server.reply(answer(protocol));
      const { failure } = await step(reference, { [variable]: `${server.origin}${base}`, [key]: KEY });
      expect(failure).toBeUndefined();
      expect(server.requests.map((request) => request.path)).toEqual([path]);
    },
  );

  test("gives way to the one in the settings, which are ours alone", () => {
    const registry = createModelRegistry({
      home: tempFolder(),
      env: { OPENAI_BASE_URL: "https://env.example/v1" },
      overrides: { providers: { openai: { baseUrl: "https://settings.example/v1" } } },
    });
    expect(registry.resolve("openai/gpt-5").baseUrl).toBe("https://settings.example/v1");
  });

  test("is reported if it is invalid, or if a key would be sent unencrypted", () => {
    const registry = createModelRegistry({
      home: tempFolder(),
      env: {
        OPENAI_BASE_URL: "gateway",
        ANTHROPIC_BASE_URL: "http://gateway.example:8080",
        ANTHROPIC_API_KEY: KEY,
        GOOGLE_GEMINI_BASE_URL: "http://127.0.0.1:1",
        GEMINI_API_KEY: KEY,
      },
    });
    expect(registry.warnings()).toEqual([
      "OPENAI_BASE_URL is not an http or https URL",
      "The key for anthropic is not sent to gateway.example:8080, which is not encrypted; use an https base URL",
    ]);
  });
});

test("a key is not sent unencrypted to another machine, not even to a proxy, unless settings allow it", async () => {
  const proxy = await connectProxy({ port: Number(new URL(server.origin).port) });
  const env = { HTTP_PROXY: proxy.origin, OPENAI_API_KEY: KEY, OPENAI_BASE_URL: "http://gateway.test/v1" };
  const { failure } = await step("openai/gpt-5", env);
  expect(failure).toMatchObject({ reason: "clear-text", retryable: false });
  expect(failure?.message).toContain("http://gateway.test is not encrypted");
  expect(failure?.hint).toContain("models.providers.openai.allowHttp");
  expect([proxy.asked, server.requests]).toEqual([[], []]);
  await proxy.close();
});

test("the organization, the project and headers from settings go with every request", async () => {
  server.reply(answer(OPENAI));
  const env = {
    OPENAI_BASE_URL: `${server.origin}/v1`,
    OPENAI_API_KEY: KEY,
    OPENAI_ORG_ID: "org-1",
    OPENAI_PROJECT_ID: "proj-1",
    TEAM: "blue",
  };
  await step("openai/gpt-5", env, { headers: { "X-Team": "$TEAM" } });
  expect(server.requests[0]?.headers).toMatchObject({
    authorization: `Bearer ${KEY}`,
    "openai-organization": "org-1",
    "openai-project": "proj-1",
    "x-team": "blue",
  });
});

test.each([
  ["openrouter", "OPENROUTER_API_KEY", "https://openrouter.ai/api/v1/chat/completions"],
  ["groq", "GROQ_API_KEY", "https://api.groq.com/openai/v1/chat/completions"],
  ["xai", "XAI_API_KEY", "https://api.x.ai/v1/chat/completions"],
  ["mistral", "MISTRAL_API_KEY", "https://api.mistral.ai/v1/chat/completions"],
  ["deepseek", "DEEPSEEK_API_KEY", "https://api.deepseek.com/v1/chat/completions"],
  ["together", "TOGETHER_API_KEY", "https://api.together.xyz/v1/chat/completions"],
  ["fireworks", "FIREWORKS_API_KEY", "https://api.fireworks.ai/inference/v1/chat/completions"],
  ["cerebras", "CEREBRAS_API_KEY", "https://api.cerebras.ai/v1/chat/completions"],
])("%s is spoken to with the key in %s at %s", async (provider, variable, address) => {
  server.reply(answer(COMPATIBLE));
  const asked: string[] = [];
  const registry = createModelRegistry({
    home: tempFolder(),
    env: { [variable]: KEY },
    // The connection ends here instead of at the vendor.
    fetch: (input, init) => {
      asked.push(String(input));
      return globalThis.fetch(`${server.origin}${new URL(String(input)).pathname}`, init);
    },
  });
  const said: string[] = [];
  for await (const event of registry
    .open(registry.resolve(`${provider}/some/model`))
    .stream(REQUEST, { now: () => 0 })) {
    if (event.type === "text") said.push(event.delta);
  }
  expect([asked, said.join("")]).toEqual([[address], "Hi"]);
  expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(server.requests[0]?.body).toMatchObject({ model: "some/model", stream: true });
});

describe("a redirect", () => {
  const env = () => ({ OPENAI_BASE_URL: `${server.origin}/v1`, OPENAI_API_KEY: KEY });
  const to = (location: string, status = 307) => ({ status, headers: { location }, body: "" });

  test("to another origin never gets the key, and the sentence says where it would have gone", async () => {
    const other = await wireServer();
    server.reply(to(`${other.origin}/v1/responses?key=x`));
    const { failure } = await step("openai/gpt-5", env());
    expect(other.requests).toEqual([]);
    expect(failure).toMatchObject({ reason: "redirect", retryable: false });
    expect(failure?.message).toContain(`redirects to ${other.origin}/v1/responses; the key was not sent there`);
    await other.close();
  });

  test("within the origin is followed, with the request", async () => {
    server.reply(to("/v2/responses"), answer(OPENAI));
    const { failure } = await step("openai/gpt-5", env());
    expect(failure).toBeUndefined();
    expect(server.requests.map(({ path }) => path)).toEqual(["/v1/responses", "/v2/responses"]);
    expect(server.requests[1]?.body).toEqual(server.requests[0]?.body);
  });

  test.each([
    ["that would drop the request", () => [to("/v2", 302)]],
    ["without an end", () => Array.from({ length: 9 }, () => to("/again"))],
    ["to nowhere", () => [to("http://[")]],
  ])("%s is refused", async (_name, replies) => {
    server.reply(...replies());
    expect((await step("openai/gpt-5", env())).failure).toMatchObject({ reason: "redirect", retryable: false });
  });
});

describe("which proxy", () => {
  const env = {
    HTTPS_PROXY: "http://secure:1",
    http_proxy: "plain:2",
    NO_PROXY: "inside.example, .corp.example,other.example:8443",
  };
  test.each([
    ["https://api.example/v1", "http://secure:1"],
    ["http://api.example/v1", "http://plain:2"],
    ["https://inside.example", undefined],
    ["https://deep.inside.example", undefined],
    ["https://outside.example", "http://secure:1"],
    ["https://a.corp.example", undefined],
    ["https://other.example:8443", undefined],
    ["https://other.example", "http://secure:1"],
    ["http://127.0.0.1:11434", undefined],
    ["http://localhost:1234", undefined],
    ["http://[::1]:8080", undefined],
  ])("%s goes through %s", (url, proxy) => {
    expect(proxyOf(new URL(url), env)).toBe(proxy);
  });

  test("a star excludes everything, and ALL_PROXY is for schemes without their own variable", () => {
    expect(proxyOf(new URL("https://a.example"), { ...env, NO_PROXY: "*" })).toBeUndefined();
    expect(proxyOf(new URL("https://a.example"), { ALL_PROXY: "http://all:3" })).toBe("http://all:3");
  });
});

describe("a proxy", () => {
  const port = () => Number(new URL(server.origin).port);
  const gateway = (proxy: string) => ({
    HTTP_PROXY: proxy,
    OPENROUTER_API_KEY: KEY,
    OPENAI_API_KEY: KEY,
    OPENAI_BASE_URL: "http://gateway.test/v1",
  });

  test("gets plain requests to forward, with its user name and password", async () => {
    const proxy = await connectProxy({ port: port(), login: "me:secret word" });
    server.reply(answer(OPENAI));
    const address = proxy.origin.replace("//", "//me:secret%20word@");
    const { failure } = await step("openai/gpt-5", gateway(address), { allowHttp: true });
    expect([failure, proxy.asked]).toEqual([undefined, ["POST http://gateway.test/v1/responses"]]);
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    await proxy.close();
  });

  test("that is not there, or wants a password, is named without that password", async () => {
    const proxy = await connectProxy({ port: port(), login: "me:secret" });
    const tunnel = { HTTPS_PROXY: proxy.origin.replace("//", "//me:wrong@"), OPENROUTER_API_KEY: KEY };
    const refused = (await step("openrouter/any", tunnel)).failure;
    expect(refused).toMatchObject({ reason: "proxy", retryable: false });
    expect(refused?.message).toContain(`The proxy ${proxy.origin} requires a user name and password (407)`);
    expect(refused?.hint).toContain("NO_PROXY");
    expect(JSON.stringify(refused)).not.toContain("wrong");
    await proxy.close();
    const gone = (await step("openrouter/any", tunnel)).failure;
    expect(gone?.message).toContain(`The proxy ${proxy.origin} cannot be reached (ECONNREFUSED)`);
  });

  test("of a kind we do not speak is refused", async () => {
    const { failure } = await step("openai/gpt-5", gateway("socks5://127.0.0.1:1"), { allowHttp: true });
    expect(failure).toMatchObject({ reason: "proxy" });
    expect(failure?.message).toContain("only http and https proxies are supported");
  });

  test("tunnels https, so that it sees neither the key nor the conversation", async () => {
    const { key, cert } = testCertificate("openrouter.ai");
    const bodies: string[] = [];
    const secure = createServer({ key, cert }, async (request, response) => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      bodies.push(`${request.headers.authorization} ${body}`);
      const reply = answer(COMPATIBLE);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end("frames" in reply ? reply.frames.join("") : "");
    });
    await new Promise<void>((resolve) => secure.listen(0, "127.0.0.1", resolve));
    const proxy = await connectProxy({ port: (secure.address() as AddressInfo).port });
    const ca = join(tempFolder(), "ca.pem");
    writeFileSync(ca, cert);
    const run = (env: Env) => promisify(execFile)(process.execPath, ["--input-type=module", "-e", CHILD], { env });
    const env = { HTTPS_PROXY: proxy.origin, OPENROUTER_API_KEY: KEY, PATH: process.env.PATH ?? "" };
    expect((await run({ ...env, NODE_EXTRA_CA_CERTS: ca })).stdout).toBe("Hi");
    expect(proxy.asked).toEqual(["CONNECT openrouter.ai:443"]);
    expect(bodies[0]).toContain(`Bearer ${KEY}`);
    expect((await run(env)).stdout).toContain('"reason":"tls"');
    expect(bodies).toHaveLength(1);
    await proxy.close();
    await new Promise((resolve) => secure.close(resolve));
  });
});

const CHILD = `
const { createModelRegistry } = await import(${built("model/index.js")});
const registry = createModelRegistry({ home: "/nowhere", env: process.env, servers: [] });
const request = ${JSON.stringify(REQUEST)};
for await (const event of registry.open(registry.resolve("openrouter/any")).stream(request, { now: () => 0 })) {
  if (event.type === "text") process.stdout.write(event.delta);
  if (event.type === "end" && event.failure) process.stdout.write(JSON.stringify(event.failure));
}
`;
