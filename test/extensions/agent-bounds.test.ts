import { rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { harness, hooksOf, says, tool } from "@bough/agent/agent/agent-harness.test-support.js";
import { createAgentSession, createModelRegistry, extensionHost } from "@bough/agent/agent/index.js";
import { scriptedModel } from "@bough/agent/agent/scripted-model.test-support.js";
import type { CommandContext, ExtensionApi, ExtensionUi } from "@bough/agent/extension/index.js";
import { createRunner, runCommand, silentUi } from "@bough/agent/extension/run.js";
import { MemoryLog } from "@bough/session/log/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { tempFolder } from "../support/temp-folder.js";
import { embedded } from "./embedded-agent.js";

describe("tools that extensions choose", () => {
  test("the tool that takes the output of one run is neither listed nor kept", async () => {
    const active: string[][] = [];
    const all: string[][] = [];
    const extension = (bough: ExtensionApi) => {
      bough.on("turn_start", () => {
        active.push(bough.getActiveTools());
        all.push(bough.getAllTools().map(({ name }) => name));
        bough.setActiveTools(bough.getActiveTools());
      });
    };
    const model = scriptedModel([{ calls: [{ name: "final_answer", arguments: { n: 1 } }] }, "done"]);
    const { agent } = await embedded({ model, tools: [tool({ name: "look" })], extensions: [extension] });
    const output = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
    expect(await agent.prompt("go", { output })).toMatchObject({ kind: "done", output: { n: 1 } });
    await agent.prompt("again");
    expect(active).toEqual([["look"], ["look"]]);
    expect(all).toEqual([["look"], ["look"]]);
    expect(model.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([
      ["look", "final_answer"],
      ["look"],
    ]);
  });

  test("a tool that is not registered after a reload is gone, also one that was switched off", async () => {
    let loads = 0;
    let api: ExtensionApi | undefined;
    const extension = (bough: ExtensionApi) => {
      api = bough;
      if (loads++ > 0) return;
      for (const name of ["first", "second"])
        bough.registerTool({ name, description: "x", parameters: { type: "object" }, execute: () => "x" });
    };
    const { agent, runner } = await embedded({
      model: scriptedModel([]),
      tools: [tool({ name: "look" })],
      extensions: [extension],
    });
    api?.setActiveTools(["look", "first"]);
    await runner.reload();
    expect(api?.getAllTools().map(({ name }) => name)).toEqual(["look"]);
    expect(agent.tools.map(({ name }) => name)).toEqual(["look"]);
  });

  test("guards and permissions see the input as the tool repairs it", async () => {
    const seen: unknown[] = [];
    const extension = (bough: ExtensionApi) => {
      bough.on("tool_call", ({ input }) => void seen.push(structuredClone(input)));
      bough.registerTool({
        name: "remove",
        description: "x",
        parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
        prepareArguments: (args) => ({ path: `/etc/${(args as { path: string }).path}` }),
        execute: (_id, { path }: { readonly path: string }) => path,
      });
    };
    const model = scriptedModel([{ calls: [{ name: "remove", arguments: { path: "x" } }] }, "done"]);
    const { agent, session } = await embedded({
      model,
      extensions: [extension],
      permit: async ({ target }) => {
        seen.push(JSON.parse(target));
        return { allowed: true };
      },
    });
    await agent.prompt("go");
    expect(seen).toEqual([{ path: "/etc/x" }, { path: "/etc/x" }]);
    const results = session
      .getBranch()
      .flatMap((entry) => (entry.type === "message" && entry.message.role === "toolResult" ? [entry.message] : []));
    expect(results[0]?.content).toEqual([{ type: "text", text: "/etc/x" }]);
  });

  test("what a repair throws is told to the model, and the tool does not run", async () => {
    const ran = vi.fn(() => "x");
    const extension = (bough: ExtensionApi) =>
      bough.registerTool({
        name: "remove",
        description: "x",
        parameters: { type: "object" },
        prepareArguments: () => {
          throw new Error("no idea");
        },
        execute: ran,
      });
    const model = scriptedModel([{ calls: [{ name: "remove" }] }, "done"]);
    const { agent } = await embedded({ model, extensions: [extension] });
    await agent.prompt("go");
    expect(ran).not.toHaveBeenCalled();
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain("could not be prepared: no idea");
  });
});

describe("a shell command that an extension runs", () => {
  test("is abandoned if it does not stop", async () => {
    const { agent, events } = harness({
      model: scriptedModel([]),
      hooks: hooksOf({
        user_bash: () => ({
          operations: {
            exec: (_command, _cwd, { onData }) => {
              onData(Buffer.from("so far"));
              setImmediate(() => agent.abort());
              return new Promise(() => {});
            },
          },
        }),
      }),
    });
    const { message } = await agent.runBash("sleep");
    expect(message).toMatchObject({ output: "so far", exitCode: null, cancelled: true });
    expect(events).toContainEqual(
      expect.objectContaining({ type: "notice", message: expect.stringContaining("abandoned") }),
    );
  });

  test("shows the end of a long output and keeps all of it in a private file", async () => {
    const chunk = "x".repeat(999);
    const { agent, events } = harness({
      model: scriptedModel([]),
      hooks: hooksOf({
        user_bash: () => ({
          operations: {
            exec: async (_command, _cwd, { onData }) => {
              for (let count = 0; count < 1000; count++) onData(Buffer.from(`${chunk}\n`));
              return { exitCode: 0 };
            },
          },
        }),
      }),
    });
    const { message } = await agent.runBash("yes");
    expect(message.output.length).toBeLessThanOrEqual(30_000);
    expect(message).toMatchObject({ exitCode: 0, truncated: true });
    const file = statSync(message.fullOutputPath ?? "");
    expect([file.size, file.mode & 0o777]).toEqual([1_000_000, 0o600]);
    for (const event of events) if (event.type === "tool_update") expect(event.update.text.length).toBeLessThan(5000);
  });
});

describe("a session that cannot be left", () => {
  const told: string[] = [];
  const listen = (bough: ExtensionApi) => {
    told.length = 0;
    bough.on("session_shutdown", ({ reason }) => void told.push(`shutdown ${reason}`));
    bough.on("session_start", ({ reason }) => void told.push(`start ${reason}`));
  };

  test("extensions are not told of leaving for a file that cannot be read", async () => {
    const { agent, folder } = await embedded({ model: scriptedModel([]), extensions: [listen] });
    const file = join(folder, "other.jsonl");
    writeFileSync(file, "this is not a session\n");
    await expect(agent.openSession(file)).rejects.toThrow();
    expect(told).toEqual(["start startup"]);
  });

  test("extensions are not told of a switch to a copy that cannot be written", async () => {
    const { agent, session } = await embedded({ model: scriptedModel(["hello"]), extensions: [listen] });
    await agent.prompt("hi");
    // Where the new file would go, there is no folder any more.
    rmSync(session.getSessionDir(), { recursive: true });
    writeFileSync(session.getSessionDir(), "");
    await expect(agent.clone()).rejects.toThrow();
    expect(told).toEqual(["start startup"]);
  });

  test("extensions that were told of leaving are told of the start when it fails after all", async () => {
    // A log of the program's own, which cannot make another one.
    const session = SessionManager.onLog(new MemoryLog());
    const { agent } = await embedded({ model: scriptedModel([]), session, extensions: [listen] });
    await expect(agent.newSession()).rejects.toMatchObject({ code: "no-new-log" });
    expect(told).toEqual(["start startup", "shutdown new", "start resume"]);
  });
});

test("resources of an extension that is gone after a reload are gone too", async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, "greet.md"), "Say hello.");
  let loads = 0;
  const extension = (bough: ExtensionApi) => {
    if (loads++ === 0) bough.on("resources_discover", () => ({ promptPaths: [join(folder, "greet.md")] }));
  };
  const { agent, runner } = await embedded({ model: scriptedModel([]), extensions: [extension] });
  expect(agent.templates.map(({ name }) => name)).toEqual(["greet"]);
  await runner.reload();
  await agent.start("reload");
  expect(agent.templates).toEqual([]);
});

test("extensions may be hooks of a program's own", async () => {
  const heard: string[] = [];
  const hooks = hooksOf({ session_start: ({ reason }) => void heard.push(reason) });
  await using _agent = await createAgentSession({ extensions: hooks, session: SessionManager.inMemory("/") });
  expect(heard).toEqual(["startup"]);
});

test("a prompt that no extension changed follows tools that are switched off during the run", async () => {
  const extension = (bough: ExtensionApi) => {
    bough.on("before_agent_start", () => undefined);
    bough.on("tool_result", () => bough.setActiveTools(["look"]));
  };
  const model = scriptedModel([{ calls: [{ name: "look" }] }, "done"]);
  const tools = [tool({ name: "look" }), tool({ name: "jump" })].map((one) => ({
    ...one,
    promptSnippet: `use ${one.name}`,
  }));
  const { agent } = await embedded({ model, tools, extensions: [extension] });
  await agent.prompt("go");
  expect(model.requests.map(({ system }) => system.includes("use jump"))).toEqual([true, false]);
});

describe("nothing is left unhandled", () => {
  const watched = () => {
    const unhandled: unknown[] = [];
    const listener = (error: unknown) => unhandled.push(error);
    process.on("unhandledRejection", listener);
    onTestFinished(() => void process.off("unhandledRejection", listener));
    return unhandled;
  };
  const rounds = async () => {
    for (let round = 0; round < 5; round++) await new Promise((resolve) => setImmediate(resolve));
  };

  test("what the callbacks of compact throw, and a failure without a callback, are notices", async () => {
    const unhandled = watched();
    const said: string[] = [];
    const { agent } = harness({ model: scriptedModel([]) });
    const ui = silentUi((message, level) => said.push(`${level}: ${message}`));
    const context = extensionHost({ agent: () => agent, cwd: "/", ui, hasUi: false }).context();
    context.compact();
    context.compact({
      onError: () => {
        throw new Error("mine");
      },
    });
    await agent.whenIdle();
    await rounds();
    expect(said).toHaveLength(2);
    expect(said).toContain("error: compact: mine");
    expect(unhandled).toEqual([]);
  });

  test("a front end that cannot end is a notice", async () => {
    const unhandled = watched();
    const said: string[] = [];
    const { agent } = harness({ model: scriptedModel([]) });
    const shutdown = () => {
      throw new Error("not now");
    };
    const ui = silentUi((message) => said.push(message));
    extensionHost({ agent: () => agent, cwd: "/", ui, hasUi: false, shutdown })
      .context()
      .shutdown();
    await rounds();
    expect(said).toEqual(["shutdown: not now"]);
    expect(unhandled).toEqual([]);
  });
});

test("a command that went to another session speaks under its own name there", async () => {
  const { agent } = harness({ model: scriptedModel([]) });
  const said: string[] = [];
  const named = (name: string): ExtensionUi => silentUi((message) => said.push(`${name}: ${message}`));
  const ui = Object.assign(named("nobody"), { forExtension: named });
  const host = extensionHost({ agent: () => agent, cwd: "/", ui, hasUi: true });
  const go = async (context: CommandContext) => {
    context.ui.notify("before");
    await context.newSession({ withSession: (replaced) => replaced.ui.notify("after") });
  };
  const runner = await createRunner([
    { name: "mover", factory: (bough) => bough.registerCommand("go", { handler: (_args, context) => go(context) }) },
  ]);
  const command = runner.registrations.command("go");
  if (command === undefined) throw new Error("not registered");
  expect(await runCommand(command, { host, onProblem: () => {} })).toEqual({ kind: "done", prompt: undefined });
  expect(said).toEqual(["mover: before", "mover: after"]);
});

describe("message_update", () => {
  test("earlier blocks are copies too, and an extension cannot change the answer through them", async () => {
    const seen: string[] = [];
    const extension = (bough: ExtensionApi) =>
      bough.on("message_update", ({ message }) => {
        seen.push(JSON.stringify(message.content));
        for (const block of message.content) if (block.type === "text") Object.assign(block, { text: "changed" });
      });
    const model = scriptedModel([{ thinking: "hm", text: "abcd", calls: [{ id: "c", name: "look" }] }, "done"]);
    const { agent, session } = await embedded({
      model,
      tools: [tool({ name: "look", execute: () => says("x") })],
      extensions: [extension],
    });
    await agent.prompt("go");
    expect(seen[3]).toBe('[{"type":"thinking","thinking":"hm"},{"type":"text","text":"abcd"}]');
    const answer = session.getBranch().find((entry) => entry.type === "message" && entry.message.role === "assistant");
    expect(JSON.stringify(answer)).not.toContain("changed");
  });
});

describe("a key that a command prints", () => {
  const config = (command: string) => ({
    baseUrl: "http://127.0.0.1:1/v1",
    apiKey: `!${command}`,
    models: [{ id: "m" }],
  });

  test("is not asked for while models are listed", () => {
    const folder = tempFolder();
    const registry = createModelRegistry({ home: folder, env: {} });
    registry.registerProvider?.("mine", config(`touch ${join(folder, "ran")}; echo key`));
    expect(registry.available().map(({ provider }) => provider)).toContain("mine");
    expect(statSync(join(folder, "ran"), { throwIfNoEntry: false })).toBeUndefined();
    expect(registry.apiKey("mine")).toBe("key");
  });

  test("is asked for again after a failure, and not after an answer", () => {
    const folder = tempFolder();
    const file = join(folder, "key");
    const registry = createModelRegistry({ home: folder, env: {} });
    registry.registerProvider?.("mine", config(`cat ${file}`));
    expect(registry.apiKey("mine")).toBeUndefined();
    writeFileSync(file, "one");
    expect(registry.apiKey("mine")).toBe("one");
    writeFileSync(file, "two");
    expect(registry.apiKey("mine")).toBe("one");
  });
});
