import { repairPairs, toModelInput } from "@bough/session/context/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { endless, type Harness, harness, hooksOf, lines, opened, tool } from "../agent-harness.test-support.js";
import { scriptedModel } from "../scripted-model.test-support.js";
import { NOT_STARTED_RESULT, STOPPED_RESULT } from "./call-tool.js";
import { UNFINISHED_ANSWER_RESULT } from "./run-turn.js";

/** What must hold wherever a run was stopped: free again, nothing queued, the file valid and complete. */
async function expectSound({ agent, session }: Harness): Promise<void> {
  expect({ operation: agent.operation, streaming: agent.isStreaming, queued: agent.queued }).toEqual({
    operation: undefined,
    streaming: false,
    queued: { steering: [], followUp: [] },
  });
  const { messages } = session.buildSessionContext();
  expect(repairPairs(messages)).toEqual(messages);
  const here = JSON.stringify(toModelInput(messages, { provider: "scripted" }));
  const file = session.getSessionFile() as string;
  await agent.dispose();
  const again = SessionManager.open(file, undefined, { readOnly: true });
  expect(JSON.stringify(toModelInput(again.buildSessionContext().messages, { provider: "scripted" }))).toBe(here);
  expect(again.getProblems()).toEqual([]);
  again.close();
}

describe("a run can be stopped", () => {
  test("before the first word", async () => {
    const model = scriptedModel([{ hang: true }]);
    const made = harness({ model });
    const run = made.agent.prompt("go");
    await model.reached(1);
    made.agent.abort();
    expect(await run).toEqual({ kind: "aborted" });
    expect(lines(made.session)).toEqual(["model_change", "user: go", "assistant(aborted):"]);
    await expectSound(made);
  });

  test("in the middle of a text: what had arrived is kept", async () => {
    const model = scriptedModel([{ thinking: "hm", text: "I was ab", hang: true }]);
    const made = harness({ model });
    const run = made.agent.prompt("go");
    await model.reached(1);
    made.agent.abort();
    expect(await run).toEqual({ kind: "aborted" });
    expect(lines(made.session).at(-1)).toBe("assistant(aborted): thinking I was ab");
    await expectSound(made);
  });

  test("after a whole call, before the answer was complete: the call is not run", async () => {
    const model = scriptedModel([{ text: "let me", calls: [{ name: "read", id: "1" }], hang: true }]);
    const made = harness({ model, tools: [tool({ name: "read" })] });
    const run = made.agent.prompt("go");
    await model.reached(1);
    made.agent.abort();
    expect(await run).toEqual({ kind: "aborted" });
    expect(lines(made.session).slice(2)).toEqual([
      "assistant(aborted): let me +read#1",
      `result#1!: ${UNFINISHED_ANSWER_RESULT}`,
    ]);
    await expectSound(made);
  });

  test("in the middle of tools: finished ones keep their result, the others say that they were stopped", async () => {
    const slow = endless("slow");
    const made = harness({
      model: scriptedModel([
        {
          calls: [
            { name: "slow", id: "1" },
            { name: "quick", id: "2" },
          ],
        },
      ]),
      tools: [slow, tool({ name: "quick" })],
    });
    const quickDone = opened();
    made.agent.subscribe((event) => {
      if (event.type === "tool_end" && event.toolName === "quick") quickDone.open();
    });
    const run = made.agent.prompt("go");
    await Promise.all([slow.started, quickDone.promise]);
    made.agent.abort();
    expect(await run).toEqual({ kind: "aborted" });
    expect(lines(made.session).slice(3)).toEqual([`result#1!: half of it | ${STOPPED_RESULT}`, "result#2: quick {}"]);
    await expectSound(made);
  });

  test("although a tool never ends and ignores its signal", async () => {
    const deaf = endless("deaf", "deaf");
    const made = harness({ model: scriptedModel([{ calls: [{ name: "deaf", id: "1" }] }]), tools: [deaf] });
    const run = made.agent.prompt("go");
    await deaf.started;
    made.agent.abort();
    expect(await run).toEqual({ kind: "aborted" });
    const abandoned = "The tool deaf did not stop and was abandoned. It may still be running.";
    expect(lines(made.session).at(-1)).toBe(`result#1!: ${STOPPED_RESULT}\n${abandoned}`);
    expect(made.events).toContainEqual({ type: "notice", level: "warning", message: abandoned });
    await expectSound(made);
  });

  test("although the model does not stop", async () => {
    const asked = opened();
    const { info } = scriptedModel([]);
    const made = harness({
      model: {
        info,
        async *stream() {
          yield { type: "text", delta: "for ever" };
          asked.open();
          await new Promise(() => {});
        },
      },
    });
    const run = made.agent.prompt("go");
    await asked.promise;
    made.agent.abort();
    expect(await run).toEqual({ kind: "aborted" });
    expect(lines(made.session).at(-1)).toBe("assistant(aborted): for ever");
    await expectSound(made);
  });

  test("while an extension checks a call: it is not started", async () => {
    const made: Harness = harness({
      model: scriptedModel([{ calls: [{ name: "read", id: "1" }] }]),
      tools: [tool({ name: "read" })],
      hooks: hooksOf({
        tool_call: () => {
          made.agent.abort();
        },
      }),
    });
    expect(await made.agent.prompt("go")).toEqual({ kind: "aborted" });
    expect(lines(made.session).at(-1)).toBe(`result#1!: ${NOT_STARTED_RESULT}`);
    await expectSound(made);
  });

  test.each(["turn_start", "turn_end"] as const)("between steps, at %s", async (name) => {
    const model = scriptedModel([{ calls: [{ name: "read", id: "1" }] }, "never"]);
    let heard = 0;
    const made: Harness = harness({
      model,
      tools: [tool({ name: "read" })],
      hooks: hooksOf({
        [name]: () => {
          heard += 1;
          if (heard === (name === "turn_start" ? 2 : 1)) made.agent.abort();
        },
      }),
    });
    expect(await made.agent.prompt("go")).toEqual({ kind: "aborted" });
    expect(lines(made.session).slice(2)).toEqual([
      "assistant(toolUse): +read#1",
      "result#1: read {}",
      ...(name === "turn_start" ? ["assistant(aborted):"] : []),
    ]);
    await expectSound(made);
  });

  test("while it waits to try again", async () => {
    const model = scriptedModel([{ text: "par", failure: { kind: "overloaded", retryable: true } }, "never"]);
    const made: Harness = harness({ model, sleep: async () => void made.agent.abort() });
    expect(await made.agent.prompt("go")).toEqual({ kind: "aborted" });
    expect(model.requests).toHaveLength(1);
    expect(lines(made.session).slice(1)).toEqual(["user: go", "usage", "assistant(aborted):"]);
    await expectSound(made);
  });

  test("and continues with the next prompt", async () => {
    const model = scriptedModel([{ text: "one", hang: true }, "two"]);
    const made = harness({ model });
    const run = made.agent.prompt("go");
    await model.reached(1);
    made.agent.abort();
    await run;
    expect(await made.agent.prompt("go on")).toMatchObject({ kind: "done" });
    expect(toModelInput(model.requests[1]?.messages ?? [], { provider: "scripted" })).toMatchObject([
      { role: "user", content: [{ text: "go" }] },
      { role: "assistant", content: [{ text: "one" }] },
      { role: "user", content: [{ text: "go on" }] },
    ]);
    await expectSound(made);
  });
});

test("stopping an idle agent does nothing", async () => {
  const made = harness({ model: scriptedModel(["ok"]) });
  expect(made.agent.abort()).toEqual({ steering: [], followUp: [] });
  expect(await made.agent.prompt("go")).toMatchObject({ kind: "done" });
  await expectSound(made);
});

test("disposing stops the run, waits for its end and closes the session", async () => {
  const model = scriptedModel([{ text: "one", hang: true }]);
  const { agent, session } = harness({ model });
  const file = session.getSessionFile() as string;
  const run = agent.prompt("go");
  await model.reached(1);
  await agent.dispose();
  expect(await run).toEqual({ kind: "aborted" });
  await expect(agent.prompt("more")).rejects.toMatchObject({ code: "closed" });
  const again = SessionManager.open(file);
  expect(lines(again).at(-1)).toBe("assistant(aborted): one");
  again.close();
});
