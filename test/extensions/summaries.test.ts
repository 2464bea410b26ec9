import { lines, registryOf } from "@bough/agent/agent/agent-harness.test-support.js";
import { promptsOf, scriptedModel } from "@bough/agent/agent/scripted-model.test-support.js";
import { describe, expect, test } from "vitest";
import { example, extendedAgent, userIds } from "./extended-agent.js";

describe("the example 01-branch-summary", () => {
  test("writes the summary of a branch that is left, without asking a model, and the file says who did", async () => {
    const model = scriptedModel(["an answer", "another answer"]);
    const made = await extendedAgent({ model, extensions: [example("01-branch-summary.ts")] });
    await made.agent.prompt("first");
    const [start] = made.session.getBranch();
    await made.agent.prompt("second");
    const left = made.session.getLeafId();
    const result = await made.agent.navigateTree(start?.id ?? "", { summarize: true });
    const summary = "## Asked\n- first\n- second\n\n## Last answer\nanother answer";
    expect(result).toEqual({ kind: "done", cancelled: false, summaryEntry: made.session.getLeafEntry() });
    expect(made.file().at(-1)).toEqual({
      type: "branch_summary",
      cause: "tree",
      id: made.session.getLeafId(),
      parentId: start?.id,
      timestamp: expect.any(String),
      fromId: left,
      abandonedLeafId: left,
      summary,
      details: { custom: true, questions: 2 },
      fromHook: true,
    });
    expect(made.session.buildSessionContext().messages.at(-1)).toMatchObject({ role: "branchSummary", summary });
    expect(model.requests).toHaveLength(2);
    expect(made.problems).toEqual([]);
  });

  test("says nothing where no summary is wanted", async () => {
    const made = await extendedAgent({
      model: scriptedModel(["an answer"]),
      extensions: [example("01-branch-summary.ts")],
    });
    await made.agent.prompt("first");
    expect(await made.agent.navigateTree(userIds(made)[0] ?? "")).toEqual({
      kind: "done",
      cancelled: false,
      editorText: "first",
    });
    expect(lines(made.session)).toEqual(["model_change"]);
    expect(made.file().filter(({ type }) => type === "branch_summary")).toEqual([]);
  });
});

describe("the example 02-small-model-compaction", () => {
  const prices = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 };
  const setup = async (small: ReturnType<typeof scriptedModel>) => {
    const model = scriptedModel(["one", "two", "written by the model of the session"]);
    const dear = scriptedModel([], { id: "dear", prices: { ...prices, output: 90 } });
    const made = await extendedAgent({
      model,
      registry: registryOf(model, dear, small),
      extensions: [example("02-small-model-compaction.ts")],
    });
    await made.agent.prompt("first");
    await made.agent.prompt("second");
    return made;
  };

  test("has the cheapest model write the compaction", async () => {
    const small = scriptedModel(["short and cheap"], { id: "small", prices });
    const made = await setup(small);
    const [, second] = userIds(made);
    const outcome = await made.agent.compact("the names");
    expect(outcome).toMatchObject({ kind: "done", fromHook: true });
    expect(made.session.getLeafEntry()).toMatchObject({
      type: "compaction",
      summary: "short and cheap",
      firstKeptEntryId: second,
      details: { model: "scripted/small" },
      fromHook: true,
    });
    expect(JSON.parse(promptsOf(small)[0] ?? "")).toMatchObject({
      focus: "the names",
      messages: [{ role: "user", content: "first" }, { role: "assistant" }],
    });
    expect(made.session.buildSessionContext().messages.map(({ role }) => role)).toEqual([
      "compactionSummary",
      "user",
      "assistant",
    ]);
    expect(made.said).toEqual([expect.stringMatching(/^info: Compacted \d+ tokens, summary by a small model$/)]);
    expect(made.problems).toEqual([]);
  });

  test("leaves it to the model of the session where the cheap one fails", async () => {
    const made = await setup(scriptedModel([{ text: "half of", failure: {} }], { id: "small", prices }));
    expect(await made.agent.compact()).toMatchObject({ kind: "done", fromHook: false });
    expect(made.session.getBranch().find(({ type }) => type === "compaction")).toMatchObject({
      summary: "written by the model of the session",
    });
    expect(made.said).toEqual([expect.stringMatching(/by the model of this session$/)]);
  });
});

describe("the example 03-summary-focus", () => {
  const extensions = [example("03-summary-focus.ts")];

  test("makes every move write a summary with the focus, by the methods of the event", async () => {
    const model = scriptedModel(["an answer", "the summary"]);
    const made = await extendedAgent({ model, extensions, answers: ["the API"] });
    expect(await made.command("focus")).toEqual({ kind: "done", prompt: undefined });
    await made.agent.prompt("first");
    await made.agent.navigateTree(made.session.getBranch()[0]?.id ?? "");
    expect(promptsOf(model)[1]).toContain("Pay special attention to this: the API");
    expect(promptsOf(model)[1]).toContain("## Key Decisions");
    expect(lines(made.session)).toEqual(["model_change", "branch_summary", "usage"]);
    expect(made.said).toEqual(["editor: Summaries should pay attention to ", "info: Summaries focus on: the API"]);
  });

  test("lets a focus that ends with only take the place of the standard instructions", async () => {
    const model = scriptedModel(["an answer", "the summary"]);
    const made = await extendedAgent({ model, extensions });
    await made.command("focus", "file names only");
    await made.agent.prompt("first");
    await made.agent.navigateTree(made.session.getBranch()[0]?.id ?? "");
    expect(promptsOf(model)[1]).toMatch(/<\/conversation>\n\nfile names only$/);
  });

  test("adds the focus to the prompt of a compaction", async () => {
    const model = scriptedModel(["one", "two", "the summary"]);
    const made = await extendedAgent({ model, extensions });
    await made.command("focus", "the API");
    await made.agent.prompt("first");
    await made.agent.prompt("second");
    expect(await made.agent.compact()).toMatchObject({ kind: "done", fromHook: false });
    expect(promptsOf(model)[2]).toMatch(/Files changed so far: none\.\n\nPay special attention to this: the API$/);
    expect(made.problems).toEqual([]);
  });
});
