import { expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../../project/index.js";
import { harness, lines } from "../agent-harness.test-support.js";
import { type ScriptStep, scriptedModel } from "../scripted-model.test-support.js";

const overflow = { kind: "context-overflow", message: "Too long", retryable: false } as const;
const settings = {
  ...DEFAULT_SETTINGS,
  compaction: { enabled: true, reserveTokens: 1000, keepRecentTokens: 10 },
};
const usage = (input: number) => ({ input, output: 5, cacheRead: 0, cacheWrite: 0 });

/** An agent with two turns behind it. */
async function withTwoTurns(steps: readonly ScriptStep[], window = 10_000) {
  const model = scriptedModel(["first answer", "second answer", ...steps], { contextWindow: window });
  const made = harness({ model, settings });
  await made.agent.prompt("first question");
  await made.agent.prompt("second question");
  made.events.length = 0;
  return { ...made, model };
}

test("a context that is too long for the provider is compacted and sent once more", async () => {
  const { agent, session, model, events } = await withTwoTurns([
    { failure: overflow },
    "## Goal\nthe summary",
    "third answer",
  ]);
  expect(await agent.prompt("third question")).toMatchObject({ kind: "done" });
  expect(model.requests).toHaveLength(5);
  const retried = JSON.stringify(model.requests[4]?.messages);
  expect(retried).toContain("the summary");
  expect(retried).toContain("third question");
  expect(retried).not.toContain("first answer");
  expect(lines(session)).not.toContain("assistant(error):");
  expect(lines(session).at(-1)).toBe("assistant(stop): third answer");
  expect(events.filter((event) => event.type === "compacted")).toMatchObject([{ automatic: true }]);
});

test("exactly once: a second overflow is the outcome", async () => {
  const { agent, session, model } = await withTwoTurns([
    { failure: overflow },
    "## Goal\nthe summary",
    { failure: overflow },
  ]);
  expect(await agent.prompt("third question")).toEqual({ kind: "failed", failure: overflow });
  expect(model.requests).toHaveLength(5);
  expect(session.getLeafEntry()).toMatchObject({ message: { stopReason: "error", errorMessage: "Too long" } });
});

test("where the summary fails, the overflow is the outcome and nothing is compacted", async () => {
  const { agent, session, events } = await withTwoTurns([
    { failure: overflow },
    { failure: { message: "no summary" } },
  ]);
  expect(await agent.prompt("third question")).toEqual({ kind: "failed", failure: overflow });
  expect(lines(session)).not.toContain("compaction");
  expect(events).toContainEqual(
    expect.objectContaining({
      type: "notice",
      level: "warning",
      message: "Could not compact the conversation: Could not write the summary: no summary",
    }),
  );
});

test("a context that has passed the window minus the reserve is compacted before the next step", async () => {
  const { agent, session, model } = await withTwoTurns([
    { text: "big", usage: usage(9_500) },
    "## Goal\nthe summary",
    "fourth answer",
  ]);
  await agent.prompt("third question");
  expect(lines(session)).not.toContain("compaction");
  await agent.prompt("fourth question");
  expect(lines(session).slice(-4)).toEqual([
    "user: fourth question",
    "compaction",
    "usage",
    "assistant(stop): fourth answer",
  ]);
  expect(JSON.stringify(model.requests[4]?.messages)).not.toContain("second answer");
});

test("with automatic compaction off neither happens", async () => {
  const model = scriptedModel([{ text: "one", usage: usage(9_500) }, { failure: overflow }], { contextWindow: 10_000 });
  const off = { ...settings, compaction: { ...settings.compaction, enabled: false } };
  const { agent, session } = harness({ model, settings: off });
  await agent.prompt("first");
  expect(await agent.prompt("second")).toEqual({ kind: "failed", failure: overflow });
  expect(model.requests).toHaveLength(2);
  expect(lines(session)).not.toContain("compaction");
});
