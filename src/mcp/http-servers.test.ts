import { expect, onTestFinished, test } from "vitest";
import { type HttpWay, httpMcpServer } from "../../test/support/http-mcp-server.js";
import { oauthMcpServer } from "../../test/support/oauth-mcp-server.js";
import { tempFolder } from "../../test/support/temp-folder.js";
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
  ["breaks", "The connection broke before the answer came"],
  ["ends", "The connection broke before the answer came"],
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

test("a redirect to another server is not followed, and the headers of the settings are not sent there", async () => {
  const other = await web("good");
  const { url } = await web("elsewhere", { to: other.url });
  const { servers, notices } = openServers({ web: { url, headers: { "x-team-key": "secret" } } });
  await ready(servers);
  expect([other.requests, notices]).toEqual([[], [expect.stringContaining(`Redirect to ${other.url} not followed`)]]);
});

test("the headers of the settings go to the server, and not to where it says to log in", async () => {
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
