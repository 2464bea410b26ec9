import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { harness } from "@bough/agent/agent/agent-harness.test-support.js";
import { scriptedModel } from "@bough/agent/agent/scripted-model.test-support.js";
import { McpServers } from "@bough/agent/mcp/index.js";
import { oddServer, openServers, ready } from "@bough/agent/mcp/mcp-servers.test-support.js";
import { expect, onTestFinished, test } from "vitest";
import { oauthMcpServer } from "../../../../../test/support/oauth-mcp-server.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { testContext } from "../command-context.test-support.js";
import { runCommandLine } from "../run-command-line.js";

async function withServer(way = "good") {
  const home = tempFolder();
  const file = join(home, "settings.json");
  const settings = oddServer(way);
  writeFileSync(file, JSON.stringify({ theme: "dark", mcpServers: { odd: settings } }));
  const source = { kind: "user", file } as const;
  const servers = new McpServers({
    servers: [{ name: "odd", settings, source }],
    cwd: home,
    home,
    env: process.env,
    waitMs: 30_000,
  });
  await ready(servers);
  const made = testContext({ steps: ["Hello, Ada."], agent: { servers, ownsServers: true } });
  return { ...made, file, servers };
}

test("/mcp lists servers with their state; with a name, what one has", async () => {
  const { context, agent } = await withServer();
  const list = await runCommandLine(context, "/mcp");
  expect(list).toMatchObject({
    kind: "done",
    message: "MCP servers:\n  odd  connected, 2 tools",
    hint: "/mcp <name> shows what a server has; /mcp log <name> what it printed.",
    data: { servers: [{ name: "odd", state: "connected", tools: ["odd__bash", "odd__echo"] }] },
  });
  const one = await runCommandLine(context, "/mcp odd");
  expect(one).toMatchObject({
    message: [
      "odd: connected, 2 tools · odd 1",
      "Tools (53 tokens):",
      "  odd__bash  Runs anything.",
      "  odd__echo  Does echo.",
      "Prompts:",
      "  /odd:greet  Greets.",
      "Resources:",
      "  @odd:odd://notes  notes",
    ].join("\n"),
  });
  expect(await runCommandLine(context, "/mcp nope")).toMatchObject({ kind: "unchanged", code: "wrong-arguments" });
  await agent.dispose();
});

test("/mcp disable is remembered and ends the server; enable restores it", async () => {
  const { context, agent, file, servers } = await withServer();
  const written = () => JSON.parse(readFileSync(file, "utf8"));
  expect(await runCommandLine(context, "/mcp disable odd")).toMatchObject({ message: "odd: disabled" });
  expect([written().theme, written().mcpServers.odd.disabled, servers.tools()]).toEqual(["dark", true, []]);
  expect(await runCommandLine(context, "/mcp enable odd")).toMatchObject({ message: "odd: enabled" });
  expect(written().mcpServers.odd.disabled).toBeUndefined();
  expect(await runCommandLine(context, "/mcp reconnect odd")).toMatchObject({ message: "odd: connected, 2 tools" });
  await agent.dispose();
});

test("/mcp add and /mcp remove say what to run instead", async () => {
  const { context, agent } = await withServer();
  for (const [verb, done] of [
    ["add", "added"],
    ["remove", "removed"],
  ]) {
    expect(await runCommandLine(context, `/mcp ${verb} files -- npx -y server-files .`)).toEqual({
      kind: "unchanged",
      code: "unavailable",
      message: `Servers are ${done} in a shell. Then start Bough again.`,
      hint: expect.stringContaining(`bough mcp ${verb} <name>`) as string,
    });
  }
  await agent.dispose();
  expect(await runCommandLine(testContext().context, "/mcp add files")).toMatchObject({
    message: "No MCP servers are configured.",
    hint: expect.stringContaining("bough mcp add <name> -- <command>") as string,
  });
});

test("/mcp says that there are no servers where extensions could bring some and did not", async () => {
  const { servers } = openServers({});
  const { context, agent } = testContext({ agent: { servers } });
  expect(await runCommandLine(context, "/mcp")).toMatchObject({
    kind: "unchanged",
    message: "No MCP servers are configured.",
  });
  servers.add({ name: "late", settings: oddServer("good"), source: { kind: "program" } });
  expect(await runCommandLine(context, "/mcp")).toMatchObject({
    kind: "done",
    message: expect.stringContaining("late"),
  });
  await agent.dispose();
});

test("a prompt of a server is a slash command; @server:uri attaches a resource", async () => {
  const { context, agent, model } = await withServer();
  expect(await runCommandLine(context, "/odd:greet")).toMatchObject({ kind: "unchanged", code: "wrong-arguments" });
  expect(await runCommandLine(context, "/odd:greet Ada Lovelace")).toMatchObject({ kind: "done" });
  expect(model.requests[0]?.messages.at(-1)).toMatchObject({ content: "Say hello to Ada Lovelace." });
  await agent.dispose();

  const { servers } = openServers({ odd: oddServer("good") });
  const asked = scriptedModel(["Read."]);
  const { agent: other } = harness({ model: asked, servers });
  await other.prompt("Look at @odd:odd://notes, and at @nobody:here");
  expect(JSON.stringify(asked.requests[0]?.messages)).toContain("The text of odd://notes");
});

test("/mcp login opens the browser and connects; logout forgets the login", async () => {
  const remote = await oauthMcpServer();
  onTestFinished(() => remote.close());
  const home = tempFolder();
  const source = { kind: "user" } as const;
  const servers = new McpServers({
    ...{ servers: [{ name: "team", settings: { url: remote.url }, source }], cwd: home, home, env: {}, waitMs: 30_000 },
    openUrl: (url) => void fetch(url),
  });
  await ready(servers);
  const { context, agent, told } = testContext({ agent: { servers, ownsServers: true } });
  expect(await runCommandLine(context, "/mcp login team")).toMatchObject({
    kind: "done",
    message: "Logged in to team: connected, 1 tool",
  });
  expect(told).toEqual([expect.stringContaining(`open this address:\n${remote.origin}/authorize?`)]);
  expect(await runCommandLine(context, "/mcp logout team")).toMatchObject({ message: "Logged out of team." });
  expect(servers.list()[0]?.state.kind).toBe("needs-login");
  expect(await runCommandLine(context, "/mcp logout team")).toMatchObject({ message: "Not logged in to team." });
  await agent.dispose();
});
