import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { entryMessage, toModelInput } from "@bough/session/context/index.js";
import { assertSameContext } from "@bough/session/context/same-context.test-support.js";
import type { BranchSummaryEntry } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { DEFAULT_SETTINGS } from "../project/index.js";
import type { ToolSessionEvent } from "../tool/index.js";
import { countingClock, harness, hooksOf, lines, opened, registryOf, tool } from "./agent-harness.test-support.js";
import { AgentSession } from "./agent-session.js";
import { createAgentSession } from "./create-agent-session.js";
import { scriptedModel } from "./scripted-model.test-support.js";

describe("one operation at a time", () => {
  test("while the model works, everything that moves or changes the session is refused and says what to do", async () => {
    const model = scriptedModel(["one", { text: "two", hang: true }]);
    const { agent, session } = harness({ model });
    await agent.prompt("first");
    const [question] = session.getBranch().filter((entry) => entry.type === "message");
    const id = question?.id ?? "";
    const run = agent.prompt("second");
    await model.reached(2);
    const before = lines(session);
    const refused = [
      () => agent.prompt("third"),
      () => agent.navigateTree(id),
      () => agent.fork(id),
      () => agent.branchHere(id),
      () => agent.clone(),
      () => agent.switchTo(id),
      () => agent.pop(),
      () => agent.undoMove(),
      () => agent.compact(),
      () => agent.undoCompaction(),
      () => agent.cherryPick([id]),
      () => agent.merge(id),
      () => agent.editContext(id, { kind: "leave-out" }),
      () => agent.runBash("true"),
      () => agent.newSession(),
    ];
    for (const operation of refused) {
      await expect(operation()).rejects.toMatchObject({
        code: "busy",
        data: { running: "run" },
        hint: "Wait for the answer or stop it first; messages can be queued meanwhile.",
      });
    }
    expect(lines(session)).toEqual(before);
    agent.abort();
    expect(await run).toEqual({ kind: "aborted" });
    expect(await agent.navigateTree(id)).toMatchObject({ cancelled: false, editorText: "first" });
  });

  test("a second prompt at the same time is refused, and the first continues", async () => {
    const { agent, session } = harness({ model: scriptedModel(["one"]) });
    const first = agent.prompt("first");
    // The first is still being looked at by extensions; the second gets as far and no further.
    const second = agent.prompt("second");
    await expect(second).rejects.toMatchObject({ code: "busy" });
    expect(await first).toMatchObject({ kind: "done" });
    expect(lines(session)).toEqual(["model_change", "user: first", "assistant(stop): one"]);
  });

  test("during another operation a message is queued and a text is refused", async () => {
    const looking = opened();
    const goOn = opened();
    const { agent, session } = harness({
      model: scriptedModel(["one"]),
      hooks: hooksOf({
        session_before_tree: async () => {
          looking.open();
          await goOn.promise;
          return { cancel: true };
        },
      }),
    });
    await agent.prompt("first");
    const move = agent.navigateTree(session.getBranch()[1]?.id ?? "");
    await looking.promise;
    expect(agent.sendMessage({ customType: "x", content: "note", display: true })).toEqual({ kind: "queued" });
    expect(() => agent.steer("hey")).toThrow("Cannot start a model run: a move is still running");
    goOn.open();
    expect(await move).toEqual({ kind: "cancelled", cancelled: true, cancelledBy: "test" });
    expect(lines(session).at(-1)).toBe("custom: note");
    expect(agent.operation).toBeUndefined();
  });

  test("labels, names and pins are possible at any time and do not come between a call and its result for the model", async () => {
    const model = scriptedModel([{ calls: [{ name: "mark", id: "1" }] }, "ok"]);
    const mark = tool({
      name: "mark",
      execute: () => {
        const question = session.getBranch()[1]?.id ?? "";
        agent.label(question, "start");
        agent.rename("the session");
        agent.pin(question);
        return { content: [{ type: "text", text: "marked" }] };
      },
    });
    const { agent, session } = harness({ model, tools: [mark] });
    await agent.prompt("go");
    expect(lines(session).slice(2)).toEqual([
      "assistant(toolUse): +mark#1",
      "label",
      "session_info",
      "custom",
      "result#1: marked",
      "assistant(stop): ok",
    ]);
    expect(model.requests[1]?.messages.map((message) => message.role)).toEqual(["user", "assistant", "toolResult"]);
    expect(agent.getPins().map((pin) => pin.text)).toEqual(["go"]);
  });
});

describe("model and thinking level", () => {
  const big = scriptedModel(["big"], { id: "big" });
  const small = scriptedModel(["small", "small"], { id: "small" });
  const registry = registryOf(big, small);

  test("are written with the first prompt and when they change, not before", async () => {
    const { agent, session, events } = harness({ model: small, registry, thinkingLevel: "low" });
    agent.setThinkingLevel("high");
    expect(session.getLeafId()).toBeNull();
    await agent.prompt("go");
    agent.setModel(big.info);
    agent.setModel(big);
    expect(lines(session)).toEqual([
      "model_change",
      "thinking_level_change",
      "user: go",
      "assistant(stop): small",
      "model_change",
    ]);
    expect(session.buildSessionContext()).toMatchObject({
      model: { provider: "scripted", modelId: "big" },
      thinkingLevel: "high",
    });
    expect(events.filter((event) => event.type === "model_changed").at(-1)).toEqual({
      type: "model_changed",
      model: "scripted/big",
      thinkingLevel: "high",
    });
  });

  test("come from the path of a session that is opened again, and follow a move", async () => {
    const made = harness({ model: small, registry, thinkingLevel: "low" });
    await made.agent.prompt("go");
    made.agent.setModel(big.info);
    made.agent.setThinkingLevel("high");
    const file = made.session.getSessionFile() as string;
    await made.agent.dispose();

    const { model: _given, thinkingLevel: _level, ...options } = made.options;
    const agent = new AgentSession({ ...options, session: SessionManager.open(file) });
    expect([agent.model?.info.id, agent.thinkingLevel]).toEqual(["big", "high"]);
    const answer = agent.session
      .getBranch()
      .find((entry) => entry.type === "message" && entry.message.role === "assistant");
    await agent.navigateTree(answer?.id ?? "");
    expect([agent.model?.info.id, agent.thinkingLevel]).toEqual(["small", "low"]);
    await agent.dispose();
  });

  test("a requested model and thinking level survive moves and undo", async () => {
    const made = harness({ model: small, registry, thinkingLevel: "low" });
    await made.agent.prompt("go");
    const answer = made.session.getLeafId() as string;
    await made.agent.prompt("on");
    const file = made.session.getSessionFile() as string;
    await made.agent.dispose();

    const agent = new AgentSession({
      ...made.options,
      model: big,
      thinkingLevel: "high",
      session: SessionManager.open(file),
    });
    const used = () => [agent.model?.info.id, agent.thinkingLevel];
    await agent.navigateTree(answer);
    expect(used()).toEqual(["big", "high"]);
    await agent.undoMove();
    expect(used()).toEqual(["big", "high"]);
    agent.setModel(small);
    await agent.navigateTree(answer);
    expect(used()).toEqual(["small", "high"]);
    await agent.dispose();
  });

  test("a model that was only the default gives way to that of another path", async () => {
    const made = harness({ model: small, registry });
    await made.agent.prompt("go");
    const answer = made.session.getLeafId() as string;
    const file = made.session.getSessionFile() as string;
    await made.agent.dispose();
    const options = { ...made.options, model: big, modelChoice: "default" } as const;
    const agent = new AgentSession({ ...options, session: SessionManager.open(file) });
    await agent.navigateTree(agent.session.getBranch()[0]?.id ?? "");
    await agent.navigateTree(answer);
    expect(agent.model?.info.id).toBe("small");
    await agent.dispose();
  });

  test("fall back with a reason where the session's model or the one from settings cannot be used", () => {
    const session = SessionManager.inMemory();
    session.appendModelChange("gone", "model-1");
    const events: unknown[] = [];
    const { model: _given, ...options } = harness({ model: small, registry, session }).options;
    const agent = new AgentSession({ ...options, settings: { ...DEFAULT_SETTINGS, model: "nobody/knows" } });
    agent.subscribe((event) => events.push(event));
    expect(agent.model?.info.id).toBe("big");
    expect(events).toEqual([
      {
        type: "notice",
        level: "warning",
        message: "The session's model gone/model-1 cannot be used: it is not known here",
      },
      {
        type: "notice",
        level: "warning",
        message: "The model nobody/knows from settings cannot be used: No model is named nobody/knows",
      },
    ]);
  });

  test("without any model a prompt is refused and nothing is written", async () => {
    const none = { ...registryOf(), preferred: () => small.info };
    const { model: _given, ...options } = harness({ model: small, registry: none }).options;
    const agent = new AgentSession(options);
    await expect(agent.prompt("go")).rejects.toMatchObject({ code: "no-model" });
    expect(() => agent.sendMessage({ customType: "x", content: "y", display: true }, true)).toThrow(
      "No model is chosen",
    );
    expect(agent.session.getLeafId()).toBeNull();
  });
});

describe("other sessions", () => {
  test("a new one, and one from a file", async () => {
    const model = scriptedModel(["one", "two"]);
    const switches: unknown[] = [];
    const { agent, session, events } = harness({
      model,
      hooks: hooksOf({
        session_switch: ({ reason, previousSessionFile }) => void switches.push([reason, previousSessionFile]),
      }),
    });
    await agent.prompt("first");
    const first = session.getSessionFile();
    const made = await agent.newSession();
    expect(made).toEqual({ kind: "done", previousSessionFile: first, file: session.getSessionFile() });
    await agent.prompt("second");
    const second = session.getSessionFile();
    expect(await agent.openSession(first as string)).toEqual({
      kind: "done",
      previousSessionFile: second,
      file: first,
    });
    expect(lines(session)).toEqual(["model_change", "user: first", "assistant(stop): one"]);
    expect(switches).toEqual([
      ["new", first],
      ["resume", second],
    ]);
    expect(events.filter((event) => event.type === "session_changed")).toEqual([
      { type: "session_changed", reason: "new", file: second },
      { type: "session_changed", reason: "resume", file: first },
    ]);
  });

  test("an extension may keep the agent where it is, and so does a file that is not a session", async () => {
    const { agent, session } = harness({
      model: scriptedModel(["one"]),
      hooks: hooksOf({
        session_before_switch: (event) => {
          if (event.reason === "new") event.cancel();
        },
      }),
    });
    await agent.prompt("first");
    const file = session.getSessionFile();
    expect(await agent.newSession()).toEqual({ kind: "cancelled", by: "an extension" });
    const missing = join(tempFolder(), "none.jsonl");
    await expect(agent.openSession(missing)).rejects.toMatchObject({ code: "session-not-found" });
    expect(existsSync(missing)).toBe(false);
    expect(session.getSessionFile()).toBe(file);
    expect(lines(session)).toHaveLength(3);
  });

  test("tools with state hear where they are; one that throws is reported", async () => {
    const heard: Pick<ToolSessionEvent, "reason" | "previousSessionFile">[] = [];
    const follows = tool({
      name: "state",
      onSession: ({ reason, path, previousSessionFile }) => {
        heard.push({ reason, previousSessionFile });
        expect(path).toEqual(session.getBranch());
      },
    });
    const throws = tool({
      name: "broken",
      onSession: () => {
        throw new Error("a bug");
      },
    });
    const { agent, session, events } = harness({ model: scriptedModel(["one", "two"]), tools: [throws, follows] });
    await agent.start();
    await agent.prompt("first");
    await agent.prompt("second");
    const file = session.getSessionFile() as string;
    const questions = session.getBranch().filter((entry) => entry.type === "message" && entry.message.role === "user");
    await agent.navigateTree(questions[1]?.id ?? "");
    await agent.runBash("true");
    await agent.fork(questions[1]?.id ?? "");
    const forked = session.getSessionFile() as string;
    await agent.newSession();
    await agent.dispose();
    expect(heard).toEqual([
      { reason: "start" },
      { reason: "move" },
      { reason: "fork", previousSessionFile: file },
      { reason: "switch", previousSessionFile: forked },
      { reason: "shutdown" },
    ]);
    expect(events).toContainEqual({
      type: "notice",
      level: "warning",
      message: "The tool broken could not be told about the session: a bug",
    });
  });
});

describe("a shell command of the person", () => {
  test("is run and recorded, with its output and exit code, without asking anyone", async () => {
    const { agent, session } = harness({
      model: scriptedModel([]),
      permit: async () => ({ allowed: false, reason: "nobody may" }),
    });
    const { message } = await agent.runBash("echo one; echo two >&2; exit 3");
    expect(message).toEqual({
      role: "bashExecution",
      command: "echo one; echo two >&2; exit 3",
      output: "one\ntwo",
      exitCode: 3,
      cancelled: false,
      truncated: false,
      timestamp: Date.UTC(2025, 0, 1) + 1000,
    });
    expect(session.getLeafEntry()).toMatchObject({ message });
    expect(await agent.runBash("true", { excludeFromContext: true })).toMatchObject({
      message: { output: "", exitCode: 0, excludeFromContext: true },
    });
    const [shown, ...rest] = toModelInput(session.buildSessionContext().messages, { provider: "scripted" });
    expect(shown).toMatchObject({ role: "user", content: [{ text: expect.stringContaining("Exit code: 3") }] });
    expect(rest).toEqual([]);
  });

  test("with long output keeps its end in the session and all of it in a file", async () => {
    const { agent } = harness({ model: scriptedModel([]) });
    const { message } = await agent.runBash("seq 1 20000");
    expect(message).toMatchObject({ truncated: true, exitCode: 0 });
    expect(message.output.endsWith("19999\n20000")).toBe(true);
    expect(readFileSync(message.fullOutputPath ?? "", "utf8").startsWith("1\n2\n")).toBe(true);
  });

  test("that is stopped is recorded as cancelled", async () => {
    const { agent, session } = harness({ model: scriptedModel([]) });
    agent.subscribe((event) => {
      if (event.type === "tool_update") agent.abort();
    });
    const { message } = await agent.runBash("echo started; sleep 1000");
    expect(message).toMatchObject({ cancelled: true, output: "started" });
    expect(session.getLeafEntry()).toMatchObject({ message: { cancelled: true } });
    expect(agent.operation).toBeUndefined();
  });
});

test("after a restart and in a copy the context is the same, and so is the request the model gets, to the byte", async () => {
  const steps = [
    {
      thinking: "hm",
      text: "looking",
      calls: [
        { name: "a", id: "1" },
        { name: "b", id: "2" },
      ],
    },
    "found it",
    { text: "half an ans", hang: true },
  ];
  const now = countingClock();
  const tools = [tool({ name: "a" }), tool({ name: "b" })];
  const project = {
    contextFiles: [{ path: "/p/AGENTS.md", text: "Be kind." }],
    skills: [{ name: "s", description: "d", path: "/s/SKILL.md" }],
    templates: [],
    problems: [],
  };
  const first = scriptedModel(steps);
  const made = harness({ model: first, tools, project, now, thinkingLevel: "medium" });
  await made.agent.prompt("find it");
  await made.agent.runBash("echo hello");
  made.agent.sendMessage({ customType: "note", content: "remember", display: true, details: { a: undefined, b: 1 } });
  const run = made.agent.prompt("go on");
  await first.reached(3);
  made.agent.abort();
  await run;
  const context = made.session.buildSessionContext();
  const file = made.session.getSessionFile() as string;

  // The same next prompt, once in the running agent's place and once after a restart, on copies of the same file.
  const next = async (path: string) => {
    const model = scriptedModel(["ok"]);
    const session = SessionManager.open(path);
    assertSameContext(session.buildSessionContext(), context);
    const agent = await createAgentSession({ ...made.options, model, session, now: countingClock() });
    await agent.prompt("and now?");
    await agent.dispose();
    return JSON.stringify(model.requests);
  };
  const [copy, another] = [join(tempFolder(), "copy.jsonl"), join(tempFolder(), "another.jsonl")];
  for (const path of [copy, another]) copyFileSync(file, path);
  const running = scriptedModel(["ok"]);
  const continued = new AgentSession({ ...made.options, model: running, now: countingClock() });
  await continued.prompt("and now?");
  const sent = JSON.stringify(running.requests);
  expect(await next(copy)).toBe(sent);

  // A copy of the path is the same conversation; a fork is, up to the split.
  const forked = scriptedModel(["ok"]);
  const session = SessionManager.open(another);
  const agent = await createAgentSession({ ...made.options, model: forked, session, now: countingClock() });
  await agent.clone();
  assertSameContext(session.buildSessionContext(), context);
  await agent.prompt("and now?");
  expect(JSON.stringify(forked.requests)).toBe(sent);
  const prompts = session.getBranch().filter((entry) => entryMessage(entry)?.role === "user");
  await agent.fork(prompts.at(-2)?.id ?? "");
  const { messages } = session.buildSessionContext();
  expect(messages.length).toBeGreaterThan(5);
  expect(JSON.stringify(messages)).toBe(JSON.stringify(context.messages.slice(0, messages.length)));
  await agent.dispose();
});

describe("names of this family", () => {
  test("sessionManager is the session, branch creates a new file, and saveEntry notifies front ends", async () => {
    const { agent, session } = harness({ model: scriptedModel(["one"]) });
    await agent.prompt("first");
    expect(agent.sessionManager).toBe(session);
    const heard: string[] = [];
    agent.subscribe((event) => {
      if (event.type === "entries") heard.push(...event.ids);
    });
    const id = agent.saveEntry({ type: "custom", customType: "todo", data: 1 });
    expect([heard, session.getEntry(id)]).toMatchObject([[id], { customType: "todo", data: 1 }]);
    const prompt = session.getBranch().find((entry) => entry.type === "message")?.id ?? "";
    const before = session.getSessionId();
    expect(await agent.branch(prompt)).toMatchObject({ selectedText: "first", cancelled: false, inPlace: false });
    expect(session.getSessionId()).not.toBe(before);
  });

  test("the summary of a move is a branch summary, in the types too", async () => {
    const { agent, session } = harness({ model: scriptedModel(["one", "two", "the summary"]) });
    await agent.prompt("first");
    const answer = session.getLeafId() ?? "";
    await agent.prompt("second");
    const { summaryEntry } = await agent.navigateTree(answer, { summarize: true });
    const typed: BranchSummaryEntry | undefined = summaryEntry;
    expect([typed?.type, typed?.parentId, typed?.summary]).toEqual(["branch_summary", answer, expect.any(String)]);
  });

  test("branchInPlace goes to exactly that entry, with a summary of the model's where it is wanted", async () => {
    const { agent, session } = harness({ model: scriptedModel(["one", "two", "the summary"]) });
    await agent.prompt("first");
    const answer = session.getLeafId() ?? "";
    await agent.prompt("second");
    const left = session.getLeafId();
    await agent.branchInPlace(answer, {});
    expect(session.getLeafId()).toBe(answer);
    await agent.switchTo(left ?? "");
    await agent.branchInPlace(answer, { summarize: true });
    const summary = { type: "branch_summary", parentId: answer, cause: "branch" };
    expect(session.getBranch()).toContainEqual(expect.objectContaining(summary));
  });
});
