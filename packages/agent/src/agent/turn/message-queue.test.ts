import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../agent-events.js";
import { endless, harness, hooksOf, lines, opened, tool } from "../agent-harness.test-support.js";
import { scriptedModel } from "../scripted-model.test-support.js";

const EMPTY = { steering: [], followUp: [] };
const REJECTED_KEY = { kind: "auth", message: "The key is wrong", retryable: false } as const;

const returned = (events: readonly AgentEvent[]) => events.filter((event) => event.type === "queue_returned");

/** A run that fails while two texts wait for it. */
async function failedRun() {
  const model = scriptedModel([
    () => {
      made.agent.steer("only the tests");
      made.agent.followUp("drop the table");
      return { failure: REJECTED_KEY };
    },
    "fine",
  ]);
  const made = harness({ model });
  expect(await made.agent.prompt("go")).toEqual({ kind: "failed", failure: REJECTED_KEY });
  await made.agent.whenIdle();
  return { ...made, model };
}

describe("a queue belongs to its run", () => {
  test("a failed run gives its queue back, after its end", async () => {
    const { agent, events } = await failedRun();
    expect(agent.queued).toEqual(EMPTY);
    expect(returned(events)).toEqual([
      { type: "queue_returned", reason: "failed", steering: ["only the tests"], followUp: ["drop the table"] },
    ]);
    const types = events.map((event) => event.type);
    expect(types.indexOf("queue_returned")).toBeGreaterThan(types.indexOf("run_end"));
  });

  test("nothing of it is sent on another branch", async () => {
    const { agent, session } = await failedRun();
    const [, prompt] = session.getBranch();
    await agent.navigateTree(prompt?.id as string);
    await agent.prompt("something else");
    expect(lines(session).filter((line) => line.startsWith("user"))).toEqual(["user: something else"]);
  });

  test("nothing of it is sent in a new session, or in one that is resumed", async () => {
    const { agent, session } = await failedRun();
    const file = session.getSessionFile() as string;
    await agent.newSession();
    await agent.prompt("a new start");
    expect(lines(session).filter((line) => line.startsWith("user"))).toEqual(["user: a new start"]);
    await agent.openSession(file);
    expect(lines(session).filter((line) => line.startsWith("user"))).toEqual(["user: go"]);
  });

  test("a run that throws gives it back too", async () => {
    const hooks = hooksOf({
      turn_start: () => {
        made.agent.followUp("and then");
        throw new Error("broken");
      },
    });
    const made = harness({ model: scriptedModel(["ok"]), hooks });
    await expect(made.agent.prompt("go")).rejects.toThrow("broken");
    await made.agent.whenIdle();
    expect(returned(made.events)).toEqual([
      { type: "queue_returned", reason: "failed", steering: [], followUp: ["and then"] },
    ]);
  });

  test("steering after a message that cannot be written is returned", async () => {
    const model = scriptedModel([
      () => {
        for (const text of ["one", "two", "three"]) made.agent.steer(text);
        const append = made.session.appendMessage.bind(made.session);
        made.session.appendMessage = (message) => {
          if (message.role === "user" && message.content === "two") throw new Error("no room");
          return append(message);
        };
        return "ok";
      },
    ]);
    const made = harness({ model });
    await expect(made.agent.prompt("go")).rejects.toThrow("no room");
    expect(lines(made.session).filter((line) => line.startsWith("user"))).toEqual(["user: go", "user: one"]);
    expect(returned(made.events)).toMatchObject([{ steering: ["two", "three"], followUp: [] }]);
  });

  test("queued texts are reported to every listener, however the run was stopped", async () => {
    const slow = endless("slow");
    const { agent, events } = harness({ model: scriptedModel([{ calls: [{ name: "slow" }] }]), tools: [slow] });
    const run = agent.prompt("go");
    await slow.started;
    agent.steer("left");
    agent.followUp("then");
    expect(agent.abort()).toEqual({ steering: ["left"], followUp: ["then"] });
    await run;
    expect(returned(events)).toEqual([
      { type: "queue_returned", reason: "stopped", steering: ["left"], followUp: ["then"] },
    ]);
  });

  test("a text that arrives as a run ends is the next prompt", async () => {
    const { agent, session } = harness({ model: scriptedModel(["one", "two"]) });
    let said = false;
    agent.subscribe((event) => {
      if (event.type !== "run_end" || said) return;
      said = true;
      expect(agent.followUp("more")).toEqual({ kind: "queued" });
    });
    await agent.prompt("go");
    await agent.whenIdle();
    expect(agent.queued).toEqual(EMPTY);
    expect(lines(session).slice(1)).toEqual(["user: go", "assistant(stop): one", "user: more", "assistant(stop): two"]);
  });
});

describe("a run that is stopping", () => {
  /** Stopped in a tool that takes until `end` to stop. */
  async function stopping(steps: Parameters<typeof scriptedModel>[0] = ["corrected"]) {
    const inTool = opened();
    const ending = opened();
    const model = scriptedModel([{ calls: [{ name: "slow", id: "1" }] }, ...steps]);
    const slow = tool({
      name: "slow",
      execute: async () => {
        inTool.open();
        await ending.promise;
        return { content: [{ type: "text", text: "half" }] };
      },
    });
    // Never abandons the tool; the test decides when it ends.
    const made = harness({ model, tools: [slow], sleep: () => new Promise(() => {}) });
    const run = made.agent.prompt("go");
    await inTool.promise;
    made.agent.abort();
    return { ...made, model, run, end: ending.open };
  }

  test("says that it is stopping, once", async () => {
    const { agent, events, run, end } = await stopping();
    expect([agent.isStopping, agent.isStreaming]).toEqual([true, true]);
    agent.abort();
    end();
    await run;
    expect(agent.isStopping).toBe(false);
    expect(events.filter((event) => event.type === "stopping")).toEqual([{ type: "stopping", operation: "run" }]);
  });

  test.each(["steer", "followUp"] as const)("a text sent with %s becomes the next prompt", async (how) => {
    const { agent, session, events, run, end } = await stopping();
    expect(agent[how]("use spaces")).toEqual({ kind: "queued" });
    end();
    expect(await run).toEqual({ kind: "aborted" });
    await agent.whenIdle();
    expect(agent.queued).toEqual(EMPTY);
    expect(returned(events)).toEqual([]);
    expect(lines(session).slice(4)).toEqual(["user: use spaces", "assistant(stop): corrected"]);
  });

  test("a second text comes after the first, in order", async () => {
    const { agent, session, run, end } = await stopping(["one", "two"]);
    agent.steer("use spaces");
    agent.followUp("then test");
    end();
    await run;
    await agent.whenIdle();
    expect(lines(session).slice(4)).toEqual([
      "user: use spaces",
      "assistant(stop): one",
      "user: then test",
      "assistant(stop): two",
    ]);
  });

  test("stopping again takes the text back", async () => {
    const { agent, session, run, end } = await stopping();
    agent.steer("use spaces");
    expect(agent.abort()).toEqual({ steering: ["use spaces"], followUp: [] });
    end();
    await run;
    await agent.whenIdle();
    expect(lines(session).filter((line) => line.startsWith("user"))).toEqual(["user: go"]);
  });

  test("a text that cannot be sent then is returned", async () => {
    const { agent, session, events, run, end } = await stopping();
    agent.steer("use spaces");
    const append = session.appendMessage.bind(session);
    session.appendMessage = (message) => {
      if (message.role === "user") throw new Error("read-only");
      return append(message);
    };
    end();
    await run;
    await agent.whenIdle();
    expect(returned(events)).toEqual([
      { type: "queue_returned", reason: "failed", steering: ["use spaces"], followUp: [] },
    ]);
    expect(events).toContainEqual({ type: "notice", level: "error", message: "read-only" });
  });

  test("a disposed agent sends nothing", async () => {
    const { agent, model, events, run, end } = await stopping();
    agent.steer("use spaces");
    const over = agent.dispose();
    end();
    await run;
    await over;
    expect(returned(events)).toMatchObject([{ reason: "stopped", steering: ["use spaces"] }]);
    expect(() => agent.steer("more")).toThrowError(expect.objectContaining({ code: "closed" }));
    expect(model.requests).toHaveLength(1);
  });

  test("a text sent while a shell command of the person is stopping becomes the next prompt", async () => {
    const { agent, session } = harness({ model: scriptedModel(["ok"]) });
    const ready = opened();
    agent.subscribe((event) => {
      if (event.type === "tool_update") ready.open();
    });
    const command = agent.runBash("echo ready; sleep 600");
    await ready.promise;
    agent.abort();
    expect(agent.steer("hello")).toEqual({ kind: "queued" });
    await command;
    await agent.whenIdle();
    expect(lines(session).slice(-2)).toEqual(["user: hello", "assistant(stop): ok"]);
  });
});

test("a text queued while a move was being stopped is returned if the move happened anyway", async () => {
  const asked = opened();
  const goOn = opened();
  const hooks = hooksOf({
    session_tree: async () => {
      asked.open();
      await goOn.promise;
      return undefined;
    },
  });
  const { agent, session, events } = harness({ model: scriptedModel(["one", "never"]), hooks });
  await agent.prompt("go");
  const [, prompt] = session.getBranch();
  const move = agent.navigateTree(prompt?.id as string);
  await asked.promise;
  agent.abort();
  agent.steer("for the branch before");
  goOn.open();
  await move;
  await agent.whenIdle();
  expect(returned(events)).toEqual([
    { type: "queue_returned", reason: "moved", steering: ["for the branch before"], followUp: [] },
  ]);
  expect(agent.queued).toEqual(EMPTY);
});
