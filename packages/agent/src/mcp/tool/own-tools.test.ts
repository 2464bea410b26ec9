/** Reading resources, running tasks, and remembering what servers said: with real servers. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import type { PermissionRequest, ToolUpdate } from "../../tool/index.js";
import { call, oddServer, openServers, packagedServer, ready, runOwn, said } from "../mcp-servers.test-support.js";

test("mcp_resource lists the resources of all servers without a question, and reads one after it was allowed", async () => {
  const { servers } = openServers({ all: packagedServer("everything", "stdio"), odd: oddServer("good") });
  await ready(servers);
  const asked: PermissionRequest[] = [];
  const permit = async (request: PermissionRequest) => {
    asked.push(request);
    return { allowed: true } as const;
  };
  const list = said(await runOwn(servers, "mcp_resource", {}, { permit }));
  const [first] = list.split("\n").filter((line) => line.startsWith('{"server":"all"'));
  const { uri } = JSON.parse(first as string) as { readonly uri: string };
  expect(list).toContain('{"server":"odd","uri":"odd://notes","name":"notes","description":""}');
  expect(said(await runOwn(servers, "mcp_resource", { filter: "odd://" }, { permit }))).toMatch(/^1 resource\n/);
  expect(asked).toEqual([]);
  expect(said(await runOwn(servers, "mcp_resource", { server: "all", uri }, { permit }))).not.toBe("");
  expect(said(await runOwn(servers, "mcp_resource", { server: "odd", uri: "odd://notes" }, { permit }))).toBe(
    "The text of odd://notes",
  );
  expect(asked.map(({ server, action }) => [server, action])).toEqual([
    [{ name: "all", tool: "resources" }, "use"],
    [{ name: "odd", tool: "resources" }, "use"],
  ]);
});

test("mcp_resource reads nothing that was refused, and says which servers have resources", async () => {
  const { servers } = openServers({ odd: oddServer("good"), off: { ...oddServer("good"), expose: "none" } });
  await ready(servers);
  const permit = async () => ({ allowed: false, reason: "The user said no" }) as const;
  const refused = await runOwn(servers, "mcp_resource", { uri: "odd://notes" }, { permit });
  expect([refused.isError, said(refused)]).toEqual([true, "The user said no"]);
  const unknown = await runOwn(servers, "mcp_resource", { server: "off", uri: "odd://notes" });
  expect([unknown.isError, said(unknown)]).toEqual([
    true,
    "No MCP server off has resources. Servers with resources: odd.",
  ]);
});

test("a tool that demands to be run as a task is, and its states are shown", { timeout: 60_000 }, async () => {
  const { servers, notices } = openServers({ all: packagedServer("everything", "stdio") });
  await ready(servers);
  const updates: ToolUpdate[] = [];
  const result = await call(servers, "all__simulate-research-query", { topic: "trees" }, { updates });
  expect(said(result)).toContain("trees");
  expect([result.isError, updates.length > 1, notices]).toEqual([false, true, []]);
});

test("stopping a call that runs as a task cancels the task", async () => {
  const file = join(tempFolder(), "requests");
  const { servers } = openServers({ odd: oddServer("tasks", file) });
  await ready(servers);
  const stop = new AbortController();
  const updates: ToolUpdate[] = [];
  const running = call(servers, "odd__later", {}, { signal: stop.signal, updates });
  await expect.poll(() => updates).toEqual([{ text: "half done" }]);
  stop.abort();
  await expect(running).rejects.toThrow();
  expect(readFileSync(file, "utf8")).toContain("tasks/cancel");
});

test("a tool that demands a task is left out, and said so, if the server cannot run tasks", async () => {
  const { servers, notices } = openServers({ odd: oddServer("task-only") });
  await ready(servers);
  expect(servers.tools().map(({ tool }) => tool)).toEqual(["echo"]);
  expect(notices).toEqual([
    "MCP server odd: The tool later is not offered: it runs only as a task, and the server does not offer tasks",
  ]);
});

test("a remembered list is used only with the abilities it was asked with", async () => {
  const home = tempFolder();
  const questions = { select: async () => undefined, input: async () => undefined };
  const asking = openServers({ odd: oddServer("more-if-asked") }, { home, questions });
  await ready(asking.servers);
  await asking.servers.close();
  expect(asking.servers.tools().map(({ tool }) => tool)).toEqual(["ask", "echo"]);
  const away = { ...oddServer("more-if-asked"), startTimeoutMs: 1 };
  const known = (options: Parameters<typeof openServers>[1]) =>
    openServers({ odd: away }, { home, waitMs: 0, ...options }).servers.tools();
  expect(known({ questions }).map(({ tool }) => tool)).toEqual(["ask", "echo"]);
  expect(known({})).toEqual([]);
});
