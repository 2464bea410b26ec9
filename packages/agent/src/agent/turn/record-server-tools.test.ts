import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { oddServer, openServers, ready } from "../../mcp/mcp-servers.test-support.js";
import { createPermissions, type PermissionQuestion, parseRule } from "../../tool/index.js";
import { harness, lines, tool } from "../agent-harness.test-support.js";
import { createAgentSession } from "../create-agent-session.js";
import { scriptedModel } from "../scripted-model.test-support.js";
import { TOOLS_TYPE } from "./record-server-tools.js";

const names = (request: { readonly tools: readonly { readonly name: string }[] } | undefined) =>
  request?.tools.map(({ name }) => name);
const CALL = { calls: [{ id: "c1", name: "odd__echo", arguments: { text: "hi" } }] };

describe("tools of MCP servers", () => {
  it("come after our own, are recorded once, and run", async () => {
    const { servers } = openServers({ odd: oddServer("good") });
    const model = scriptedModel([CALL, "done", "again"]);
    const { agent, session } = harness({ model, tools: [tool({ name: "read" })], servers });
    await agent.prompt("one");
    await agent.prompt("two");
    expect(model.requests.map(names)).toEqual(
      Array.from({ length: 3 }, () => ["read", "odd__bash", "odd__echo", "mcp_resource"]),
    );
    expect(lines(session).find((line) => line.startsWith("result#c1"))).toContain("echo hi");
    const records = session.getBranch().filter((entry) => entry.type === "custom" && entry.customType === TOOLS_TYPE);
    expect(records).toHaveLength(1);
  });

  it("are the same bytes on resume while the server is unreachable, and in another order", async () => {
    const folder = tempFolder();
    const first = openServers({ odd: oddServer("good") });
    const model = scriptedModel(["done"]);
    const { agent, session } = harness({ model, cwd: folder, servers: first.servers });
    await agent.prompt("one");
    const file = session.getSessionFile() as string;
    await agent.dispose();
    const bytes = JSON.stringify(model.requests[0]?.tools);
    for (const way of ["hang", "reversed"]) {
      const other = openServers({ odd: { ...oddServer(way), startTimeoutMs: 200 } });
      const next = scriptedModel(["done"]);
      const resumed = harness({ model: next, cwd: folder, session: SessionManager.open(file), servers: other.servers });
      await resumed.agent.prompt("two");
      expect([way, JSON.stringify(next.requests[0]?.tools)]).toEqual([way, bytes]);
      expect(next.requests[0]?.messages[0]).toEqual(model.requests[0]?.messages[0]);
      await resumed.agent.dispose();
    }
  });

  it("that change are recorded again at the start of a turn", async () => {
    const { servers } = openServers({ odd: oddServer("changes") });
    let known = 0;
    const model = scriptedModel([CALL, "done", "again"]);
    const { agent } = harness({ model, servers });
    servers.onChange(() => {
      known = servers.list()[0]?.tools.filter(({ tool: name }) => name === "extra").length ?? 0;
    });
    await agent.prompt("one");
    await expect.poll(() => known).toBe(1);
    await agent.prompt("two");
    expect(names(model.requests[0])).toEqual(["odd__bash", "odd__echo", "mcp_resource"]);
    expect(names(model.requests.at(-1))).toEqual(["odd__echo", "odd__extra", "mcp_resource"]);
  });

  it("of a server that is disabled are gone with the next turn", async () => {
    const { servers } = openServers({ odd: oddServer("good") });
    const model = scriptedModel(["one", "two"]);
    const { agent } = harness({ model, servers });
    await agent.prompt("one");
    await servers.setDisabled("odd", true);
    await agent.prompt("two");
    expect(model.requests.map(names)).toEqual([["odd__bash", "odd__echo", "mcp_resource"], []]);
  });
});

describe("rules for tools of MCP servers", () => {
  const rule = (text: string, effect: "allow" | "deny" | "ask") =>
    parseRule(text, { effect, source: { kind: "program" } });

  async function outcome(rules: ReturnType<typeof rule>[]) {
    const { servers } = openServers({ odd: oddServer("good") });
    await ready(servers);
    const asked: PermissionQuestion[] = [];
    const permissions = createPermissions({
      mode: "ask",
      cwd: tempFolder(),
      rules,
      ask: async (question) => {
        asked.push(question);
        return "no";
      },
    });
    const model = scriptedModel([CALL, "done"]);
    const { permit, allowTool } = permissions;
    const { agent, session } = harness({ model, servers, permit, allowTool });
    await agent.prompt("go");
    const result = lines(session).find((line) => line.startsWith("result#c1")) ?? "";
    return { asked: asked.map(({ tool: name }) => name), ran: result.includes("echo hi") };
  }

  it.each([
    ["none: it is asked about", [], { asked: ["odd__echo"], ran: false }],
    ["allow", [rule("mcp(odd/echo)", "allow")], { asked: [], ran: true }],
    ["allow for the server", [rule("mcp(odd/*)", "allow")], { asked: [], ran: true }],
    ["allow for another tool", [rule("mcp(odd/bash)", "allow")], { asked: ["odd__echo"], ran: false }],
    ["deny over allow", [rule("mcp(odd)", "allow"), rule("mcp(odd/echo)", "deny")], { asked: [], ran: false }],
    ["a rule for bash is not about a tool named bash", [rule("bash", "allow")], { asked: ["odd__echo"], ran: false }],
  ])("%s", async (_name, rules, expected) => {
    expect(await outcome(rules)).toEqual(expected);
  });
});

it("createAgentSession takes mcpServers, and ends them with the agent", async () => {
  const model = scriptedModel([CALL, "done"]);
  const folder = tempFolder();
  const rules = { allow: ["mcp(odd/echo)"] };
  const session = SessionManager.inMemory(folder);
  const agent = await createAgentSession({
    model,
    cwd: folder,
    session,
    tools: [],
    rules,
    mcpServers: { odd: oddServer("good") },
  });
  await agent.prompt("go");
  expect(lines(session).find((line) => line.startsWith("result#c1"))).toContain("echo hi");
  await agent.dispose();
  await expect(createAgentSession({ model, mcpServers: { "bad name": {} } })).rejects.toThrow(/server name/);
});
