import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lines, says, tool } from "@bough/agent/agent/agent-harness.test-support.js";
import { createAgentSession, createModelRegistry } from "@bough/agent/agent/index.js";
import { scriptedModel } from "@bough/agent/agent/scripted-model.test-support.js";
import type { CommandContext, ExtensionApi, ExtensionCommand, ExtensionContext } from "@bough/agent/extension/index.js";
import { runCommand, runShortcut } from "@bough/agent/extension/run.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../support/temp-folder.js";
import { type Embedded, type EmbeddedOptions, embedded } from "./embedded-agent.js";

interface Given extends Embedded {
  readonly bough: ExtensionApi;
  readonly ctx: ExtensionContext;
}

/** The API and the context of one extension, from outside of it. */
async function given(options: Partial<EmbeddedOptions> = {}): Promise<Given> {
  const got: { bough?: ExtensionApi; ctx?: ExtensionContext } = {};
  const extension = (bough: ExtensionApi) => {
    got.bough = bough;
    bough.on("session_start", (_event, ctx) => {
      got.ctx = ctx;
    });
  };
  const made = await embedded({ model: scriptedModel(["one", "two", "three"]), ...options, extensions: [extension] });
  return { ...made, bough: got.bough as ExtensionApi, ctx: got.ctx as ExtensionContext };
}

async function command(made: Given, handler: (args: string, ctx: CommandContext) => unknown, args = "") {
  const { host } = made.runner;
  if (host === undefined) throw new Error("not bound");
  const value = { handler: async (typed: string, ctx: CommandContext) => void (await handler(typed, ctx)) };
  return runCommand({ extension: "ext1", name: "go", value }, { host, onProblem: () => {}, args });
}

describe("tools", () => {
  test("have pi's arguments; throwing is an error result, and updates are shown", async () => {
    const seen: unknown[] = [];
    const extension = (bough: ExtensionApi) =>
      bough.registerTool({
        name: "add",
        label: "Adds",
        description: "Adds",
        parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
        prepareArguments: (args) => ({ n: Number((args as { n: unknown }).n) }),
        async execute(toolCallId, { n }: { n: number }, signal, onUpdate, ctx) {
          seen.push([toolCallId, n, signal.aborted, ctx.cwd === bough.getSessionName(), typeof ctx.permit]);
          onUpdate({ content: [{ type: "text", text: "adding" }] });
          if (n > 1) throw new Error("too much");
          return { content: [{ type: "text", text: "sum" }], details: { n } };
        },
      });
    const calls = (n: unknown) => ({ calls: [{ id: `c${n}`, name: "add", arguments: { n } }] });
    const model = scriptedModel([calls("1"), calls(2), "done"]);
    const { agent, session } = await embedded({ model, extensions: [extension] });
    const updates: string[] = [];
    agent.subscribe((event) => event.type === "tool_update" && updates.push(event.update.text));
    await agent.prompt("go");
    expect(lines(session)).toContain("result#c1: sum");
    expect(lines(session)).toContain("result#c2!: too much");
    expect(seen).toEqual([
      ["c1", 1, false, false, "function"],
      ["c2", 2, false, false, "function"],
    ]);
    expect(updates).toEqual(["adding", "adding"]);
  });

  test("one that is not read-only asks first, and a refusal reaches the model", async () => {
    const extension = (bough: ExtensionApi) =>
      bough.registerTool({ name: "act", description: "x", parameters: { type: "object" }, execute: () => "acted" });
    const model = scriptedModel([{ calls: [{ id: "c1", name: "act" }] }, "done"]);
    const permit = async () => ({ allowed: false, reason: "the user said no" }) as const;
    const { agent, session } = await embedded({ model, permit, extensions: [extension] });
    await agent.prompt("go");
    expect(lines(session)).toContain("result#c1!: the user said no");
  });

  test("sequential ones run one after the other, and terminate ends the run if all agree", async () => {
    const order: string[] = [];
    const extension = (bough: ExtensionApi) =>
      bough.registerTool({
        name: "step",
        description: "x",
        parameters: { type: "object" },
        readOnly: true,
        executionMode: "sequential",
        async execute(id) {
          order.push(`${id} starts`);
          await new Promise((resolve) => setImmediate(resolve));
          order.push(`${id} ends`);
          return { content: [{ type: "text", text: id }], terminate: true };
        },
      });
    const model = scriptedModel([
      {
        calls: [
          { id: "a", name: "step" },
          { id: "b", name: "step" },
        ],
      },
      "never",
    ]);
    const { agent } = await embedded({ model, extensions: [extension] });
    await agent.prompt("go");
    expect(order).toEqual(["a starts", "a ends", "b starts", "b ends"]);
    expect(model.requests).toHaveLength(1);
  });

  test("are listed, switched off and on, and added later; the prompt names their rules", async () => {
    const look = tool({ name: "look", execute: () => says("seen") });
    const { bough, agent } = await given({ tools: [look] });
    const parameters = { type: "object", properties: {} };
    const execute = () => "late";
    const promptGuidelines = ["Look before you leap."];
    bough.registerTool({
      name: "late",
      description: "Late",
      parameters,
      promptGuidelines,
      promptSnippet: "is late",
      execute,
    });
    expect(bough.getActiveTools()).toEqual(["look", "late"]);
    expect(agent.systemPrompt).toMatch(/- Look before you leap\.[\s\S]*- late: is late/);
    bough.setActiveTools(["late", "unheard-of"]);
    expect(agent.tools.map(({ name }) => name)).toEqual(["late"]);
    expect(bough.getAllTools().map(({ name, sourceInfo }) => [name, sourceInfo.source])).toEqual([
      ["look", "builtin"],
      ["late", "ext1"],
    ]);
    bough.setActiveTools(["look"]);
    expect(agent.systemPrompt).not.toContain("leap");
  });
});

describe("messages", () => {
  const note = (content: string) => ({ customType: "note", content, display: true });

  test("wait for the next prompt, or start a run", async () => {
    const { bough, agent, session } = await given();
    bough.sendMessage(note("later"), { deliverAs: "nextTurn" });
    expect(session.getEntries()).toEqual([]);
    await agent.prompt("go");
    bough.sendMessage(note("now"), { triggerTurn: true });
    await agent.whenIdle();
    expect(lines(session).slice(1)).toEqual([
      ...["user: go", "custom: later", "assistant(stop): one"],
      ...["custom: now", "assistant(stop): two"],
    ]);
  });

  test.each(["steer", "followUp"] as const)("%s makes a run go on", async (deliverAs) => {
    const { bough, agent, session } = await given();
    let sent = false;
    agent.subscribe((event) => {
      if (event.type !== "message_update" || sent) return;
      sent = true;
      bough.sendMessage(note("more"), { deliverAs });
    });
    await agent.prompt("go");
    expect(lines(session).slice(1)).toEqual([
      ...["user: go", "assistant(stop): one", "custom: more", "assistant(stop): two"],
    ]);
  });

  test("sendUserMessage speaks for the user: at once, or after the run; templates are left alone", async () => {
    const sources: string[] = [];
    const folder = tempFolder();
    const template = { name: "hi", description: "", text: "expanded", path: join(folder, "hi.md") };
    const project = { contextFiles: [], templates: [template], skills: [], problems: [] };
    const { bough, agent, session } = await given({ cwd: folder, project });
    bough.on("input", ({ source, streamingBehavior }) => void sources.push(`${source} ${streamingBehavior}`));
    bough.sendUserMessage("/hi");
    bough.sendUserMessage([{ type: "text", text: "/hi" }], { expandPromptTemplates: true });
    await agent.whenIdle();
    expect(lines(session).filter((line) => line.startsWith("user"))).toEqual(["user: /hi", "user: expanded"]);
    expect(sources).toEqual(["extension undefined", "extension followUp"]);
    expect(bough.getCommands()).toMatchObject([{ name: "hi", source: "prompt" }]);
  });
});

describe("the session", () => {
  test("is named, labelled and written to", async () => {
    const { bough, agent, session } = await given();
    await agent.prompt("go");
    bough.setSessionName("parser");
    const id = bough.appendEntry("state", { n: 1 });
    const user = session.getBranch().find(({ type }) => type === "message")?.id ?? "";
    bough.setLabel(user, "start");
    expect([bough.getSessionName(), session.getLabel(user)]).toEqual(["parser", "start"]);
    expect(session.getEntry(id)).toMatchObject({ customType: "state", data: { n: 1 } });
    bough.setLabel(user, undefined);
    expect(session.getLabel(user)).toBeUndefined();
  });

  test("the context tells what is going on", async () => {
    const model = scriptedModel(["one"]);
    const { bough, ctx, agent, folder } = await given({ model });
    const during: unknown[] = [];
    bough.on("turn_start", (_event, { isIdle, signal, hasPendingMessages }) => {
      during.push([isIdle(), signal?.aborted, hasPendingMessages()]);
    });
    expect([ctx.isIdle(), ctx.signal, ctx.mode, ctx.hasUI, ctx.hasUi]).toEqual([
      true,
      undefined,
      "library",
      false,
      false,
    ]);
    await agent.prompt("go");
    expect(during).toEqual([[false, false, false]]);
    expect(ctx.model).toBe(model.info);
    expect([ctx.cwd, ctx.isProjectTrusted(), ctx.thinkingLevel]).toEqual([folder, false, "off"]);
    expect(ctx.getSystemPrompt()).toBe(agent.systemPrompt);
    expect(ctx.getContextUsage()).toEqual({ tokens: 15, contextWindow: 100_000, percent: 0.015 });
    expect(ctx.sessionManager.getSessionFile()).toBe(agent.session.getSessionFile());
  });

  test("compact starts one and tells what came of it; complete asks outside of the conversation", async () => {
    const model = scriptedModel(["one", "two", "the summary", "an aside"]);
    const { ctx, agent, session } = await given({ model });
    await agent.prompt("first");
    await agent.prompt("second");
    const result = await new Promise<{ summary: string }>((onComplete, onError) => {
      ctx.compact({ customInstructions: "short", onComplete, onError });
    });
    expect(result.summary).toContain("the summary");
    const before = session.buildSessionContext().messages.length;
    expect((await ctx.complete({ prompt: "2+2?", systemPrompt: "Count." })).text).toBe("an aside");
    expect(model.requests[3]).toMatchObject({
      system: "Count.",
      messages: [{ role: "user", content: "2+2?" }],
      tools: [],
    });
    expect(session.buildSessionContext().messages).toHaveLength(before);
    expect(session.getEntries().at(-1)).toMatchObject({ type: "usage", kind: "extension" });
    await expect(ctx.complete("again")).rejects.toThrow("The script has no step 5");
  });

  test("abort stops a run, and shutdown ends the agent once it is idle", async () => {
    const model = scriptedModel([{ text: "and so on", hang: true }]);
    const { ctx, agent } = await given({ model });
    const run = agent.prompt("go");
    await model.reached(1);
    ctx.abort();
    expect(await run).toEqual({ kind: "aborted" });
    ctx.shutdown();
    await agent.whenIdle();
    await agent.dispose();
    await expect(agent.prompt("more")).rejects.toMatchObject({ code: "closed" });
  });
});

describe("commands", () => {
  test("get what was typed first, and the context with it", async () => {
    const made = await given();
    const seen: unknown[] = [];
    await command(made, (args, ctx) => seen.push([args, ctx.args, ctx.getSystemPromptOptions().cwd]), "a b");
    const { host } = made.runner;
    if (host === undefined) throw new Error("not bound");
    const value = { handler: (ctx: ExtensionContext) => void seen.push(ctx.cwd) };
    await runShortcut({ extension: "ext1", name: "alt+x", value }, { host, onProblem: () => {} });
    expect(seen).toEqual([["a b", "a b", made.folder], made.folder]);
  });

  test("leave the session, and go on in the other one", async () => {
    const made = await given();
    const { agent, session } = made;
    await agent.prompt("go");
    const first = session.getSessionFile() ?? "";
    const [user] = session.getBranch().filter(({ type }) => type === "message");
    const files: unknown[] = [];
    await command(made, async (_args, ctx) => {
      await ctx.waitForIdle();
      const setup = (fresh: SessionManager) => void fresh.appendCustomEntry("setup", 1);
      const withSession = (next: CommandContext) => void files.push(next.sessionManager.getSessionFile());
      expect(await ctx.newSession({ parentSession: first, setup, withSession })).toEqual({ cancelled: false });
      expect(ctx.sessionManager.getEntries()).toMatchObject([{ customType: "setup" }]);
      expect(await ctx.switchSession(first, { withSession })).toEqual({ cancelled: false });
      expect(await ctx.fork(user?.id ?? "", { position: "at", withSession })).toEqual({ cancelled: false });
      await expect(ctx.reload()).rejects.toThrow("Extensions cannot be reloaded here");
      await expect(ctx.switchSession(join(made.folder, "nowhere.jsonl"))).rejects.toMatchObject({
        code: "session-not-found",
      });
    });
    expect(files[1]).toBe(first);
    expect(new Set(files).size).toBe(3);
    expect(lines(session).at(-1)).toBe("user: go");
  });
});

describe("programs, flags, models and other extensions", () => {
  test("exec runs a program in the folder of the session", async () => {
    const { bough, folder } = await given();
    expect(await bough.exec("pwd", [])).toMatchObject({ stdout: `${realpathSync(folder)}\n`, code: 0, killed: false });
    expect(await bough.exec("sh", ["-c", "exit 3"])).toMatchObject({ code: 3, exitCode: 3 });
    expect(await bough.exec("no-such-program", [])).toMatchObject({ code: 1, exitCode: null });
    expect(await bough.exec("sleep", ["30"], { timeout: 1 })).toMatchObject({ killed: true });
  });

  test("flags have what was given, else their default, and belong to one extension", async () => {
    const got: unknown[] = [];
    const first = (bough: ExtensionApi) => {
      bough.registerFlag("plan", { type: "boolean", default: false });
      bough.registerFlag("level", { type: "string", default: "low" });
      got.push(bough.getFlag("plan"), bough.getFlag("--level"), bough.getFlag("unheard-of"));
    };
    const second = (bough: ExtensionApi) => {
      bough.registerFlag("plan", { type: "string" });
      got.push(bough.getFlag("level"));
    };
    const { problems } = await embedded({
      model: scriptedModel([]),
      extensions: [first, second],
      flags: { plan: true },
    });
    expect(got).toEqual([true, "low", undefined, undefined]);
    const message = "the flag plan is already registered by ext1; the first one is used";
    expect(problems).toEqual([{ extension: "ext2", event: "register", message }]);
  });

  test("the bus reaches other extensions, and a failing listener is reported by name", async () => {
    const heard: unknown[] = [];
    const listens = (bough: ExtensionApi) => {
      const end = bough.events.on("news", (data) => {
        heard.push(data);
        end();
      });
      bough.events.on("news", () => {
        throw new Error("no luck");
      });
    };
    let emit: ExtensionApi["events"]["emit"] = () => {};
    const speaks = (bough: ExtensionApi) => {
      emit = bough.events.emit;
    };
    const { problems } = await embedded({ model: scriptedModel([]), extensions: [listens, speaks] });
    emit("news", 1);
    emit("news", 2);
    expect(heard).toEqual([1]);
    const problem = { extension: "ext1", event: "listener of news", message: "no luck" };
    expect(problems).toEqual([problem, problem]);
  });

  test("models are chosen, and refused without a key", async () => {
    const registry = createModelRegistry({ home: tempFolder(), env: {} });
    const { bough, agent } = await given({ registry });
    expect(await bough.setModel("anthropic/claude-sonnet-4-5")).toBe(false);
    expect(await bough.setModel("offline/rules")).toBe(true);
    expect(agent.model?.info.provider).toBe("offline");
    bough.setThinkingLevel("high");
    expect(bough.getThinkingLevel()).toBe("high");
  });

  test("a provider brings models with a stream of its own, and is taken back", async () => {
    const registry = createModelRegistry({ home: tempFolder(), env: { MY_KEY: "k-1" } });
    const { bough, agent } = await given({ registry });
    const asked: unknown[] = [];
    bough.registerProvider("mine", {
      apiKey: "$MY_KEY",
      api: "my-protocol",
      models: [{ id: "m", name: "M", contextWindow: 1000, maxTokens: 10, cost: { input: 1, output: 2 } }],
      async *streamSimple(model, { systemPrompt, messages, tools }, { apiKey }) {
        asked.push([model.id, systemPrompt !== "", messages.length, tools.length, apiKey]);
        yield { type: "start" };
        yield { type: "text_delta", delta: "from mine" };
        yield { type: "done", message: { content: [{ type: "text", text: "from mine" }], stopReason: "stop" } };
      },
    });
    expect(await bough.setModel("mine/m")).toBe(true);
    expect(await agent.prompt("go")).toMatchObject({ kind: "done", message: { content: [{ text: "from mine" }] } });
    expect(asked).toEqual([["m", true, 1, 0, "k-1"]]);
    bough.registerProvider("anthropic", { baseUrl: "https://proxy.example.com/" });
    const sonnet = () => registry.all().find(({ provider }) => provider === "anthropic")?.baseUrl;
    expect(sonnet()).toBe("https://proxy.example.com");
    bough.unregisterProvider("anthropic");
    bough.unregisterProvider("mine");
    expect([sonnet(), registry.all().some(({ provider }) => provider === "mine")]).toEqual([undefined, false]);
  });
});

test("createAgentSession takes functions: session_start has the agent, and clashes are named", async () => {
  const cwd = tempFolder();
  mkdirSync(join(cwd, "sessions"));
  writeFileSync(join(cwd, "a.txt"), "text");
  const started: unknown[] = [];
  const agent = await createAgentSession({
    cwd,
    session: SessionManager.create(cwd, join(cwd, "sessions")),
    extensions: [
      (bough) => bough.on("session_start", (_event, ctx) => void started.push(ctx.sessionManager.getSessionId())),
      { name: "second", factory: (bough) => bough.on("agent_end", () => void started.push("end")) },
    ],
  });
  await agent.prompt("hello");
  expect(started).toEqual([agent.session.getSessionId(), "end"]);
  await agent.dispose();
});

test("a command's handler that takes the context as its first parameter fails with how handlers are called", async () => {
  const made = await given();
  const { host } = made.runner;
  if (host === undefined) throw new Error("not bound");
  const handler = (async (ctx: CommandContext) => ctx.ui.notify("hi")) as unknown as ExtensionCommand["handler"];
  const command = { extension: "ext1", name: "go", value: { handler } };
  expect(await runCommand(command, { host, onProblem: () => {} })).toEqual({
    kind: "failed",
    message: expect.stringContaining("handlers are called as handler(args, ctx)"),
  });
});

test("the model registry of the context gives the key of a model or a provider by the family's name", async () => {
  const { ctx, agent } = await given();
  agent.registry.registerProvider?.("mine", { baseUrl: "http://127.0.0.1:1/v1", apiKey: "k1", models: [{ id: "m" }] });
  expect(await ctx.modelRegistry.getApiKey("mine")).toBe("k1");
  expect(await ctx.modelRegistry.getApiKey({ provider: "mine" })).toBe("k1");
  expect(await ctx.modelRegistry.getApiKey("unknown")).toBeUndefined();
});
