/** Models on Azure, Bedrock and Vertex: runs the optional packages against loopback servers with their protocols. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { AgentMessage, AssistantMessage } from "@bough/session/entry/index.js";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { createModelRegistry } from "../create-registry.js";
import type { ModelEvent, ModelFailure, ThinkingLevel } from "../language-model.js";
import { READ_TOOL } from "../mixed-context.test-support.js";
import { PROTOCOLS, type Spoken, says } from "../wire-protocols.test-support.js";
import { type WireReply, type WireServer, wireServer } from "../wire-server.test-support.js";
import { bedrockSays } from "./bedrock-stream.test-support.js";
import { optionalPackage } from "./optional-package.js";

const HELLO: AgentMessage = { role: "user", content: "Hello", timestamp: 1 };
const SPOKEN: Spoken = {
  parts: [
    { thinking: "I should look.", signature: "SIGNATURE-1" },
    { text: "Reading." },
    { call: "call-1", name: "read", input: '{"path":"a"}' },
  ],
  stop: "toolUse",
};

let server: WireServer;
beforeEach(async () => {
  server = await wireServer();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server.close();
});

interface Account {
  readonly env: Readonly<Record<string, string>>;
  readonly reference: string;
  readonly baseUrl?: string;
}

async function ask({ env, reference, baseUrl }: Account, messages: readonly AgentMessage[], level: ThinkingLevel) {
  const [provider = ""] = reference.split("/");
  const overrides = baseUrl === undefined ? {} : { overrides: { providers: { [provider]: { baseUrl } } } };
  const registry = createModelRegistry({ home: tempFolder(), env, servers: [], ...overrides });
  const info = registry.resolve(reference);
  const request = { system: "Be brief.", messages, tools: [READ_TOOL], thinkingLevel: level };
  let last: ModelEvent | undefined;
  for await (const event of registry.open(info).stream(request, { now: () => 5 })) last = event;
  if (last?.type !== "end") throw new Error("bug: the step has no end");
  return last;
}

function resultOf(id: string): AgentMessage {
  const content = [{ type: "text", text: "contents" }] as const;
  return { role: "toolResult", toolCallId: id, toolName: "read", content, isError: false, timestamp: 2 };
}

/** A step with thinking, text and a call, and a second one with the result. */
async function conversation(account: Account, replies: readonly [WireReply, WireReply]) {
  server.reply(...replies);
  const first = await ask(account, [HELLO], "low");
  expect(first.failure).toBeUndefined();
  expect(first.message.content.map(({ type }) => type)).toEqual(["thinking", "text", "toolCall"]);
  const second = await ask(account, [HELLO, first.message, resultOf("call-1")], "low");
  expect(second.failure).toBeUndefined();
  const bodies = server.requests.map(({ body }) => JSON.stringify(body));
  return { first: first.message as AssistantMessage, second: second.message, bodies };
}

const protocol = (api: string) => PROTOCOLS.find((one) => one.api === api) as (typeof PROTOCOLS)[0];
const twice = (api: string): [WireReply, WireReply] => [
  says(protocol(api), SPOKEN),
  says(protocol(api), { parts: [{ text: "Done" }], stop: "stop" }),
];

describe("Azure", () => {
  const account = () => ({
    env: { AZURE_API_KEY: "azure-key", AZURE_BASE_URL: `${server.origin}/openai/v1` },
    reference: "azure/gpt-5-deployment",
  });

  test("gets requests in the Responses protocol, with its key and its own reasoning back", async () => {
    const { first, bodies } = await conversation(account(), twice("openai-responses"));
    expect(server.requests.map(({ path, headers }) => [path, headers["api-key"]])).toEqual([
      ["/openai/v1/responses", "azure-key"],
      ["/openai/v1/responses", "azure-key"],
    ]);
    expect(first).toMatchObject({ api: "azure-openai", provider: "azure", model: "gpt-5-deployment" });
    expect(bodies[1]).toContain('"encrypted_content":"SIGNATURE-1"');
    expect(bodies[0]).toContain('"effort":"low"');
  });

  test.each([
    [{ AZURE_RESOURCE_NAME: "team" }, "https://team.openai.azure.com/openai"],
    [{ AZURE_OPENAI_ENDPOINT: "https://team.openai.azure.com/" }, "https://team.openai.azure.com/openai"],
  ])("is found from %j", (env, baseUrl) => {
    expect(createModelRegistry({ home: tempFolder(), env }).resolve("azure/any").baseUrl).toBe(baseUrl);
  });

  test("says when a deployment is not there", async () => {
    server.reply({ status: 404, body: '{"error":{"code":"DeploymentNotFound","message":"No such deployment"}}' });
    expect((await ask(account(), [HELLO], "off")).failure).toMatchObject({ reason: "unknown-model", status: 404 });
  });
});

describe("Bedrock", () => {
  const reference = "bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0";
  const account = (env: Readonly<Record<string, string>>): Account => ({
    env: { AWS_REGION: "eu-central-1", ...env },
    reference,
    baseUrl: server.origin,
  });
  const KEYS = { AWS_ACCESS_KEY_ID: "AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY: "secret", AWS_SESSION_TOKEN: "session" };

  test("gets signed requests in the Converse protocol, thinking and cache points included", async () => {
    const { first, bodies } = await conversation(account(KEYS), [
      bedrockSays(SPOKEN),
      bedrockSays({ parts: [{ text: "Done" }], stop: "stop" }),
    ]);
    const [request] = server.requests;
    expect(decodeURIComponent(request?.path ?? "")).toBe(
      "/model/us.anthropic.claude-sonnet-4-5-20250929-v1:0/converse-stream",
    );
    expect(request?.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d+\/eu-central-1\/bedrock\/aws4_request/,
    );
    expect(request?.headers["x-amz-security-token"]).toBe("session");
    expect(first).toMatchObject({
      provider: "bedrock",
      api: "amazon-bedrock",
      usage: { input: 12, output: 9, cacheRead: 50, cacheWrite: 100 },
    });
    expect(bodies[0]).toContain('"cachePoint":{"type":"default"}');
    expect(bodies[0]).toContain('"budget_tokens":4096');
    expect(bodies[1]).toContain('"signature":"SIGNATURE-1"');
  });

  test("takes a Bedrock API key instead", async () => {
    server.reply(bedrockSays({ parts: [{ text: "Done" }], stop: "stop" }));
    await ask(account({ AWS_BEARER_TOKEN_BEDROCK: "bedrock-key" }), [HELLO], "off");
    expect(server.requests[0]?.headers.authorization).toBe("Bearer bedrock-key");
  });

  test("says what is missing without either, and when the account may not use the model", async () => {
    expect((await ask(account({}), [HELLO], "off")).failure).toMatchObject({
      reason: "no-key",
      message: "No key for bedrock",
      hint: expect.stringContaining("AWS_BEARER_TOKEN_BEDROCK"),
    });
    server.reply({ status: 403, body: '{"message":"You don\'t have access to the model"}' });
    expect((await ask(account(KEYS), [HELLO], "off")).failure).toMatchObject({ reason: "no-rights", status: 403 });
  });
});

describe("Vertex", () => {
  test("takes a key in express mode", async () => {
    const account = {
      env: { GOOGLE_VERTEX_API_KEY: "vertex-key" },
      reference: "vertex/gemini-2.5-flash",
      baseUrl: `${server.origin}/v1/publishers/google`,
    };
    const { first, bodies } = await conversation(account, twice("google-generative-ai"));
    const [request] = server.requests;
    expect(request?.path).toBe("/v1/publishers/google/models/gemini-2.5-flash:streamGenerateContent?alt=sse");
    expect(request?.headers["x-goog-api-key"]).toBe("vertex-key");
    expect(first).toMatchObject({ provider: "vertex", api: "google-vertex" });
    expect(bodies[1]).toContain('"thoughtSignature":"SIGNATURE-1"');
  });

  test.each([
    ["gemini-2.5-flash", "google-generative-ai", /^\/models\/gemini-2\.5-flash:streamGenerateContent/],
    ["claude-sonnet-4-5@20250929", "anthropic-messages", /^\/claude-sonnet-4-5@20250929:streamRawPredict/],
  ])("signs in for %s with the account of the machine", async (id, api, path) => {
    const metadata = await metadataServer();
    vi.stubEnv("GCE_METADATA_HOST", metadata.host);
    vi.stubEnv("GOOGLE_APPLICATION_CREDENTIALS", undefined);
    vi.stubEnv("HOME", tempFolder());
    const env = { GOOGLE_VERTEX_PROJECT: "p", GOOGLE_VERTEX_LOCATION: "europe-west1" };
    await conversation({ env, reference: `vertex/${id}`, baseUrl: server.origin }, twice(api));
    expect(decodeURIComponent(server.requests[0]?.path ?? "")).toMatch(path);
    expect(server.requests[0]?.headers.authorization).toBe("Bearer machine-token");
    await metadata.close();
  });
});

test("a package that is not installed is named, with the command that installs it", async () => {
  const missing = "@ai-sdk/not-there";
  const error = await optionalPackage(missing, () => Promise.reject(notFound(missing))).catch((one: unknown) => one);
  expect(error).toMatchObject({
    code: "missing-package",
    message: "The package @ai-sdk/not-there is not installed",
    hint: "Install it next to Bough: npm install -g @ai-sdk/not-there",
  } satisfies Partial<ModelFailure> & { code: string });
});

function notFound(name: string): Error {
  return Object.assign(new Error(`Cannot find package '${name}'`), { code: "ERR_MODULE_NOT_FOUND" });
}

/** The metadata server from which a machine in Google's cloud gets its tokens. */
async function metadataServer() {
  const made = createServer((request, response) => {
    const token = { access_token: "machine-token", expires_in: 3600, token_type: "Bearer" };
    const answer = request.url?.includes("token") ? JSON.stringify(token) : "p";
    const type = request.url?.includes("token") ? "application/json" : "text/plain";
    response.writeHead(200, { "content-type": type, "metadata-flavor": "Google" }).end(answer);
  });
  await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
  return {
    host: `127.0.0.1:${(made.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        made.closeAllConnections();
        made.close(() => resolve());
      }),
  };
}
