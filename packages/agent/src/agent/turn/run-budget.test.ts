import { describe, expect, test } from "vitest";
import { heldDeadline } from "../../../../../test/support/deadline.js";
import { DEFAULT_SETTINGS } from "../../project/index.js";
import type { Tool } from "../../tool/index.js";
import { type HarnessOptions, harness, hooksOf, lines, says, tool } from "../agent-harness.test-support.js";
import type { AgentSession } from "../agent-session.js";
import { type ScriptStep, scriptedModel } from "../scripted-model.test-support.js";
import { RunMeter } from "./run-limits.js";

/** Ten dollars for a million tokens that are written. */
const prices = { input: 0, output: 10, cacheRead: 0, cacheWrite: 0 };
const usage = (dollars: number) => ({ input: 0, output: dollars * 100_000, cacheRead: 0, cacheWrite: 0 });
const look = tool({ name: "look" });
const looks = (dollars: number) => ({ calls: [{ name: "look" }], usage: usage(dollars) });
const overloaded = { kind: "overloaded", message: "Try later", retryable: true } as const;

/** A priced model and what it was asked. */
function made(steps: readonly ScriptStep[], options: Partial<HarnessOptions> = {}) {
  const model = scriptedModel(steps, { prices, contextWindow: 10_000_000 });
  return { model, ...harness({ model, tools: [look], ...options }) };
}

const COMPACTING = {
  ...DEFAULT_SETTINGS,
  compaction: { enabled: true, reserveTokens: 1_000, keepRecentTokens: 10 },
};

describe("a budget", () => {
  test("of dollars ends a run that would continue, and says so", async () => {
    const { agent, events, model } = made([looks(1), looks(1.5), "fine"]);
    expect(await agent.prompt("go", { limits: { dollars: 2 } })).toEqual({ kind: "aborted", limit: "dollars" });
    expect(model.requests).toHaveLength(2);
    expect(events).toContainEqual(
      expect.objectContaining({ type: "notice", message: "Stopped after $2, the limit for one run" }),
    );
    expect(agent.runUsage).toMatchObject({ steps: 2, dollars: 2.5, output: 250_000, tokens: 250_000, unpriced: 0 });
  });

  test("counts attempts that failed, and allows no other once it is used up", async () => {
    const failing = { failure: overloaded, usage: usage(1) };
    const { agent, session, model } = made([failing, failing, failing, "fine"]);
    expect(await agent.prompt("go", { limits: { dollars: 2 } })).toEqual({ kind: "aborted", limit: "dollars" });
    expect(model.requests).toHaveLength(2);
    expect(agent.runUsage.dollars).toBe(2);
    expect(lines(session).filter((line) => line === "usage")).toHaveLength(1);
  });

  test("counts a summary, and allows no step after one that used it up", async () => {
    const model = scriptedModel(
      [
        "one",
        "two",
        { text: "three", usage: { ...usage(0), input: 9_500 } },
        { text: "## Goal\nsum", usage: usage(3) },
      ],
      { prices, contextWindow: 10_000 },
    );
    const { agent, session, events } = harness({ model, settings: COMPACTING });
    for (const text of ["first", "second", "third"]) await agent.prompt(text);
    events.length = 0;
    expect(await agent.prompt("fourth", { limits: { dollars: 2 } })).toEqual({ kind: "aborted", limit: "dollars" });
    expect(model.requests).toHaveLength(4);
    expect(agent.runUsage).toMatchObject({ steps: 0, dollars: 3 });
    expect(lines(session).slice(-3)).toEqual(["user: fourth", "compaction", "usage"]);
    expect(events.filter(({ type }) => type === "turn_start" || type === "turn_end")).toHaveLength(2);
  });

  test("counts a summary that could not be used", async () => {
    const cut = { text: "half", stopReason: "length", usage: usage(3) } as const;
    const model = scriptedModel(["one", "two", { text: "three", usage: { ...usage(0), input: 9_500 } }, cut, "four"], {
      prices,
      contextWindow: 10_000,
    });
    const { agent } = harness({ model, settings: COMPACTING });
    for (const text of ["first", "second", "third"]) await agent.prompt(text);
    expect(await agent.prompt("fourth", { limits: { dollars: 2 } })).toEqual({ kind: "aborted", limit: "dollars" });
  });

  test("is one with that of the agents that its tools spawn, which end with it", async () => {
    const ends: unknown[] = [];
    let agent: AgentSession | undefined;
    const child = scriptedModel([looks(1), looks(1), looks(1), "never"], { prices });
    const delegate: Tool = tool({
      name: "delegate",
      execute: async () => {
        await using spawned = await (agent as AgentSession).spawnBranch(null, { model: child, tools: [look] });
        ends.push(await spawned.prompt("help"));
        return says("helped");
      },
    });
    const call = { calls: [{ name: "delegate" }], usage: usage(0.5) };
    const parent = made([call, "never"], { tools: [delegate] });
    agent = parent.agent;
    expect(await agent.prompt("go", { limits: { dollars: 2 } })).toEqual({ kind: "aborted", limit: "dollars" });
    expect(ends).toEqual([{ kind: "aborted", limit: "dollars" }]);
    expect([child.requests.length, parent.model.requests.length]).toEqual([2, 1]);
    expect(agent.runUsage).toMatchObject({ steps: 3, dollars: 2.5 });
  });

  test("does not include an agent that was spawned before, nor one that continues afterwards", async () => {
    const { agent } = made([looks(1), "fine", "fine"]);
    const model = scriptedModel([looks(5), looks(5), "fine"], { prices });
    await using before = await agent.spawnBranch(null, { model });
    expect(await agent.prompt("go", { limits: { dollars: 2 } })).toMatchObject({ kind: "done" });
    expect(await before.prompt("go")).toMatchObject({ kind: "done" });
    expect(agent.runUsage.dollars).toBeLessThan(2);
  });

  test("holds for what extensions add before the agent is idle, and not for the next prompt", async () => {
    let left = 3;
    const hooks = hooksOf({
      agent_settled: () => {
        if (left-- > 0) agent.sendUserMessage("and more");
      },
    });
    const { agent, model } = made([looks(1), { text: "a", usage: usage(0.9) }, looks(0.5), "b", "c"], { hooks });
    await agent.prompt("go", { limits: { dollars: 2 } });
    await agent.whenIdle();
    // Two steps of the prompt, one of what was added, and nothing for what was added after that.
    expect(model.requests).toHaveLength(3);
    expect(agent.runUsage).toMatchObject({ steps: 3, dollars: 2.4 });
    left = 0;
    expect(await agent.prompt("again", { limits: { dollars: 2 } })).toMatchObject({ kind: "done" });
  });

  test("ends with a step whose price is unknown, because the limit cannot be checked", async () => {
    const model = scriptedModel([{ calls: [{ name: "look" }] }, "fine"]);
    const { agent, events } = harness({ model, tools: [look] });
    expect(await agent.prompt("go", { limits: { dollars: 2 } })).toEqual({ kind: "aborted", limit: "dollars" });
    expect(agent.runUsage).toMatchObject({ dollars: 0, unpriced: 1 });
    const message = "Stopped: the model gave no price for a step, so the limit of $2 cannot be checked";
    expect(events).toContainEqual(expect.objectContaining({ type: "notice", message }));
  });

  test("of another name for the same is the same", async () => {
    const { agent } = made([looks(0), looks(0), looks(0), "fine"]);
    const both = { maxSteps: 3, limits: { steps: 1 } };
    expect(await agent.prompt("go", both)).toEqual({ kind: "aborted", limit: "steps" });
    expect(agent.runUsage.steps).toBe(1);
    expect(await agent.prompt("go", { maxSteps: 1 })).toEqual({ kind: "aborted", limit: "steps" });
    expect(agent.runUsage.steps).toBe(1);
  });
});

describe("a time limit", () => {
  const MILLISECONDS = 54_321;
  const TIME = { limits: { milliseconds: MILLISECONDS } };
  const STOPPED = { kind: "aborted", limit: "milliseconds" };

  test("ends a wait before a retry", async () => {
    const { pass } = heldDeadline(MILLISECONDS);
    const { agent, events } = made([{ failure: overloaded }, "never"], {
      sleep: (_milliseconds, { signal }) => {
        const woken = new Promise<void>((resolve) => {
          if (signal.aborted) resolve();
          else signal.addEventListener("abort", () => resolve(), { once: true });
        });
        if (events.at(-1)?.type === "retry") pass();
        return woken;
      },
    });
    expect(await agent.prompt("go", TIME)).toEqual(STOPPED);
    expect(events.filter(({ type }) => type === "retry")).toHaveLength(1);
  });

  test("ends a compaction, which leaves nothing behind", async () => {
    const { pass } = heldDeadline(MILLISECONDS);
    const model = scriptedModel(
      ["one", "two", { text: "three", usage: { ...usage(0), input: 9_500 } }, { hang: true }],
      {
        contextWindow: 10_000,
      },
    );
    const { agent, session, events } = harness({ model, settings: COMPACTING });
    for (const text of ["first", "second", "third"]) await agent.prompt(text);
    void model.reached(4).then(pass);
    expect(await agent.prompt("fourth", TIME)).toEqual(STOPPED);
    expect(lines(session).at(-1)).toBe("user: fourth");
    expect(events).toContainEqual({ type: "summary_end", purpose: "compaction", outcome: "aborted" });
  });

  test("ends what extensions do before the first step", async () => {
    const { pass } = heldDeadline(MILLISECONDS);
    const { agent, model } = made(["never"], { hooks: hooksOf({ before_agent_start: () => pass() }) });
    expect(await agent.prompt("go", TIME)).toEqual(STOPPED);
    expect(model.requests).toEqual([]);
  });

  test("ends an agent that a tool spawned", async () => {
    const { pass } = heldDeadline(MILLISECONDS);
    let agent: AgentSession | undefined;
    let end: Promise<unknown> | undefined;
    const delegate = tool({
      name: "delegate",
      execute: async () => {
        const model = scriptedModel([{ hang: true }]);
        await using spawned = await (agent as AgentSession).spawnBranch(null, { model });
        void model.reached(1).then(pass);
        end = spawned.prompt("help");
        await end;
        return says("helped");
      },
    });
    agent = made([{ calls: [{ name: "delegate" }] }, "never"], { tools: [delegate] }).agent;
    expect(await agent.prompt("go", TIME)).toEqual(STOPPED);
    expect(await end).toEqual(STOPPED);
  });

  test("of more than a timer can hold is not over at once", async () => {
    const { agent } = made([looks(0), "fine"]);
    for (const milliseconds of [2 ** 31, 1e12, Number.POSITIVE_INFINITY])
      expect(new RunMeter({ milliseconds }).signal.aborted).toBe(false);
    expect(await agent.prompt("go", { limits: { milliseconds: 2 ** 31 } })).toMatchObject({ kind: "done" });
  });
});

test.each([[{ dollars: Number.NaN }], [{ steps: -1 }], [{ milliseconds: -5 }], [{ tokens: "7" }]])(
  "%j is not a limit, and nothing is sent",
  async (limits) => {
    const { agent, model } = made(["never"]);
    await expect(agent.prompt("go", { limits: limits as object })).rejects.toThrow(/^limits\.\w+ must be a number/);
    expect(() => made([], { limits: limits as object })).toThrow(TypeError);
    expect(model.requests).toEqual([]);
  },
);

describe("an answer that never has the form that was asked for", () => {
  const Form = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] };
  const wrong = { calls: [{ name: "final_answer", arguments: { ok: "yes" } }] };

  test.each<[string, ScriptStep[]]>([
    ["in words", ["yes", "really", "yes", "never"]],
    ["in calls", [wrong, wrong, wrong, "never"]],
    ["in both", [wrong, "yes", wrong, "never"]],
  ])("ends the run after three tries: %s", async (_how, steps) => {
    const { agent, model } = made(steps);
    const outcome = await agent.prompt("go", { output: Form });
    expect(outcome).toMatchObject({ kind: "failed", failure: { kind: "no-output", retryable: false } });
    expect(model.requests).toHaveLength(3);
  });

  test("but a third try that has it is the answer", async () => {
    const right = { calls: [{ name: "final_answer", arguments: { ok: true } }] };
    const { agent } = made([wrong, "yes", right]);
    expect(await agent.prompt("go", { output: Form })).toMatchObject({ kind: "done", output: { ok: true } });
  });

  test("ends at a limit that comes first", async () => {
    const { agent } = made([wrong, wrong, wrong]);
    const outcome = await agent.prompt("go", { output: Form, limits: { steps: 2 } });
    expect(outcome).toEqual({ kind: "aborted", limit: "steps" });
  });
});
