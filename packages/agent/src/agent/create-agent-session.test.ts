import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import {
  type AskPermission,
  createPermissions,
  defineTool,
  type PermissionRequest,
  type Tool,
  textResult,
} from "../tool/index.js";
import type { AgentEvent } from "./agent-events.js";
import { lines } from "./agent-harness.test-support.js";
import { createAgentSession } from "./create-agent-session.js";
import { scriptedModel } from "./scripted-model.test-support.js";

const call = (id: string, name: string, input: Readonly<Record<string, unknown>> = {}) =>
  ({ type: "toolCall", id, name, arguments: input }) as const;

let cwd: string;

beforeEach(() => {
  const folder = tempFolder();
  cwd = join(folder, "work");
  mkdirSync(cwd);
  vi.stubEnv("BOUGH_HOME", join(folder, "home"));
  vi.stubEnv("ANTHROPIC_API_KEY", "key-in-the-environment");
});

afterEach(() => {
  vi.unstubAllEnvs();
});

function counted(name: string, changes: Partial<Tool> = {}): { tool: Tool; calls: unknown[] } {
  const calls: unknown[] = [];
  const made = defineTool({
    name,
    description: name,
    input: z.object({}),
    readOnly: changes.readOnly ?? true,
    run: async (input) => {
      calls.push(input);
      return textResult(`${name} ran`, undefined);
    },
  });
  return { tool: { ...made, ...changes }, calls };
}

describe("an agent without parts", () => {
  test("reads the folder with the offline model, although there is a key, and changes nothing", async () => {
    writeFileSync(join(cwd, "notes.txt"), "buy milk\n");
    await using agent = await createAgentSession({ cwd });
    expect(agent.model?.info).toMatchObject({ provider: "offline", id: "rules" });
    expect(await agent.prompt("what is in this folder?")).toMatchObject({ kind: "done" });
    expect(lines(agent.session).join("\n")).toContain("notes.txt");
    await agent.prompt("$ touch made.txt");
    expect(lines(agent.session).join("\n")).toMatch(/read-only/i);
    expect(agent.session.getSessionFile()).toContain("sessions");
  });

  test("takes the folder of the session it is given, and the model by name", async () => {
    await using agent = await createAgentSession({ session: SessionManager.inMemory(cwd), model: "offline/rules" });
    expect(agent.systemPrompt).toContain(cwd);
    expect(agent.model?.info.provider).toBe("offline");
  });

  test("asks by a function", async () => {
    const asked: string[] = [];
    await using agent = await createAgentSession({
      cwd,
      ask: async ({ shown }) => {
        asked.push(shown);
        return "no";
      },
    });
    await agent.prompt("$ touch made.txt");
    expect(asked).toEqual(["touch made.txt"]);
  });
});

describe("permission and rules", () => {
  const toolResults = (agent: { readonly session: SessionManager }) =>
    lines(agent.session).filter((line) => line.startsWith("result#"));

  test("allow what they name without a question, and deny what they name in every mode", async () => {
    writeFileSync(join(cwd, ".env"), "KEY=1\n");
    const calls = [
      call("1", "bash", { command: "echo hello" }),
      call("2", "bash", { command: "touch made.txt" }),
      call("3", "read", { path: ".env" }),
    ];
    const rules = { allow: ["bash(echo:*)"], deny: ["read(.env)"] };
    await using agent = await createAgentSession({ cwd, rules, model: scriptedModel([{ calls }, "done"]) });
    expect(agent.permissionMode).toBe("ask");
    await agent.prompt("go");
    expect(toolResults(agent)).toEqual([
      "result#1: hello",
      expect.stringContaining("result#2!: Refused because it needs confirmation, which is not possible here"),
      expect.stringContaining("result#3!: Refused by rule deny read(.env): reading .env"),
    ]);
  });

  test("the mode can be given and set", async () => {
    const calls = (id: string) => [call(id, "write", { path: `${id}.txt`, content: "x" })];
    const model = scriptedModel([{ calls: calls("1") }, "no", { calls: calls("2") }, "yes"]);
    await using agent = await createAgentSession({ cwd, permission: "plan", model });
    await agent.prompt("go");
    agent.setPermissionMode("edits");
    await agent.prompt("go");
    expect(toolResults(agent)).toEqual([
      expect.stringContaining("result#1!: Plan mode: not run: "),
      expect.stringMatching(/^result#2: /),
    ]);
  });

  test("hold beside allowTool, which is asked first", async () => {
    const asked: string[] = [];
    const allowTool = ({ tool }: { readonly tool: string }) => {
      asked.push(tool);
      return tool !== "bash";
    };
    const calls = [call("1", "bash", { command: "ls" }), call("2", "ls")];
    const options = { cwd, allowTool, rules: { deny: ["ls"] }, model: scriptedModel([{ calls }, "done"]) };
    await using agent = await createAgentSession(options);
    await agent.prompt("go");
    expect([asked, toolResults(agent)]).toEqual([
      ["bash", "ls"],
      ["result#1!: The use of bash was not allowed.", expect.stringContaining("result#2!: Refused by rule deny ls")],
    ]);
  });

  test("a rule that cannot be parsed, or would never be checked, is refused at once", async () => {
    await expect(createAgentSession({ cwd, rules: { deny: ["read(../x)"] } })).rejects.toThrow(
      "Cannot parse the rule read(../x): A path cannot contain ..",
    );
    const permit = async () => ({ allowed: true }) as const;
    await expect(createAgentSession({ cwd, permit, rules: { deny: ["bash"] } })).rejects.toThrow(
      "permission and rules cannot be combined with permit",
    );
  });
});

describe("permissions", () => {
  const toolResults = (agent: { readonly session: SessionManager }) =>
    lines(agent.session).filter((line) => line.startsWith("result#"));
  const calls = [
    call("1", "bash", { command: "echo hello" }),
    call("2", "write", { path: "made.txt", content: "x" }),
    call("3", "read", { path: ".env" }),
  ];
  const script = () => scriptedModel([{ calls }, "done"]);
  const refused = (id: string) => expect.stringMatching(new RegExp(`^result#${id}!: `));

  test("are a mode, with `ask` for its questions", async () => {
    const asked: string[] = [];
    const ask: AskPermission = async ({ action }) => {
      asked.push(action);
      return action === "run" ? "once" : "no";
    };
    await using agent = await createAgentSession({ cwd, permissions: "ask", ask, model: script() });
    await agent.prompt("go");
    expect(agent.permissionMode).toBe("ask");
    expect([asked, toolResults(agent).slice(0, 2)]).toEqual([
      ["run", "write"],
      ["result#1: hello", refused("2")],
    ]);
  });

  test("are rules, in the mode ask or another one", async () => {
    const rules = { allow: ["bash(echo:*)"], deny: ["read(.env)"] };
    writeFileSync(join(cwd, ".env"), "KEY=1\n");
    await using strict = await createAgentSession({ cwd, permissions: rules, model: script() });
    await strict.prompt("go");
    expect(toolResults(strict)).toEqual(["result#1: hello", refused("2"), refused("3")]);
    await using free = await createAgentSession({ cwd, permissions: { ...rules, mode: "edits" }, model: script() });
    await free.prompt("go");
    expect(free.permissionMode).toBe("edits");
    expect(toolResults(free)).toEqual(["result#1: hello", expect.stringMatching(/^result#2: /), refused("3")]);
  });

  test("are a function that decides, with or without a reason", async () => {
    const permissions = async ({ action }: PermissionRequest) =>
      action === "run" ? true : { allowed: false as const, reason: "Not on a Friday." };
    await using agent = await createAgentSession({ cwd, permissions, model: script() });
    await agent.prompt("go");
    expect(toolResults(agent).slice(0, 2)).toEqual(["result#1: hello", "result#2!: Not on a Friday."]);
    await using silent = await createAgentSession({ cwd, permissions: () => false, model: script() });
    await silent.prompt("go");
    expect(toolResults(silent).slice(0, 2)).toEqual([
      "result#1!: The program refused this.",
      "result#2!: The program refused this.",
    ]);
  });

  test("that createPermissions made are taken as they are", async () => {
    const permissions = createPermissions({ cwd, mode: "auto" });
    await using agent = await createAgentSession({ cwd, permissions, model: script() });
    expect(agent.permissionMode).toBe("auto");
    agent.setPermissionMode("plan");
    expect(permissions.mode).toBe("plan");
    await agent.prompt("go");
    expect(toolResults(agent).slice(0, 2)).toEqual([refused("1"), refused("2")]);
  });

  test.each([
    ["permission", { permission: "plan" }],
    ["rules", { rules: { deny: ["bash"] } }],
    ["permit", { permit: async () => ({ allowed: true as const }) }],
  ] as const)("cannot be combined with the older option %s", async (_name, older) => {
    await expect(createAgentSession({ cwd, permissions: "ask", ...older })).rejects.toThrow(
      "permissions cannot be combined with permission, rules or permit, which are older names for it",
    );
  });
});

describe("limits", () => {
  test.each([{ limits: { steps: 1 } }, { maxSteps: 1 }, { maxSteps: 5, limits: { steps: 1 } }])(
    "%o ends a run after one step",
    async (options) => {
      const model = scriptedModel([{ calls: [call("1", "ls")] }, "done"]);
      await using agent = await createAgentSession({ cwd, model, ...options });
      expect(await agent.prompt("go")).toMatchObject({ kind: "aborted", limit: "steps" });
      expect(model.requests).toHaveLength(1);
    },
  );
});

describe("allowTool", () => {
  test("sees every tool, those that only read too, and what it does not allow does not run", async () => {
    const look = counted("look");
    const change = counted("change", { readOnly: false });
    const seen: unknown[] = [];
    const model = scriptedModel([{ calls: [call("1", "look"), call("2", "change")] }, "ok"]);
    await using agent = await createAgentSession({
      session: SessionManager.inMemory(cwd),
      model,
      tools: [look.tool, change.tool],
      allowTool: ({ tool, readOnly, callId }) => {
        seen.push([tool, readOnly, callId]);
        return tool === "change" ? true : { allowed: false, reason: "look elsewhere" };
      },
    });
    await agent.prompt("go");
    expect(seen).toEqual([
      ["look", true, "1"],
      ["change", false, "2"],
    ]);
    expect([look.calls.length, change.calls.length]).toEqual([0, 1]);
    expect(lines(agent.session)).toContain("result#1!: look elsewhere");
  });

  test.each([
    ["throws", () => Promise.reject(new Error("the guard is gone"))],
    ["answers with something else", () => "yes" as unknown as boolean],
  ])("refuses where it %s", async (_what, allowTool) => {
    const { tool, calls } = counted("look");
    const model = scriptedModel([{ calls: [call("1", "look")] }, "ok"]);
    const session = SessionManager.inMemory(cwd);
    await using agent = await createAgentSession({ session, model, tools: [tool], allowTool });
    await agent.prompt("go");
    expect(calls).toEqual([]);
    expect(lines(session).at(3)).toMatch(/^result#1!/);
  });
});

describe("how a run ends", () => {
  test("a tool that says stop ends it, after every call of the step has its result", async () => {
    const stop: Tool = { ...counted("finish").tool, execute: async () => ({ ...textResult("bye", 0), stop: true }) };
    const other = counted("look");
    const model = scriptedModel([{ calls: [call("1", "finish"), call("2", "look")] }, "never said"]);
    const session = SessionManager.inMemory(cwd);
    await using agent = await createAgentSession({ session, model, tools: [stop, other.tool] });
    expect(await agent.prompt("go")).toMatchObject({ kind: "done" });
    expect(lines(session).slice(3)).toEqual(["result#1: bye", "result#2: look ran"]);
    expect(model.requests).toHaveLength(1);
  });

  test("by a signal, also one that fired before", async () => {
    const { tool } = counted("look");
    const stopping = new AbortController();
    const model = scriptedModel([{ calls: [call("1", "look")] }, "more"]);
    const session = SessionManager.inMemory(cwd);
    await using agent = await createAgentSession({ session, model, tools: [tool] });
    agent.subscribe((event) => event.type === "tool_end" && stopping.abort());
    expect(await agent.prompt("go", { signal: stopping.signal })).toEqual({ kind: "aborted" });
    expect(await agent.prompt("again", { signal: stopping.signal })).toEqual({ kind: "aborted" });
    expect(lines(session).some((line) => line.includes("again"))).toBe(false);
  });

  test.each([
    ["steps", { steps: 2 }],
    ["tokens", { tokens: 1 }],
    ["dollars", { dollars: 0.001 }],
  ] as const)("by a limit of %s, before the next step", async (limit, limits) => {
    const { tool } = counted("look");
    const usage = { input: 10, output: 10, cacheRead: 0, cacheWrite: 0, totalTokens: 20, cost: costing(0.01) };
    const step = { calls: [call("1", "look")], usage };
    const model = scriptedModel([step, { ...step, calls: [call("2", "look")] }, "done"]);
    const session = SessionManager.inMemory(cwd);
    await using agent = await createAgentSession({ session, model, tools: [tool] });
    expect(await agent.prompt("go", { limits })).toEqual({ kind: "aborted", limit });
    expect(model.requests).toHaveLength(limit === "steps" ? 2 : 1);
    expect(await agent.prompt("go on")).toMatchObject({ kind: "done" });
  });

  test("by a limit of time, which stops what is running", async () => {
    const endless: Tool = {
      ...counted("wait").tool,
      execute: (_input, { signal }) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve(textResult("stopped", 0)))),
    };
    const model = scriptedModel([{ calls: [call("1", "wait")] }]);
    const session = SessionManager.inMemory(cwd);
    await using agent = await createAgentSession({ session, model, tools: [endless] });
    expect(await agent.prompt("go", { limits: { milliseconds: 20 } })).toEqual({
      kind: "aborted",
      limit: "milliseconds",
    });
  });
});

describe("output in a form", () => {
  const Answer = z.object({ city: z.string(), degrees: z.number() });

  test("is what the model gave to the tool, checked and typed; it is asked again where it was wrong", async () => {
    const wrong = { calls: [call("1", "final_answer", { city: "Oslo", degrees: "cold" })] };
    const right = { calls: [call("2", "final_answer", { city: "Oslo", degrees: -3 })] };
    const model = scriptedModel([wrong, right, "never said"]);
    const session = SessionManager.inMemory(cwd);
    await using agent = await createAgentSession({ session, model, tools: [] });
    const outcome = await agent.prompt("How is the weather?", { output: Answer });
    expect(outcome).toMatchObject({ kind: "done", output: { city: "Oslo", degrees: -3 } });
    const degrees: number = outcome.kind === "done" ? (outcome.output?.degrees ?? 0) : 0;
    expect(degrees).toBe(-3);
    expect(lines(session).find((line) => line.startsWith("result#1!"))).toContain("degrees");
    expect(agent.tools).toEqual([]);
  });

  test("is taken from an answer that is JSON, and reminded of where it is missing", async () => {
    const model = scriptedModel(["It is cold.", '```json\n{ "city": "Oslo", "degrees": -3 }\n```']);
    const session = SessionManager.inMemory(cwd);
    await using agent = await createAgentSession({ session, model, tools: [] });
    expect(await agent.prompt("?", { output: Answer })).toMatchObject({ output: { degrees: -3 } });
    expect(lines(session)).toContain("user: Give your answer by calling the tool final_answer.");
  });

  test("of the offline model has its reply in the first text", async () => {
    await using agent = await createAgentSession({ session: SessionManager.inMemory(cwd) });
    writeFileSync(join(cwd, "notes.txt"), "buy milk");
    const outcome = await agent.prompt("read notes.txt", {
      output: z.object({ answer: z.string(), sure: z.boolean() }),
    });
    expect(outcome).toMatchObject({
      kind: "done",
      output: { answer: expect.stringContaining("buy milk"), sure: false },
    });
  });

  test("fails where the model never gives it", async () => {
    const model = scriptedModel(["no", "no", "no", "never asked"]);
    await using agent = await createAgentSession({ session: SessionManager.inMemory(cwd), model, tools: [] });
    expect(await agent.prompt("?", { output: Answer })).toMatchObject({ kind: "failed" });
    expect(model.requests).toHaveLength(3);
  });

  test("may be a JSON Schema for something other than an object", async () => {
    const model = scriptedModel([{ calls: [call("1", "final_answer", { answer: [1, 2] })] }]);
    await using agent = await createAgentSession({ session: SessionManager.inMemory(cwd), model, tools: [] });
    const output = { type: "array", items: { type: "number" } };
    expect(await agent.prompt("?", { output })).toMatchObject({ kind: "done", output: [1, 2] });
  });

  test("an invalid schema is refused before anything is written", async () => {
    await using agent = await createAgentSession({ session: SessionManager.inMemory(cwd) });
    await expect(agent.prompt("?", { output: 3 as unknown as object as never })).rejects.toThrow(TypeError);
    expect(agent.session.getEntries()).toEqual([]);
  });
});

describe("run", () => {
  test("gives the events of the run, the outcome last, also where the loop is slow", async () => {
    await using agent = await createAgentSession({
      session: SessionManager.inMemory(cwd),
      model: scriptedModel(["hi"]),
    });
    const seen: AgentEvent[] = [];
    for await (const event of agent.run("hello")) {
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(event);
    }
    expect(seen[0]).toEqual({ type: "run_start" });
    expect(seen.at(-1)).toMatchObject({ type: "run_end", outcome: { kind: "done" } });
  });

  test("leaving the loop stops it, and the next run has only its own events", async () => {
    const { tool } = counted("look");
    const model = scriptedModel([{ calls: [call("1", "look")] }, "second"]);
    const session = SessionManager.inMemory(cwd);
    await using agent = await createAgentSession({ session, model, tools: [tool] });
    for await (const event of agent.run("go")) if (event.type === "tool_start") break;
    expect(agent.operation).toBeUndefined();
    const types: string[] = [];
    for await (const { type } of agent.run("again")) types.push(type);
    expect(types.filter((type) => type === "run_start" || type === "run_end")).toEqual(["run_start", "run_end"]);
  });

  test("that was stopped before it started ends with its outcome, too", async () => {
    await using agent = await createAgentSession({ session: SessionManager.inMemory(cwd) });
    const seen: AgentEvent[] = [];
    for await (const event of agent.run("hello", { signal: AbortSignal.abort() })) seen.push(event);
    expect(seen).toEqual([{ type: "run_start" }, { type: "run_end", outcome: { kind: "aborted" } }]);
    expect(agent.session.getEntries()).toEqual([]);
  });

  test("throws what a prompt throws", async () => {
    await using agent = await createAgentSession({ session: SessionManager.inMemory(cwd) });
    const empty = async () => {
      for await (const _event of agent.run(" ")) void 0;
    };
    await expect(empty()).rejects.toMatchObject({ code: "empty-prompt" });
  });
});

describe("spawnBranch", () => {
  test.each([
    ["in memory", () => SessionManager.inMemory(cwd)],
    ["in a file", () => SessionManager.create(cwd, join(cwd, "sessions"))],
  ])("two prompts at once are two branches, %s", async (_where, create) => {
    const session = create();
    await using agent = await createAgentSession({ session, model: scriptedModel(["first", "left"]) });
    await agent.prompt("begin");
    const split = session.getLeafId();
    await using other = await agent.spawnBranch(split, { model: scriptedModel(["right"]) });
    await Promise.all([agent.prompt("go left"), other.prompt("go right")]);
    session.refresh();
    other.session.refresh();
    expect(lines(session).slice(-2)).toEqual(["user: go left", "assistant(stop): left"]);
    expect(lines(other.session).slice(-2)).toEqual(["user: go right", "assistant(stop): right"]);
    expect(session.getChildren(split ?? "")).toHaveLength(2);
    expect(
      session
        .getEntries()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(
      other.session
        .getEntries()
        .map(({ id }) => id)
        .sort(),
    );
    expect(session.getProblems()).toEqual([]);
  });

  test("at an entry that does not exist is refused, and leaves nothing open", async () => {
    const session = SessionManager.create(cwd, join(cwd, "sessions"));
    await using agent = await createAgentSession({ session, model: scriptedModel(["one", "two"]) });
    await agent.prompt("begin");
    const opened = vi.spyOn(session, "openAgain");
    await expect(agent.spawnBranch("nowhere")).rejects.toMatchObject({ code: "entry-not-found" });
    expect(() => opened.mock.results[0]?.value.refresh()).toThrow(expect.objectContaining({ code: "closed" }));
    expect(await agent.prompt("go on")).toMatchObject({ kind: "done" });
  });

  test("keeps the parts for which an undefined is given", async () => {
    const session = SessionManager.inMemory(cwd);
    const model = scriptedModel(["one", "two"]);
    await using agent = await createAgentSession({ session, model, tools: [counted("look").tool] });
    await using other = await agent.spawnBranch(null, {
      ...{ model: undefined, tools: undefined, permit: undefined, registry: undefined, cwd: undefined },
      ...{ session: undefined, ownsServers: undefined, hooks: undefined },
    });
    expect([other.model, other.tools.map(({ name }) => name)]).toEqual([model, ["look"]]);
    expect(await other.prompt("begin")).toMatchObject({ kind: "done" });
  });

  test("from the start of the session, while the first agent continues", async () => {
    const session = SessionManager.inMemory(cwd);
    await using agent = await createAgentSession({ session, model: scriptedModel(["one", "two"]) });
    await agent.prompt("begin");
    await using other = await agent.spawnBranch(null);
    expect(other.session.getLeafId()).toBeNull();
    await agent.prompt("go on");
    expect(lines(session).at(-1)).toBe("assistant(stop): two");
  });
});

function costing(total: number) {
  return { input: total, output: 0, cacheRead: 0, cacheWrite: 0, total };
}
