import { setImmediate as nextRound } from "node:timers/promises";
import { toModelInput } from "@bough/session/context/index.js";
import { expect, test } from "vitest";
import { harness, hooksOf, lines, opened, says, tool } from "../agent-harness.test-support.js";
import { scriptedModel } from "../scripted-model.test-support.js";

const TWO_CALLS = {
  calls: [
    { name: "a", id: "1" },
    { name: "b", id: "2" },
  ],
};

test("calls run side by side, and their results are in the session in the order of the calls", async () => {
  const firstMayEnd = opened();
  const tools = [
    tool({
      name: "a",
      execute: async () => {
        await firstMayEnd.promise;
        return says("slow");
      },
    }),
    tool({ name: "b", execute: () => says("quick") }),
  ];
  const model = scriptedModel([TWO_CALLS, "ok"]);
  const { agent, session } = harness({ model, tools });
  agent.subscribe((event) => {
    if (event.type === "tool_end" && event.toolName === "b") firstMayEnd.open();
  });
  await agent.prompt("go");
  expect(lines(session).slice(3, 5)).toEqual(["result#1: slow", "result#2: quick"]);
  expect(toModelInput(model.requests[1]?.messages ?? [], { provider: "scripted" }).slice(2)).toMatchObject([
    { role: "toolResult", toolCallId: "1" },
    { role: "toolResult", toolCallId: "2" },
  ]);
});

test("many parallel calls cause no listener leak warning", async () => {
  const warnings: string[] = [];
  const hear = ({ name }: Error) => warnings.push(name);
  process.on("warning", hear);
  const calls = Array.from({ length: 40 }, (_, index) => ({ id: `c${index}`, name: "look" }));
  const look = tool({
    name: "look",
    execute: async (_input, { signal }) => {
      signal.addEventListener("abort", () => {}, { once: true });
      return says("seen");
    },
  });
  const { agent, session } = harness({ model: scriptedModel([{ calls }, "done"]), tools: [look] });
  expect(await agent.prompt("go")).toMatchObject({ kind: "done" });
  await nextRound();
  process.off("warning", hear);
  expect([lines(session).filter((line) => line.endsWith(": seen")).length, warnings]).toEqual([40, []]);
});

test("if one fails, the model is told, and the others are unaffected", async () => {
  const tools = [
    tool({
      name: "a",
      execute: () => {
        throw new Error("disk on fire");
      },
    }),
    tool({ name: "b", execute: () => says("fine") }),
  ];
  const { agent, session } = harness({ model: scriptedModel([TWO_CALLS, "ok"]), tools });
  expect(await agent.prompt("go")).toMatchObject({ kind: "done" });
  expect(lines(session).slice(3, 5).sort()).toEqual(["result#1!: a failed: disk on fire", "result#2: fine"]);
});

test("an unknown tool and input that is not valid are errors for the model", async () => {
  const unreadable = { type: "toolCall", id: "3", name: "b", arguments: {}, partialJson: '{"x": ' };
  const info = scriptedModel([]).info;
  let step = 0;
  const model = {
    info,
    async *stream() {
      step += 1;
      const content =
        step === 1
          ? [...TWO_CALLS.calls.map((call) => ({ type: "toolCall", arguments: {}, ...call })), unreadable]
          : [];
      yield {
        type: "end",
        message: {
          role: "assistant",
          content,
          api: "offline",
          provider: info.provider,
          model: info.id,
          usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
          stopReason: step === 1 ? "toolUse" : "stop",
          timestamp: 1,
        },
      } as never;
    },
  };
  const b = tool({ name: "b", check: () => ({ ok: false, reason: "path is missing" }) });
  const { agent, session } = harness({ model, tools: [b] });
  expect(await agent.prompt("go")).toMatchObject({ kind: "done" });
  expect(lines(session).slice(3, 6).sort()).toEqual([
    "result#1!: Unknown tool: a. Available tools: b.",
    "result#2!: Invalid input for b: path is missing",
    'result#3!: The input of b was not a JSON object: {"x": ',
  ]);
});

test("a call whose id was there already in the same answer is run once", async () => {
  const calls = [
    { name: "a", id: "1" },
    { name: "a", id: "1" },
  ];
  const { agent, session } = harness({ model: scriptedModel([{ calls }, "ok"]), tools: [tool({ name: "a" })] });
  await agent.prompt("go");
  expect(lines(session).filter((line) => line.startsWith("result"))).toEqual(["result#1: a {}"]);
});

test("an extension may block a call, change its input, and change a result", async () => {
  const hooks = hooksOf({
    tool_call: ({ toolName }) => (toolName === "a" ? { block: true, reason: "not today" } : { input: { safe: true } }),
    tool_result: ({ toolName, input, result }) =>
      toolName === "b" ? { content: [...result.content, { type: "text", text: JSON.stringify(input) }] } : undefined,
  });
  const { agent, session, events } = harness({
    model: scriptedModel([TWO_CALLS, "ok"]),
    tools: [tool({ name: "a" }), tool({ name: "b" })],
    hooks,
  });
  await agent.prompt("go");
  expect(lines(session).slice(3, 5).sort()).toEqual([
    "result#1!: not today",
    'result#2: b {"safe":true} | {"safe":true}',
  ]);
  expect(events.filter((event) => event.type === "tool_start").map((event) => event.input)).toEqual([
    {},
    { safe: true },
  ]);
});

test("an input that an extension changed is checked again", async () => {
  const b = tool({
    name: "b",
    check: (input) => ("bad" in (input as object) ? { ok: false, reason: "bad is bad" } : { ok: true, value: input }),
  });
  const { agent, session } = harness({
    model: scriptedModel([{ calls: [{ name: "b", id: "1" }] }, "ok"]),
    tools: [b],
    hooks: hooksOf({ tool_call: () => ({ input: { bad: 1 } }) }),
  });
  await agent.prompt("go");
  expect(lines(session)[3]).toBe(
    "result#1!: An extension changed the input of this call so that it is not valid: Invalid input for b: bad is bad",
  );
});

test("a tool gets what it needs, its updates are passed on until it ends, and a question that fails is a no", async () => {
  const seen: unknown[] = [];
  let late = (): void => {};
  const a = tool({
    name: "a",
    execute: async (input, context) => {
      seen.push([input, context.cwd, context.callId, context.outputDir, context.signal.aborted]);
      seen.push(await context.permit({ tool: "a", action: "run", target: "ls" }));
      context.onUpdate({ text: "half" });
      late = () => context.onUpdate({ text: "too late" });
      return says("whole");
    },
  });
  const { agent, events, options } = harness({
    model: scriptedModel([{ calls: [{ name: "a", id: "1", arguments: { x: 1 } }] }, "ok"]),
    tools: [a],
    permit: async () => {
      throw new Error("no terminal");
    },
  });
  await agent.prompt("go");
  late();
  expect(seen).toEqual([
    [{ x: 1 }, options.cwd, "1", options.outputDir, false],
    { allowed: false, reason: "Could not ask for permission: no terminal" },
  ]);
  expect(events.filter((event) => event.type === "tool_update")).toEqual([
    { type: "tool_update", toolCallId: "1", toolName: "a", update: { text: "half" } },
  ]);
});
