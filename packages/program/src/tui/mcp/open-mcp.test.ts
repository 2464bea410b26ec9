import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { McpServers, type ServerSource } from "@bough/agent/mcp/index.js";
import { oddServer } from "@bough/agent/mcp/mcp-servers.test-support.js";
import { expect, onTestFinished, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { type ListAppOptions, listApp, until } from "../list/screen-app.test-support.js";
import { openMcp } from "./open-mcp.js";

/** Four servers, each in another state. */
async function mcpApp({ name, ...options }: ListAppOptions & { readonly name?: string } = {}) {
  const home = tempFolder();
  const file = join(home, "settings.json");
  const settings = {
    docs: oddServer("good"),
    "no-database": oddServer("exit"),
    "switched-off": { ...oddServer("good"), disabled: true },
    team: { url: "http://127.0.0.1:9/mcp" },
  };
  writeFileSync(file, JSON.stringify({ mcpServers: settings }));
  const source: ServerSource = { kind: "user", file };
  const configured = Object.entries(settings).map(([known, one]) => ({ name: known, settings: one, source }));
  const servers = new McpServers({ servers: configured, cwd: home, home, env: process.env, waitMs: 30_000 });
  onTestFinished(() => servers.close());
  await servers.settled({ signal: new AbortController().signal });
  const made = listApp({ height: 9, home, ...options, agent: { servers } });
  const closed = openMcp(made.app, { screen: "mcp", name });
  const written = () => JSON.parse(readFileSync(file, "utf8")).mcpServers;
  return { ...made, closed, servers, written };
}

test("lists the servers with their state, and why the selected one cannot be used", async () => {
  const { host } = await mcpApp();
  host.press("down");
  const at = (width: number): string => {
    host.resize({ width, height: 9 });
    return `\n${host.screen}\n`;
  };
  expect(at(40)).toMatchInlineSnapshot(`
    "
     MCP servers · 1 of 4 connected
     ───────────────────────────────────────
       docs           connected
     ❯ no-database    failed
       switched-off   disabled
       team           failed
     The MCP server no-database failed: it …
     Enter tools  l log  r reconnect  ? keys
    "
  `);
  expect(at(80)).toMatchInlineSnapshot(`
    "
     MCP servers · 1 of 4 connected
     ───────────────────────────────────────────────────────────────────────────────
       docs           connected          2 tools      user
     ❯ no-database    failed                          user
       switched-off   disabled                        user
       team           failed                          user
     The MCP server no-database failed: it exited with code 3; its last output: no …
     Enter tools   l log   r reconnect   d disable   ? keys   Esc close       2 of 4
    "
  `);
  expect(at(120)).toMatchInlineSnapshot(`
    "
     MCP servers · 1 of 4 connected
     ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       docs           connected          2 tools      user
     ❯ no-database    failed                          user
       switched-off   disabled                        user
       team           failed                          user
     The MCP server no-database failed: it exited with code 3; its last output: no database here
     Enter tools   l log   r reconnect   d disable   ? keys   Esc close                                               2 of 4
    "
  `);
});

test("Enter shows what a server has, l what it printed; Esc goes back to the list, and then closes it", async () => {
  const { host, closed } = await mcpApp({ height: 14 });
  host.press("enter");
  expect(`\n${host.screen}\n`).toMatchInlineSnapshot(`
    "
     MCP server docs
     ───────────────────────────────────────────────────────────────────────────────
     docs: connected, 2 tools · odd 1
     Tools (53 tokens):
       docs__bash  Runs anything.
       docs__echo  Does echo.
     Prompts:
       /docs:greet  Greets.
     Resources:
       @docs:odd://notes  notes
     Esc close   y copy   ? keys
    "
  `);
  host.press("esc", "down", "l");
  expect(host.screen).toContain("no-database, latest output:\n no database here");
  host.press("esc");
  expect(host.screen).toContain("MCP servers · 1 of 4 connected");
  host.press("esc");
  await closed;
  expect(host.top).toBeUndefined();
});

test("/mcp with a name shows that server at once", async () => {
  const { host } = await mcpApp({ name: "no-database" });
  await until(host, (screen) => screen.includes("no-database: failed"));
  host.press("esc");
  expect(host.lines.find((line) => line.includes("❯"))).toContain("no-database");
});

test("d disables a server and keeps that; again enables it, and the list shows how it connects", async () => {
  const { host, written, servers } = await mcpApp();
  host.press("d");
  await until(host, (screen) => /docs +disabled/.test(screen));
  expect([written().docs.disabled, servers.tools()]).toEqual([true, []]);
  expect([host.press("r"), host.statusLine?.message]).toEqual([true, "docs is disabled."]);
  host.press("d");
  await until(host, (screen) => /docs +connected +2 tools/.test(screen));
  expect(written().docs.disabled).toBeUndefined();
});

test("r connects again and reports how that went; logins are for servers over HTTP", async () => {
  const { host } = await mcpApp();
  const said = (start: string) => () => host.statuses.some(({ message }) => message.startsWith(start));
  host.press("r");
  await until(host, said("docs: connected, 2 tools"));
  host.press("down", "r");
  await until(host, said("no-database: failed. The MCP server"));
  host.press("i");
  expect(host.statusLine?.message).toBe("Only servers over HTTP have logins.");
});
