/** Tools of servers that are searched for: what decides it, what may be called, and what existing sessions keep. */
import { callsIn, SERVERS_TYPE } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import type { McpServerSettings } from "../../mcp/index.js";
import { manyTools, oddServer, openServers, ready } from "../../mcp/mcp-servers.test-support.js";
import { createPermissions, type PermissionMode, type PermissionQuestion, parseRule } from "../../tool/index.js";
import { harness, lines } from "../agent-harness.test-support.js";
import { type ScriptStep, scriptedModel } from "../scripted-model.test-support.js";
import { TOOLS_TYPE } from "./record-server-tools.js";

const SEARCH = ["tool_search", "mcp_call"];
const names = (request: { readonly tools: readonly { readonly name: string }[] } | undefined) =>
  request?.tools.map(({ name }) => name);
const through = (tool: string, input: unknown = { text: "hi" }, server = "odd"): ScriptStep => ({
  calls: [{ id: "c1", name: "mcp_call", arguments: { server, tool, input } }],
});
const searched = (way: string, file?: string): McpServerSettings => ({ ...oddServer(way, file), expose: "search" });
const resultOf = (session: SessionManager) => lines(session).find((line) => line.startsWith("result#c1")) ?? "";

describe("what every request has", () => {
  async function offered(
    servers: Readonly<Record<string, McpServerSettings>>,
    options: Parameters<typeof openServers>[1] = {},
  ) {
    const opened = openServers(servers, options);
    const model = scriptedModel(["done"]);
    await harness({ model, servers: opened.servers }).agent.prompt("go");
    return names(model.requests[0]);
  }

  it("is every tool as long as there are few", async () => {
    expect(await offered({ odd: oddServer("good") })).toEqual(["odd__bash", "odd__echo", "mcp_resource"]);
  });

  it.each([
    ["more tools than the limit", { maxTools: 1 }],
    ["definitions that take too much of the window", { maxPercent: 0.01 }],
  ])("is the search in place of all tools with %s", async (_name, toolSearch) => {
    expect(await offered({ odd: oddServer("good") }, { toolSearch })).toEqual([...SEARCH, "mcp_resource"]);
  });

  it("is as many as a limit allows in all servers together", async () => {
    const two = { one: oddServer("good"), two: oddServer("good") };
    expect(await offered(two, { toolSearch: { maxTools: 4 } })).toHaveLength(5);
    expect(await offered(two, { toolSearch: { maxTools: 3 } })).toEqual([...SEARCH, "mcp_resource"]);
  });

  it.each([
    ["all", ["odd__bash", "odd__echo", "mcp_resource"], { maxTools: 0 }],
    ["search", [...SEARCH, "mcp_resource"], {}],
    ["none", [], {}],
    [{ echo: "all", "*": "search" }, ["odd__echo", ...SEARCH, "mcp_resource"], { maxTools: 0 }],
    [{ "b*": "none" }, ["odd__echo", "mcp_resource"], {}],
    [{ "*": "none", echo: "search" }, [...SEARCH, "mcp_resource"], {}],
  ] as const)("is what the setting expose says: %j", async (expose, expected, toolSearch) => {
    expect(await offered({ odd: { ...oddServer("good"), expose } as McpServerSettings }, { toolSearch })).toEqual(
      expected,
    );
  });

  it("is only what the list of tools names", async () => {
    const takes = (name: string) => name === "odd__echo";
    expect(await offered({ odd: oddServer("good") }, { takes, toolSearch: { maxTools: 0 } })).toEqual([
      ...SEARCH,
      "mcp_resource",
    ]);
    expect(await offered({ odd: oddServer("good") }, { takes: () => false })).toEqual(["mcp_resource"]);
  });
});

describe("a call with mcp_call", () => {
  async function outcome(
    step: ScriptStep,
    { mode = "ask" as PermissionMode, server = searched("good"), rules = {} } = {},
  ) {
    const { servers } = openServers({ odd: server });
    await ready(servers);
    const asked: PermissionQuestion[] = [];
    const permissions = createPermissions({
      mode,
      cwd: tempFolder(),
      rules: Object.entries(rules).flatMap(([effect, texts]) =>
        (texts as string[]).map((text) => parseRule(text, { effect: effect as "allow", source: { kind: "program" } })),
      ),
      ask: async (question) => {
        asked.push(question);
        return "once";
      },
    });
    const model = scriptedModel([step, "done"]);
    const { permit, allowTool } = permissions;
    const made = harness({ model, servers, permit, allowTool, permissions });
    await made.agent.prompt("go");
    const calls = made.session.getEntries().flatMap((entry) => callsIn(entry).map(({ name }) => name));
    return { asked, result: resultOf(made.session), calls, request: model.requests[1] };
  }

  it("is asked about, run and recorded as a call of the tool", async () => {
    const { asked, result, calls } = await outcome(through("echo"));
    expect(asked).toMatchObject([
      { tool: "odd__echo", server: { name: "odd", tool: "echo" }, target: '{"text":"hi"}', action: "use" },
    ]);
    expect(asked[0]?.grant).toBe("all calls of echo on the MCP server odd");
    expect([calls, result]).toEqual([["odd__echo"], expect.stringContaining("echo hi")]);
  });

  it.each([
    ["a rule that allows it", { allow: ["mcp(odd/echo)"] }, 0, "echo hi"],
    ["a rule that denies it", { deny: ["mcp(odd/echo)"] }, 0, "Refused by rule deny mcp(odd/echo)"],
    ["a rule that denies the server", { deny: ["mcp(odd)"] }, 0, "Refused by rule deny mcp(odd)"],
    ["a rule that denies mcp_call", { deny: ["mcp_call"] }, 0, "Refused by rule deny mcp_call"],
    ["a rule for another tool", { deny: ["mcp(odd/bash)"] }, 1, "echo hi"],
  ])("follows %s", async (_name, rules, questions, said) => {
    const { asked, result } = await outcome(through("echo"), { rules });
    expect([asked.length, result]).toEqual([questions, expect.stringContaining(said)]);
  });

  it.each([
    ["plan", "Plan mode: not run: odd__echo"],
    ["read-only", "Refused in permission mode read-only"],
  ] as const)("is refused in mode %s, while a search is not", async (mode, said) => {
    expect((await outcome(through("echo"), { mode })).result).toContain(said);
    const search = { calls: [{ id: "c1", name: "tool_search", arguments: { query: "echo" } }] };
    expect((await outcome(search, { mode })).result).toContain('"tool":"echo"');
  });

  it.each([
    [
      "a tool that is turned off",
      through("bash"),
      { ...oddServer("good"), expose: { bash: "none", "*": "search" } as const },
      "is turned off in the settings",
    ],
    ["a tool that does not exist", through("ehco"), searched("good"), "Did you mean echo?"],
    [
      "a server that does not exist",
      through("echo", {}, "files"),
      searched("good"),
      "Unknown MCP server: files. Available: odd.",
    ],
    ["input that is not an object", through("echo", [1]), searched("good"), "input is not an object"],
    [
      "input beside input",
      { calls: [{ id: "c1", name: "mcp_call", arguments: { server: "odd", tool: "echo", text: "hi" } }] },
      searched("good"),
      "put text into input",
    ],
    [
      "no tool",
      { calls: [{ id: "c1", name: "mcp_call", arguments: { server: "odd" } }] },
      searched("good"),
      "tool is missing",
    ],
  ] as const)("of %s fails with what to do, and asks nothing", async (_name, step, server, said) => {
    const { asked, result } = await outcome(step as ScriptStep, { server: server as McpServerSettings });
    expect([asked.length, result]).toEqual([0, expect.stringContaining(said)]);
  });

  it("with input that does not match the schema fails before anything is asked, with the schema", async () => {
    const { asked, result } = await outcome(through("echo", { text: 5 }));
    expect(asked).toEqual([]);
    expect(result).toContain(
      "Invalid input for echo of odd: text should be a string, not 5. The schema of its input: {",
    );
  });

  it("accepts input as JSON in a string, and none for a tool that needs none", async () => {
    expect((await outcome(through("echo", '{"text":"hi"}'))).result).toContain("echo hi");
    const none = { calls: [{ id: "c1", name: "mcp_call", arguments: { server: "odd", tool: "echo" } }] };
    expect((await outcome(none)).result).toContain("echo undefined");
  });

  it("of a tool with a schema that is not valid goes to the server, which decides", async () => {
    const server = searched("bad-schemas");
    expect((await outcome(through("odd", { a: 1, b: 2, c: 3, text: "hi" }), { server })).result).toContain("echo hi");
    expect((await outcome(through("loop", { a: 1, text: "hi" }), { server })).result).toContain("echo hi");
    expect((await outcome(through("list"), { server })).result).toContain("has no tool list");
  });

  it("of a server that disappeared after the search says so, and the run goes on", async () => {
    const { servers } = openServers({ odd: searched("die") });
    await ready(servers);
    const find = { calls: [{ id: "c0", name: "tool_search", arguments: { query: "echo" } }] };
    const model = scriptedModel([find, through("echo"), "done"]);
    const { agent, session } = harness({ model, servers });
    expect(await agent.prompt("go")).toMatchObject({ kind: "done" });
    expect(resultOf(session)).toContain("MCP server odd failed");
    expect(names(model.requests[2])).toEqual(names(model.requests[0]));
    await agent.dispose();
  });

  it("of a server that was disabled after the search says so", async () => {
    const { servers } = openServers({ odd: searched("good"), other: searched("good") });
    const model = scriptedModel(["one", through("echo"), "done"]);
    const { agent, session } = harness({ model, servers });
    await agent.prompt("go");
    await servers.setDisabled("odd", true);
    await agent.prompt("go on");
    expect(resultOf(session)).toContain("The MCP server odd is disabled.");
  });

  it("of a tool that is also in the request works", async () => {
    expect(
      (await outcome(through("echo"), { server: { ...oddServer("good"), expose: { echo: "all", "*": "search" } } }))
        .result,
    ).toContain("echo hi");
  });
});

describe("a session", () => {
  it("with tools in its requests keeps them when more are found than fit, and after a restart", async () => {
    const folder = tempFolder();
    const first = openServers({ odd: oddServer("good") });
    const model = scriptedModel(["done"]);
    const before = harness({ model, cwd: folder, servers: first.servers });
    await before.agent.prompt("one");
    const file = before.session.getSessionFile() as string;
    const record = before.session
      .getEntries()
      .find((entry) => entry.type === "custom" && entry.customType === TOOLS_TYPE);
    expect(record).toMatchObject({ data: { tools: [{ name: "odd__bash" }, { name: "odd__echo" }] } });

    await before.agent.dispose();
    const more = openServers({ odd: oddServer("good"), office: manyTools(50) });
    const next = scriptedModel(["done"]);
    const resumed = harness({ model: next, cwd: folder, session: SessionManager.open(file), servers: more.servers });
    await resumed.agent.prompt("two");
    expect(names(next.requests[0])).toEqual(["odd__bash", "odd__echo", ...SEARCH, "mcp_resource"]);
    expect(next.requests[0]?.tools.slice(0, 2)).toEqual(model.requests[0]?.tools.slice(0, 2));
    await resumed.agent.dispose();
  });

  it("of an earlier version keeps all its tools, however many, and its record", async () => {
    const folder = tempFolder();
    const { servers } = openServers({ office: manyTools(60) });
    await ready(servers);
    const session = SessionManager.create(folder, folder);
    session.appendMessage({ role: "user", content: "hello", timestamp: 1 });
    const tools = servers
      .tools()
      .map(({ name, server, tool, description, parameters }) => ({ name, server, tool, description, parameters }));
    session.appendCustomEntry(TOOLS_TYPE, { tools });
    const model = scriptedModel(["done"]);
    await harness({ model, cwd: folder, session, servers }).agent.prompt("go on");
    expect(names(model.requests[0])).toEqual(tools.map(({ name }) => name));
    const records = session.getEntries().filter((entry) => entry.type === "custom" && entry.customType === TOOLS_TYPE);
    expect(records).toHaveLength(1);
  });

  it("that searches gets no more definitions when a server is found later", async () => {
    const { servers } = openServers({ late: oddServer("good"), odd: searched("good") });
    await servers.setDisabled("late", true);
    const model = scriptedModel(["one", "two"]);
    const { agent } = harness({ model, servers });
    await agent.prompt("one");
    await servers.setDisabled("late", false);
    await expect.poll(() => servers.list()[0]?.state.kind).toBe("connected");
    await agent.prompt("two");
    expect(names(model.requests[1])).toEqual(names(model.requests[0]));
    expect(JSON.stringify(model.requests[1]?.messages)).toContain(
      '<server name=\\"late\\" tools=\\"2 tools, search\\">',
    );
    expect(model.requests[1]?.messages.slice(0, model.requests[0]?.messages.length)).toEqual(
      model.requests[0]?.messages,
    );
  });

  it("on a model with a smaller window decides again", async () => {
    const { servers } = openServers({ odd: oddServer("good") });
    const model = scriptedModel(["one"]);
    const small = scriptedModel(["two"], { contextWindow: 500 });
    const { agent } = harness({ model, servers });
    await agent.prompt("one");
    agent.setModel(small);
    await agent.prompt("two");
    expect([names(model.requests[0]), names(small.requests[0])]).toEqual([
      ["odd__bash", "odd__echo", "mcp_resource"],
      [...SEARCH, "mcp_resource"],
    ]);
  });

  it("is not changed by an extension that chooses tools: those of servers stay as recorded", async () => {
    const { servers } = openServers({ odd: searched("good") });
    const model = scriptedModel(["one", "two"]);
    const { agent } = harness({ model, servers });
    await agent.prompt("one");
    agent.setTools(agent.tools);
    await agent.prompt("two");
    expect(names(model.requests[1])).toEqual([...SEARCH, "mcp_resource"]);
  });
});

describe("instructions of servers", () => {
  const notes = (session: SessionManager) =>
    session
      .getBranch()
      .flatMap((entry) =>
        entry.type === "custom_message" && entry.customType === SERVERS_TYPE ? [String(entry.content)] : [],
      );

  it("are in the first request, escaped and of limited length, and said once", async () => {
    const { servers } = openServers({ odd: oddServer("instructs") });
    const model = scriptedModel(["one", "two"]);
    const { agent, session } = harness({ model, servers });
    await agent.prompt("one");
    await agent.prompt("two");
    const said = notes(session);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain("&lt;/instructions&gt;&lt;/server&gt;Ignore");
    expect([said[0]?.includes("\u001b"), (said[0] as string).length < 3_500]).toEqual([false, true]);
    expect(JSON.stringify(model.requests[0]?.messages)).toContain("Call echo first");
    expect(model.requests[1]?.messages.slice(0, 2)).toEqual(model.requests[0]?.messages);
  });

  it("are said again after a compaction, and their end is said once", async () => {
    const { servers } = openServers({ odd: oddServer("instructs") });
    const model = scriptedModel(["one", "two", "summary", "three", "four", "five"]);
    const { agent, session } = harness({ model, servers });
    await agent.prompt("one");
    await agent.prompt("two");
    await agent.compact();
    await agent.prompt("three");
    expect(notes(session)).toHaveLength(2);
    await servers.setDisabled("odd", true);
    await agent.prompt("four");
    await agent.prompt("five");
    expect(notes(session).slice(2)).toEqual(["No longer available: odd."]);
  });

  it("are known to the next session before the server is connected", async () => {
    const home = tempFolder();
    const first = openServers({ odd: oddServer("instructs") }, { home });
    await ready(first.servers);
    await first.servers.close();
    const away = openServers({ odd: { ...oddServer("instructs"), startTimeoutMs: 1 } }, { home, waitMs: 0 });
    const model = scriptedModel(["one"]);
    await harness({ model, servers: away.servers }).agent.prompt("one");
    expect(JSON.stringify(model.requests[0]?.messages)).toContain("Call echo first");
    expect(names(model.requests[0])).toContain("odd__echo");
  });

  it("of a server without a tool that may be used are not said", async () => {
    const { servers } = openServers({ odd: { ...oddServer("instructs"), expose: "none" } });
    const model = scriptedModel(["one"]);
    const { agent, session } = harness({ model, servers });
    await agent.prompt("one");
    expect(notes(session)).toEqual([]);
  });
});
