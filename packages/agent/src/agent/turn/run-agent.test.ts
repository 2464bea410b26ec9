import { SessionError } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { endless, harness, hooksOf, lines, opened, says, tool } from "../agent-harness.test-support.js";
import { scriptedModel } from "../scripted-model.test-support.js";

describe("a run", () => {
  test("appends every message when it is complete and emits events in order", async () => {
    const model = scriptedModel([{ text: "looking", calls: [{ name: "read", arguments: { path: "a" } }] }, "done"]);
    const { agent, session, events } = harness({ model, tools: [tool({ name: "read" })] });
    const outcome = await agent.prompt("hello");
    expect(outcome).toMatchObject({ kind: "done", message: { stopReason: "stop" } });
    expect(lines(session)).toEqual([
      "model_change",
      "user: hello",
      "assistant(toolUse): looking +read#call-1-1",
      'result#call-1-1: read {"path":"a"}',
      "assistant(stop): done",
    ]);
    expect(
      events.map((event) => (event.type === "message_end" ? `message_end ${event.message.role}` : event.type)),
    ).toEqual([
      "run_start",
      "entries",
      "message_start",
      "message_end user",
      "turn_start",
      "message_start",
      "message_update",
      "message_update",
      "tool_input",
      "message_end assistant",
      "tool_start",
      "tool_end",
      "message_start",
      "message_end toolResult",
      "turn_end",
      "turn_start",
      "message_start",
      "message_update",
      "message_update",
      "message_end assistant",
      "turn_end",
      "run_end",
    ]);
  });

  test("ends a turn once the disk has confirmed, and lets other work run until then", async () => {
    const { agent, session, events } = harness({ model: scriptedModel(["done"]) });
    const disk = opened();
    const asked = opened();
    session.flush = () => {
      if (lines(session).at(-1) === "assistant(stop): done") asked.open();
      return disk.promise;
    };
    const run = agent.prompt("hello");
    await asked.promise;
    await new Promise<void>((done) => setImmediate(done));
    const types = () => events.map(({ type }) => type);
    expect([lines(session).at(-1), types().includes("turn_end")]).toEqual(["assistant(stop): done", false]);
    disk.open();
    await run;
    expect(types().slice(-2)).toEqual(["turn_end", "run_end"]);
  });

  test("says it where the disk fails at the end of a turn", async () => {
    const { agent, session, events } = harness({ model: scriptedModel(["done"]) });
    session.flush = () => Promise.reject(new SessionError("write-failed", "The disk is gone"));
    await expect(agent.prompt("hello")).rejects.toMatchObject({ code: "write-failed" });
    expect(events.at(-1)).toMatchObject({ type: "run_end", outcome: { kind: "failed" } });
  });

  test("has the prompt in the session before the model is asked", async () => {
    const seen: string[][] = [];
    const model = scriptedModel([
      () => {
        seen.push(lines(session));
        return "ok";
      },
    ]);
    const { agent, session } = harness({ model });
    await agent.prompt("hello");
    expect(seen).toEqual([["model_change", "user: hello"]]);
  });

  test("sends pictures with the text", async () => {
    const model = scriptedModel(["a cat"]);
    const { agent } = harness({ model });
    const image = { type: "image", data: "aGk=", mimeType: "image/png" } as const;
    await agent.prompt("what is it?", { images: [image] });
    expect(model.requests[0]?.messages.at(-1)).toMatchObject({
      role: "user",
      content: [{ type: "text", text: "what is it?" }, image],
    });
  });

  test("with nothing to send is refused and leaves the session empty", async () => {
    const { agent, session } = harness({ model: scriptedModel([]) });
    await expect(agent.prompt(" \n")).rejects.toMatchObject({ code: "empty-prompt" });
    expect(session.getLeafId()).toBeNull();
  });

  test("says so when an answer is cut off by the output limit", async () => {
    const { agent, events } = harness({ model: scriptedModel([{ text: "half", stopReason: "length" }]) });
    expect(await agent.prompt("go")).toMatchObject({ kind: "done", message: { stopReason: "length" } });
    expect(events).toContainEqual({
      type: "notice",
      level: "warning",
      message: "The answer hit the model's output limit",
      hint: 'Say "continue", or ask for smaller steps.',
      about: "output-limit",
    });
  });

  test("keeps a failed answer with its reason, and the next prompt continues from there", async () => {
    const failure = { kind: "auth", message: "The key is wrong", retryable: false } as const;
    const { agent, session } = harness({ model: scriptedModel([{ text: "I wa", failure }, "fine"]) });
    expect(await agent.prompt("go")).toEqual({ kind: "failed", failure });
    expect(lines(session)).toEqual(["model_change", "user: go", "assistant(error): I wa"]);
    expect(await agent.prompt("again")).toMatchObject({ kind: "done" });
  });

  test("whose model throws, or stops in the middle of a word, is a failure and not an exception", async () => {
    const info = scriptedModel([]).info;
    const throwing = harness({
      model: {
        info,
        stream: () => {
          throw new Error("a bug");
        },
      },
    });
    expect(await throwing.agent.prompt("go")).toEqual({
      kind: "failed",
      failure: { kind: "unknown", message: "a bug", retryable: false },
    });
    const silent = harness({
      model: {
        info,
        async *stream() {
          yield { type: "text", delta: "Hel" };
          yield { type: "text", delta: "lo" };
        },
      },
    });
    expect(await silent.agent.prompt("go")).toMatchObject({ kind: "failed", failure: { kind: "network" } });
    expect(lines(silent.session).at(-1)).toBe("assistant(error): Hello");
    expect(silent.sleeps).toEqual([2000, 4000, 8000]);
  });

  test("does not run the calls of a failed answer, and says so to the model", async () => {
    const model = scriptedModel([{ calls: [{ name: "read" }], failure: { message: "broken" } }, "ok"]);
    const ran: string[] = [];
    const read = tool({
      name: "read",
      execute: () => {
        ran.push("read");
        return says("never");
      },
    });
    const { agent, session } = harness({ model, tools: [read] });
    await agent.prompt("go");
    expect(ran).toEqual([]);
    expect(lines(session).slice(2)).toEqual([
      "assistant(error): +read#call-1-1",
      "result#call-1-1!: Not run: the response was interrupted.",
    ]);
  });
});

describe("the queue", () => {
  /** A run that waits in its tool call until `open`. */
  function waitingRun(steps: Parameters<typeof scriptedModel>[0]) {
    const inTool = opened();
    const goOn = opened();
    const model = scriptedModel([{ calls: [{ name: "wait" }, { name: "wait" }] }, ...steps]);
    const wait = tool({
      name: "wait",
      execute: async () => {
        inTool.open();
        await goOn.promise;
        return says("waited");
      },
    });
    const made = harness({ model, tools: [wait] });
    return { ...made, model, inTool: inTool.promise, goOn: goOn.open, run: made.agent.prompt("go") };
  }

  test("delivers steering after the current tool calls, before the next model step", async () => {
    const { agent, session, run, inTool, goOn, events } = waitingRun(["ok"]);
    await inTool;
    expect(agent.steer("left")).toEqual({ kind: "queued" });
    expect(agent.steer("right")).toEqual({ kind: "queued" });
    expect(agent.queued).toEqual({ steering: ["left", "right"], followUp: [] });
    goOn();
    await run;
    expect(lines(session).slice(1)).toEqual([
      "user: go",
      "assistant(toolUse): +wait#call-1-1 +wait#call-1-2",
      "result#call-1-1: waited",
      "result#call-1-2: waited",
      "user: left",
      "user: right",
      "assistant(stop): ok",
    ]);
    expect(events.filter((event) => event.type === "queue")).toEqual([
      { type: "queue", steering: ["left"], followUp: [] },
      { type: "queue", steering: ["left", "right"], followUp: [] },
      { type: "queue", steering: [], followUp: [] },
    ]);
  });

  test("delivers steering also where the model had nothing more to do", async () => {
    const model = scriptedModel([{ text: "one", hang: false }, "two"]);
    const { agent, session } = harness({
      model,
      hooks: hooksOf({
        message_end: ({ message }) => {
          if (message.role === "assistant" && model.requests.length === 1) agent.steer("more");
        },
      }),
    });
    await agent.prompt("go");
    expect(lines(session).slice(1)).toEqual(["user: go", "assistant(stop): one", "user: more", "assistant(stop): two"]);
  });

  test("delivers follow-ups when the run would end, one after the other", async () => {
    const { agent, session, run, inTool, goOn } = waitingRun(["first", "second", "third"]);
    await inTool;
    agent.followUp("then");
    agent.followUp("and then");
    goOn();
    expect(await run).toMatchObject({ kind: "done", message: { content: [{ text: "third" }] } });
    expect(lines(session).slice(5)).toEqual([
      "assistant(stop): first",
      "user: then",
      "assistant(stop): second",
      "user: and then",
      "assistant(stop): third",
    ]);
  });

  test("gives steering precedence over follow-ups", async () => {
    const { agent, session, run, inTool, goOn } = waitingRun(["steered", "followed"]);
    await inTool;
    agent.followUp("later");
    agent.steer("now");
    goOn();
    await run;
    expect(lines(session).slice(5)).toEqual([
      "user: now",
      "assistant(stop): steered",
      "user: later",
      "assistant(stop): followed",
    ]);
  });

  test("returns what was not delivered when the run is stopped", async () => {
    const { agent, session, run, inTool, goOn } = waitingRun(["never"]);
    await inTool;
    agent.steer("left");
    agent.followUp("then");
    expect(agent.abort()).toEqual({ steering: ["left"], followUp: ["then"] });
    goOn();
    expect(await run).toEqual({ kind: "aborted" });
    expect(agent.queued).toEqual({ steering: [], followUp: [] });
    expect(lines(session).filter((line) => line.startsWith("user"))).toEqual(["user: go"]);
  });

  test("of an idle agent is a prompt", async () => {
    const { agent, session } = harness({ model: scriptedModel(["ok", "ok"]) });
    const delivery = agent.steer("hello");
    expect(delivery.kind).toBe("run");
    await agent.whenIdle();
    if (delivery.kind === "run") expect(await delivery.outcome).toMatchObject({ kind: "done" });
    expect(lines(session)).toEqual(["model_change", "user: hello", "assistant(stop): ok"]);
  });
});

describe("sendMessage", () => {
  const message = { customType: "note", content: "a note", display: true };

  test("while streaming: queued, appended after the turn, without a separate turn", async () => {
    const inTool = opened();
    const goOn = opened();
    const model = scriptedModel([{ calls: [{ name: "wait" }] }, "ok"]);
    const wait = tool({
      name: "wait",
      execute: async () => {
        inTool.open();
        await goOn.promise;
        return says("waited");
      },
    });
    const { agent, session } = harness({ model, tools: [wait] });
    const run = agent.prompt("go");
    await inTool.promise;
    expect(agent.sendMessage(message, true)).toEqual({ kind: "queued" });
    goOn.open();
    await run;
    expect(lines(session).slice(1)).toEqual([
      "user: go",
      "assistant(toolUse): +wait#call-1-1",
      "result#call-1-1: waited",
      "custom: a note",
      "assistant(stop): ok",
    ]);
    expect(model.requests).toHaveLength(2);
  });

  test("while streaming the last turn: appended at its end, and no turn follows", async () => {
    const model = scriptedModel(["ok"]);
    const { agent, session } = harness({
      model,
      hooks: hooksOf({
        message_end: ({ message: ended }) => {
          if (ended.role === "assistant") agent.sendMessage(message, true);
        },
      }),
    });
    await agent.prompt("go");
    await agent.whenIdle();
    expect(lines(session).slice(1)).toEqual(["user: go", "assistant(stop): ok", "custom: a note"]);
    expect(model.requests).toHaveLength(1);
  });

  test("idle with triggerTurn: appended, and a turn runs", async () => {
    const model = scriptedModel(["seen"]);
    const { agent, session } = harness({ model });
    const delivery = agent.sendMessage(message, true);
    expect(agent.isStreaming).toBe(true);
    expect(delivery.kind).toBe("run");
    await agent.whenIdle();
    expect(lines(session).slice(1)).toEqual(["custom: a note", "assistant(stop): seen"]);
    expect(model.requests[0]?.messages).toMatchObject([{ role: "custom", content: "a note" }]);
  });

  test("idle: appended", () => {
    const model = scriptedModel([]);
    const { agent, session, events } = harness({ model });
    expect(agent.sendMessage(message)).toEqual({ kind: "appended", entryId: session.getLeafId() });
    expect(lines(session)).toEqual(["custom: a note"]);
    expect(events.map((event) => event.type)).toEqual(["message_start", "message_end"]);
  });
});

describe("an extension", () => {
  test("may take the input: nothing is sent", async () => {
    const model = scriptedModel([]);
    const hooks = hooksOf({ input: ({ text }) => ({ handled: text === "!x" }) });
    const { agent, session, events } = harness({ model, hooks });
    expect(await agent.prompt("!x")).toEqual({ kind: "cancelled", by: "test" });
    expect(session.getLeafId()).toBeNull();
    expect(model.requests).toEqual([]);
    expect(events.map((event) => event.type)).toEqual(["run_start", "run_end"]);
  });

  test("may change the input, and a template may be the result", async () => {
    const model = scriptedModel(["ok"]);
    const template = { name: "greet", description: "", text: "Say hello to $1", path: "/greet.md" };
    const { agent, session } = harness({
      model,
      hooks: hooksOf({ input: ({ text }) => ({ text: `/greet ${text}` }) }),
      project: { contextFiles: [], skills: [], problems: [], templates: [template] },
    });
    await agent.prompt("Ann");
    expect(lines(session)[1]).toBe("user: Say hello to Ann");
  });

  test("may handle the input and start its own run", async () => {
    const model = scriptedModel(["ok"]);
    const { agent, session } = harness({
      model,
      hooks: hooksOf({
        input: () => {
          agent.sendMessage({ customType: "x", content: "instead", display: true }, true);
          return { handled: true };
        },
      }),
    });
    expect(await agent.prompt("!x")).toMatchObject({ kind: "cancelled" });
    await agent.whenIdle();
    expect(lines(session).slice(1)).toEqual(["custom: instead", "assistant(stop): ok"]);
  });

  test("gets events for turns, messages, start and end", async () => {
    const heard: string[] = [];
    const hear = (event: { readonly type: string; readonly turn?: number }) => {
      heard.push(`${event.type}${event.turn ?? ""}`);
    };
    const names = ["session_start", "session_shutdown", "turn_start", "turn_end", "message_end"] as const;
    const hooks = hooksOf(Object.fromEntries(names.map((name) => [name, hear])));
    const { agent } = harness({
      model: scriptedModel([{ calls: [{ name: "read" }] }, "ok"]),
      tools: [tool({ name: "read" })],
      hooks,
    });
    await agent.start();
    await agent.prompt("go");
    await agent.dispose();
    await agent.dispose();
    expect(heard).toEqual([
      "session_start",
      "message_end",
      "turn_start1",
      "message_end",
      "message_end",
      "turn_end1",
      "turn_start2",
      "message_end",
      "turn_end2",
      "session_shutdown",
    ]);
  });
});

test("a listener that throws does not stop a run, and the others are called", async () => {
  const { agent, events } = harness({ model: scriptedModel(["ok"]) });
  agent.subscribe((event) => {
    if (event.type === "turn_start") throw new Error("a bug");
  });
  expect(await agent.prompt("go")).toMatchObject({ kind: "done" });
  expect(events).toContainEqual({
    type: "notice",
    level: "error",
    message: "A listener failed on turn_start: a bug",
  });
});

describe("a session that cannot be written", () => {
  test("refuses the prompt, front ends hear of the end, and the agent is free", async () => {
    const first = harness({ model: scriptedModel(["ok"]) });
    await first.agent.prompt("go");
    const file = first.session.getSessionFile() as string;
    await first.agent.dispose();
    const model = scriptedModel([]);
    const { agent, events } = harness({ model, session: SessionManager.open(file, undefined, { readOnly: true }) });
    await expect(agent.prompt("more")).rejects.toMatchObject({ name: "SessionError", code: "read-only" });
    expect(model.requests).toEqual([]);
    expect(agent.operation).toBeUndefined();
    expect(events.at(-1)).toMatchObject({
      type: "run_end",
      outcome: { kind: "failed", failure: { retryable: false } },
    });
  });

  test("in the middle of tools ends the other tools and the run", async () => {
    const other = endless("other");
    const closing = tool({
      name: "closing",
      execute: async () => {
        await other.started;
        session.close();
        return says("closed");
      },
    });
    const model = scriptedModel([{ calls: [{ name: "closing" }, { name: "other" }] }]);
    const { agent, session } = harness({ model, tools: [closing, other] });
    await expect(agent.prompt("go")).rejects.toMatchObject({ code: "closed" });
    expect(agent.operation).toBeUndefined();
  });
});
