import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { type HttpWay, httpMcpServer } from "../../../../test/support/http-mcp-server.js";
import { oauthMcpServer } from "../../../../test/support/oauth-mcp-server.js";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { call, openServers, ready, said } from "./mcp-servers.test-support.js";
import { login } from "./oauth/login.js";

async function web(way: HttpWay, options?: { readonly to: string }) {
  const remote = await httpMcpServer(way, options);
  onTestFinished(() => remote.close());
  return remote;
}

test.each([
  ["large", "The MCP server web cannot be reached: it sent a message of more than 10 MB"],
  ["endless", "The MCP server web cannot be reached: it sent a message of more than 10 MB"],
  ["dies", "fetch failed"],
  ["breaks", "The connection was lost before the response arrived"],
  ["ends", "The connection was lost before the response arrived"],
  ["not-json", "is not valid JSON"],
] as const)("%s: the call fails with a sentence, and the next one is tried again", async (way, sentence) => {
  const { url } = await web(way);
  const { servers } = openServers({ web: { url } });
  await ready(servers);
  for (const _ of [1, 2]) {
    const result = await call(servers, "web__look");
    expect([result.isError, said(result)]).toEqual([true, expect.stringContaining(sentence)]);
  }
});

test("a redirect to another server is not followed, and headers from settings are not sent there", async () => {
  const other = await web("good");
  const { url } = await web("elsewhere", { to: other.url });
  const { servers, notices } = openServers({ web: { url, headers: { "x-team-key": "secret" } } });
  await ready(servers);
  expect([other.requests, notices]).toEqual([[], [expect.stringContaining(`Redirect to ${other.url} not followed`)]]);
});

test("the headers of the settings go to the server, not to its login server", async () => {
  const elsewhere = await oauthMcpServer();
  onTestFinished(() => elsewhere.close());
  const remote = await oauthMcpServer({ authorizationServer: elsewhere });
  onTestFinished(() => remote.close());
  const home = tempFolder();
  const settings = { url: remote.url, headers: { "x-team-key": "secret" } };
  const server = { name: "web", settings, source: { kind: "user" } } as const;
  const { signal } = new AbortController();
  const open = (url: string) => void fetch(url);
  expect(await login({ server, cwd: home, home, env: {}, version: "1", signal, open })).toBe("done");
  expect(elsewhere.asked).toContain("POST /token");
  expect([remote.keys.includes("POST /mcp"), elsewhere.keys]).toEqual([true, []]);
});

interface Asked {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string };
}

/** A server with sessions, which it forgets when it restarts. */
async function restartingServer(status: number) {
  let session = 1;
  const server = createServer(async (request, response) => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method, params } = (await json(request)) as Asked;
    const isStart = method === "initialize";
    if (!isStart && request.headers["mcp-session-id"] !== String(session)) return void response.writeHead(status).end();
    if (id === undefined) return void response.writeHead(202).end();
    const tools = [{ name: "look", inputSchema: { type: "object" } }];
    const results: Readonly<Record<string, object>> = {
      initialize: {
        protocolVersion: params?.protocolVersion ?? "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "web", version: "1" },
      },
      "tools/list": { tools },
      "tools/call": { content: [{ type: "text", text: `seen in ${session}` }] },
    };
    response.writeHead(200, { "content-type": "application/json", "mcp-session-id": String(session) });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] ?? {} }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const restart = () => {
    session += 1;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, restart };
}

test.each([404, 400])("a server that was started again (%s) is connected to by the next call", async (status) => {
  const { url, restart } = await restartingServer(status);
  const { servers } = openServers({ web: { url } });
  await ready(servers);
  expect(said(await call(servers, "web__look"))).toBe("seen in 1");
  restart();
  const lost = await call(servers, "web__look");
  expect([lost.isError, said(lost)]).toEqual([true, expect.stringContaining("The next call reconnects")]);
  expect(said(await call(servers, "web__look"))).toBe("seen in 2");
});

test("a server that is stopped while connecting is not reported as failed", async () => {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const { servers, notices } = openServers({ web: { url } });
  servers.start();
  await new Promise((resolve) => server.once("request", resolve));
  await servers.close();
  // The abandoned attempt ends after that.
  for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect([notices, servers.list().map(({ state }) => state.kind)]).toEqual([[], ["idle"]]);
});
