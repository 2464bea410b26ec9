import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { endless, harness, lines, says, tool } from "../agent-harness.test-support.js";
import type { AgentSession } from "../agent-session.js";
import { scriptedModel } from "../scripted-model.test-support.js";

const call = (name: string) => ({ calls: [{ id: "c1", name }] });
const SLOW =
  "This tool call was stopped: it reported nothing for 0.005 seconds. What it had done by then is not undone.";

describe("a tool that never returns", () => {
  it("is told to stop after the limit, and the run continues with its partial output", async () => {
    const { agent, session } = harness({
      model: scriptedModel([call("hang"), "fine"]),
      tools: [endless("hang")],
      toolTimeoutMs: 5,
    });
    expect(await agent.prompt("go")).toMatchObject({ kind: "done" });
    expect(lines(session).slice(3)).toEqual([`result#c1!: half of it | ${SLOW}`, "assistant(stop): fine"]);
  });

  it("is abandoned if it ignores that too, and both the user and the model are told", async () => {
    const { agent, session, events } = harness({
      model: scriptedModel([call("hang"), "fine"]),
      tools: [endless("hang", "deaf")],
      toolTimeoutMs: 5,
    });
    expect(await agent.prompt("go")).toMatchObject({ kind: "done" });
    const abandoned = "The tool hang did not stop and was abandoned. It may still be running.";
    expect(lines(session).at(3)).toBe(`result#c1!: ${SLOW}\n${abandoned}`);
    expect(events).toContainEqual({ type: "notice", level: "warning", message: abandoned });
  });

  it("time spent on a question to the user does not count, and a tool may have its own limit", async () => {
    const asking = { ...tool({ name: "asks", execute: () => says("allowed") }), readOnly: false };
    const patient = tool({
      name: "own",
      execute: async () => {
        await wait(20);
        return says("at last");
      },
    });
    const { agent, session } = harness({
      model: scriptedModel([call("asks"), call("own"), "fine"]),
      tools: [asking, { ...patient, timeLimit: "own" }],
      toolTimeoutMs: 5,
      permit: async () => {
        await wait(20);
        return { allowed: true };
      },
    });
    await agent.prompt("go");
    expect(lines(session).filter((line) => line.startsWith("result"))).toEqual([
      "result#c1: allowed",
      "result#c1: at last",
    ]);
  });

  it("following the session is reported by name when it fails, and the others still hear of it", async () => {
    const heard: string[] = [];
    const tools = [
      tool({
        name: "broken",
        onSession: () => {
          throw new Error("no luck");
        },
      }),
      tool({ name: "calm", onSession: ({ reason }) => void heard.push(reason) }),
    ];
    const { agent, events } = harness({ model: scriptedModel([]), tools });
    await agent.start();
    expect(heard).toEqual(["start"]);
    expect(events).toContainEqual({
      type: "notice",
      level: "warning",
      message: "The tool broken could not be told about the session: no luck",
    });
  });
});

describe("a tool that hangs in its session callback", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  /** A tool that hangs when it hears of one thing, before one that writes down what it hears. */
  function hangingAt(reason: string) {
    const heard: string[] = [];
    const hangs = tool({
      name: "hangs",
      onSession: (event) => (event.reason === reason ? new Promise<void>(() => {}) : undefined),
    });
    const calm = tool({ name: "calm", onSession: (event) => void heard.push(event.reason) });
    return { heard, ...harness({ model: scriptedModel(["hi"]), tools: [hangs, calm] }) };
  }

  const left = (seconds: number) => ({
    type: "notice",
    level: "warning",
    message: `The tool hangs could not be told about the session: it took longer than ${seconds} seconds`,
  });

  it.each([
    ["start", 60, (agent: AgentSession) => agent.start()],
    ["switch", 60, (agent: AgentSession) => agent.newSession()],
    ["shutdown", 2, (agent: AgentSession) => agent.dispose()],
  ] as const)("%s continues after %d seconds, with a notice", async (reason, seconds, work) => {
    const { agent, events, heard } = hangingAt(reason);
    if (reason !== "start") await agent.start();
    heard.length = 0;
    let isOver = false;
    const over = work(agent).then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
    expect([isOver, heard, events.some(({ type }) => type === "notice")]).toEqual([false, [], false]);
    await vi.advanceTimersByTimeAsync(1);
    await over;
    expect(heard).toEqual([reason]);
    expect(events).toContainEqual(left(seconds));
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a run with a model in memory", () => {
  const steps = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ calls: [{ id: `c${index}`, name: "look" }] }));

  it("lets timers fire between its steps", async () => {
    let fired = 0;
    const timer = setInterval(() => {
      fired += 1;
    }, 1);
    const { agent } = harness({ model: scriptedModel([...steps(200), "done"]), tools: [tool({ name: "look" })] });
    await agent.prompt("go");
    clearInterval(timer);
    expect(fired).toBeGreaterThan(0);
  });

  it("ends after maxSteps, reports it, keeps everything, and continues with the next prompt", async () => {
    const { agent, session, events } = harness({
      model: scriptedModel([...steps(4), "done"]),
      tools: [tool({ name: "look" })],
      maxSteps: 3,
    });
    expect(await agent.prompt("go")).toEqual({ kind: "aborted", limit: "steps" });
    expect(lines(session).filter((line) => line.startsWith("result"))).toHaveLength(3);
    expect(events).toContainEqual({
      type: "notice",
      level: "warning",
      message: "Stopped after 3 steps, the limit for one run",
      hint: "Send a prompt to continue.",
    });
    expect(await agent.prompt("continue")).toMatchObject({ kind: "done" });
  });

  it.each([
    ["of the agent", { maxSteps: 2, limits: { steps: undefined } }, {}],
    ["of the prompt", {}, { maxSteps: 2, limits: { steps: undefined } }],
    ["of the agent, where the prompt leaves it open", { maxSteps: 2 }, { limits: { steps: undefined } }],
  ])("an undefined limit is ignored: maxSteps %s applies", async (_whose, agentLimits, promptLimits) => {
    const { agent } = harness({
      model: scriptedModel([...steps(4), "done"]),
      tools: [tool({ name: "look" })],
      ...agentLimits,
    });
    expect(await agent.prompt("go", promptLimits)).toEqual({ kind: "aborted", limit: "steps" });
  });

  it("an answer in the last step is an ordinary end", async () => {
    const { agent } = harness({
      model: scriptedModel([...steps(1), "done"]),
      tools: [tool({ name: "look" })],
      maxSteps: 2,
    });
    expect(await agent.prompt("go")).toMatchObject({ kind: "done" });
  });

  it("what was queued is given back at the limit", async () => {
    const look = tool({ name: "look" });
    const made = harness({ model: scriptedModel([...steps(2), "done"]), tools: [look], maxSteps: 1 });
    made.agent.subscribe((event) => {
      if (event.type === "tool_start") made.agent.followUp("later");
    });
    expect(await made.agent.prompt("go")).toEqual({ kind: "aborted", limit: "steps" });
    expect(made.agent.queued).toEqual({ steering: [], followUp: [] });
    expect(lines(made.session)).not.toContain("user: later");
  });
});
