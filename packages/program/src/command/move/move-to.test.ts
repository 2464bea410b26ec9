import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hooksOf } from "@bough/agent/agent/agent-harness.test-support.js";
import { answer, type Grow, result, says, user } from "@bough/agent/agent/operation-parts.test-support.js";
import { describe, expect, test } from "vitest";
import { LONG, testContext } from "../command-context.test-support.js";
import { runCommandLine } from "../run-command-line.js";
import { moveTo } from "./move-to.js";

/** #1: A b C d, and #2 from b: E f. The end of #1 is long. */
const TWO = {
  drawing: "A-b-C-d*; b-E-f",
  contents: { A: says(user("wire the tokenizer")), C: says(user("keep the generated one")), d: says(answer(LONG)) },
} as const;

describe("moving", () => {
  test("says where to, what the branch that was left keeps, and how to go back", async () => {
    const { context, session, editor, told } = testContext({ drawing: "A-b-C-d*; b-E-f" });
    expect(await moveTo(context, { targetId: "f" })).toEqual({
      kind: "done",
      message: 'Moved to "f". #1 keeps its 2 entries.',
      hint: "/undo to return.",
      data: { leafId: "f" },
    });
    expect(session.getLeafId()).toBe("f");
    expect([editor, told]).toEqual([[], []]);
  });

  test("to what a tool gave back names the tool, not the first words of a file", async () => {
    const { context } = testContext({
      drawing: "A-b-c-d*",
      contents: { b: says(answer("", { calls: [{ id: "1", name: "read", path: "x.ts" }] })), c: says(result("1")) },
    });
    expect(await moveTo(context, { targetId: "c" })).toMatchObject({
      message: expect.stringMatching(/^Moved to "result of \w+"\. #1 keeps its 1 entry\./),
    });
  });

  test("to a shell command names the command, not its output", async () => {
    const shell: Grow = (session) =>
      void session.appendMessage({
        role: "bashExecution",
        command: "ls src",
        output: "a.ts",
        exitCode: 0,
        cancelled: false,
        truncated: false,
        timestamp: 1,
      });
    const { context } = testContext({ drawing: "A-b-c-d*", contents: { c: shell } });
    expect(await moveTo(context, { targetId: "c" })).toMatchObject({
      message: expect.stringMatching(/^Moved to "ls src"\./),
    });
  });

  test("to a prompt goes before it and hands its text over for the editor", async () => {
    const { context, session } = testContext(TWO);
    expect(await moveTo(context, { targetId: "C", summary: "none" })).toMatchObject({
      kind: "done",
      message: 'Moved just before "keep the generated one". #1 keeps its 2 entries.',
      hint: "/undo to return.",
      editorText: "keep the generated one",
    });
    expect(session.getLeafId()).toBe("b");
  });

  test("to a prompt itself, where that is wanted, leaves the editor alone", async () => {
    const { context, session } = testContext(TWO);
    const outcome = await moveTo(context, { targetId: "E", place: "exact" });
    expect(outcome).toMatchObject({
      kind: "done",
      message: 'Moved to "E". #1 keeps its 2 entries.',
      hint: "/undo to return.",
    });
    expect(outcome).not.toHaveProperty("editorText");
    expect(session.getLeafId()).toBe("E");
  });

  test("to the current position changes nothing, even with a label below it", async () => {
    const { context, agent } = testContext(TWO);
    const here = { kind: "unchanged", message: "You are already here." };
    expect(await moveTo(context, { targetId: "d" })).toEqual(here);
    agent.label("d", "good");
    expect(await moveTo(context, { targetId: "d" })).toEqual(here);
  });

  test("before the prompt that comes next only returns its text", async () => {
    const { context, session } = testContext({ drawing: "A-b*-C-d" });
    expect(await moveTo(context, { targetId: "C" })).toEqual({
      kind: "done",
      message: "You are already here.",
      editorText: "C",
    });
    expect(session.getLeafId()).toBe("b");
  });

  test("mentions files where the branch that is left changed some", async () => {
    const { context } = testContext({
      drawing: "A-b-C-d-e*; b-F-g",
      contents: { d: says(answer("", { calls: [{ id: "1", name: "write", path: "x.ts" }] })), e: says(result("1")) },
    });
    expect(await moveTo(context, { targetId: "g" })).toMatchObject({
      message: 'Moved to "g". #1 keeps its 3 entries. Files are unchanged.',
      hint: "/undo to return.",
    });
  });

  test("to an unknown entry is an outcome with its code", async () => {
    const { context } = testContext(TWO);
    expect(await moveTo(context, { targetId: "nope" })).toEqual({
      kind: "unchanged",
      message: "Entry nope not found",
      code: "entry-not-found",
    });
  });

  test("that an extension stops changes nothing", async () => {
    const hooks = hooksOf({ session_before_tree: () => ({ cancel: true }) });
    const { context, session } = testContext({ ...TWO, agent: { hooks } });
    expect(await moveTo(context, { targetId: "f" })).toEqual({
      kind: "unchanged",
      message: "Move cancelled by test. Nothing changed.",
      code: "stopped-by-extension",
    });
    expect(session.getLeafId()).toBe("d");
  });

  test("while the agent works is refused with what to do", async () => {
    const { context, agent, model } = testContext({ ...TWO, steps: [{ text: "on it", hang: true }] });
    const run = agent.prompt("go");
    await model.reached(1);
    expect(await moveTo(context, { targetId: "f", summary: "none" })).toMatchObject({
      kind: "unchanged",
      code: "busy",
    });
    agent.abort();
    await run;
  });

  test("untrusted text is in the sentence without its escape sequences", async () => {
    const { context } = testContext({
      drawing: "A-b*; A-c",
      contents: { c: says(answer("\x1b]0;evil\x07red\x1b[31m\nline")) },
    });
    expect(await moveTo(context, { targetId: "c" })).toMatchObject({ message: expect.stringContaining('"red line"') });
  });
});

describe("the question about a summary", () => {
  test("says what is left, and no answer but no is free", async () => {
    const { context, questions, session } = testContext({ ...TWO, answers: [{ kind: "none" }] });
    expect(await moveTo(context, { targetId: "f" })).toMatchObject({ kind: "done" });
    expect(questions).toEqual([
      {
        branch: { number: 1, name: "wire the tokenizer" },
        entries: 2,
        tokens: expect.any(Number),
        files: 0,
        preferred: "none",
        target: "f",
      },
    ]);
    expect(questions[0]?.tokens).toBeGreaterThan(500);
    expect(session.getLeafId()).toBe("f");
  });

  test("is asked however little is left", async () => {
    const { context, questions, session } = testContext({ drawing: "A-b-C-d*; b-E-f", answers: [{ kind: "none" }] });
    expect(await moveTo(context, { targetId: "f" })).toMatchObject({ kind: "done" });
    expect(questions).toMatchObject([{ entries: 2, target: "f" }]);
    expect(session.getLeafId()).toBe("f");
  });

  test("a setting skips small branches", async () => {
    const little = testContext({ drawing: "A-b-C-d*; b-E-f", answers: [] });
    little.context.settings.change("branchSummaryMinTokens", 500);
    await moveTo(little.context, { targetId: "f" });
    expect([little.questions, little.session.getLeafId()]).toEqual([[], "f"]);
    const long = testContext({ ...TWO, answers: [{ kind: "none" }] });
    long.context.settings.change("branchSummaryMinTokens", 500);
    await moveTo(long.context, { targetId: "f" });
    expect(long.questions).toHaveLength(1);
  });

  test("is asked too if the move ends on a prompt, which then stays out of the editor", async () => {
    const answers = [{ kind: "summary" }] as const;
    const { context, session, questions } = testContext({ ...TWO, steps: ["what happened"], answers });
    const outcome = await moveTo(context, { targetId: "E", place: "exact" });
    expect(outcome).toMatchObject({ kind: "done", data: { summaryId: expect.any(String) } });
    expect(outcome).not.toHaveProperty("editorText");
    expect(questions).toHaveLength(1);
    expect(session.getChildren("E").map(({ type }) => type)).toContain("branch_summary");
  });

  test("is not asked when moving forward on the same path, or if the caller decided", async () => {
    const forward = testContext({ drawing: "A-b*-C-d", contents: { b: says(answer(LONG)) }, answers: [] });
    await moveTo(forward.context, { targetId: "d" });
    const decided = testContext({ ...TWO, answers: [] });
    await moveTo(decided.context, { targetId: "f", summary: "none" });
    expect([forward.session.getLeafId(), decided.session.getLeafId()]).toEqual(["d", "f"]);
    expect([forward.questions, decided.questions]).toEqual([[], []]);
  });

  test("yes writes one, with what the user wants kept", async () => {
    const answers = [{ kind: "summary", instructions: "the failing cases" }] as const;
    const { context, model, session } = testContext({ ...TWO, steps: ["what happened"], answers });
    expect(await moveTo(context, { targetId: "f" })).toMatchObject({
      kind: "done",
      message: 'Moved to "f", with a summary of #1. #1 keeps its 2 entries.',
      hint: "/undo to return.",
      data: { summaryId: expect.any(String) },
    });
    const [summary] = session.getChildren("f");
    expect(summary).toMatchObject({ type: "branch_summary", summary: "what happened", fromId: "d" });
    expect(JSON.stringify(model.requests)).toContain("the failing cases");
  });

  test("staying changes nothing", async () => {
    const { context, session } = testContext({ ...TWO, answers: [{ kind: "stay" }] });
    expect(await moveTo(context, { targetId: "f" })).toEqual({ kind: "unchanged", message: "Nothing changed." });
    expect(session.getLeafId()).toBe("d");
  });

  test("never again goes without one, is written to the settings, and holds from then on", async () => {
    const { context, questions, session } = testContext({ ...TWO, answers: [{ kind: "never" }] });
    await moveTo(context, { targetId: "f" });
    await moveTo(context, { targetId: "d" });
    await moveTo(context, { targetId: "f" });
    expect(session.getLeafId()).toBe("f");
    expect(questions).toHaveLength(1);
    const written = JSON.parse(readFileSync(join(context.home, "settings.json"), "utf8"));
    expect(written).toEqual({ branchSummary: "never" });
  });

  test("never again goes, and warns, where the settings cannot be written", async () => {
    const { context, told, session } = testContext({ ...TWO, answers: [{ kind: "never" }] });
    writeFileSync(join(context.home, "settings.json"), "{ broken");
    expect(await moveTo(context, { targetId: "f" })).toMatchObject({ kind: "done" });
    expect(session.getLeafId()).toBe("f");
    expect(told).toEqual([expect.stringMatching(/^warning: .*was not changed/)]);
  });

  test("the setting decides without asking", async () => {
    const { context, questions, session } = testContext({ ...TWO, steps: ["what happened"], answers: [] });
    context.settings.change("branchSummary", "always");
    expect(await moveTo(context, { targetId: "f" })).toMatchObject({ data: { summaryId: expect.any(String) } });
    expect(questions).toEqual([]);
    expect(session.getBranch().map(({ type }) => type)).toContain("branch_summary");
  });

  test("a summary that fails leaves the person where they were, who may try again, go without, or stay", async () => {
    const failing = { failure: { kind: "rate-limit", message: "rate-limited (429)" } } as const;
    const settings = {
      compaction: { enabled: false, reserveTokens: 1, keepRecentTokens: 1 },
      retry: { maxRetries: 0, baseDelayMs: 0, maxDelayMs: 0 },
    };
    const stays = testContext({ ...TWO, steps: [failing], afterFailure: ["stay"], agent: { settings } });
    expect(await moveTo(stays.context, { targetId: "f", summary: "summary" })).toEqual({
      kind: "unchanged",
      message: "Nothing changed.",
    });
    expect(stays.session.getLeafId()).toBe("d");
    expect(stays.failures).toEqual(["No summary: rate-limited (429). You are still on #1 wire the tokenizer."]);

    const again = testContext({ ...TWO, steps: [failing, "made it"], afterFailure: ["again"], agent: { settings } });
    expect(await moveTo(again.context, { targetId: "f", summary: "summary" })).toMatchObject({
      data: { summaryId: expect.any(String) },
    });

    const without = testContext({ ...TWO, steps: [failing], afterFailure: ["without"], agent: { settings } });
    await moveTo(without.context, { targetId: "f", summary: "summary" });
    expect(without.session.getLeafId()).toBe("f");

    const alone = testContext({ ...TWO, steps: [failing], agent: { settings } });
    expect(await moveTo(alone.context, { targetId: "f", summary: "summary" })).toMatchObject({
      code: "summary-failed",
    });
  });

  test("stopping the summary keeps the position", async () => {
    const model = testContext({ ...TWO, steps: [{ text: "half", hang: true }] });
    const { agent, session } = model;
    const going = moveTo(model.context, { targetId: "f", summary: "summary" });
    await new Promise<void>((resolve) => {
      const stop = agent.subscribe((event) => {
        if (event.type !== "summary_update") return;
        stop();
        resolve();
      });
    });
    agent.abort();
    expect(await going).toEqual({ kind: "unchanged", message: "Stopped. You are still on #1 wire the tokenizer." });
    expect(session.getLeafId()).toBe("d");
  });
});

describe("switching to another branch", () => {
  test("asks about a summary by the same rule as the tree, and writes it", async () => {
    const answers = [{ kind: "summary" }] as const;
    const { context, session, questions } = testContext({ ...TWO, steps: ["what happened"], answers });
    expect(await runCommandLine(context, "/switch #2")).toMatchObject({ kind: "done" });
    expect(questions).toHaveLength(1);
    expect(session.getBranch().map(({ type, parentId }) => [type, parentId])).toContainEqual(["branch_summary", "f"]);
  });

  test("moves without one if asked to, and stays if that is the answer", async () => {
    const none = testContext({ ...TWO, answers: [{ kind: "none" }] });
    expect(await runCommandLine(none.context, "/switch #2")).toMatchObject({ kind: "done", data: { branch: 2 } });
    expect(none.session.getLeafId()).toBe("f");
    const stay = testContext({ ...TWO, answers: [{ kind: "stay" }] });
    expect(await runCommandLine(stay.context, "/switch #2")).toMatchObject({ kind: "unchanged" });
    expect(stay.session.getLeafId()).toBe("d");
  });

  test("asks nothing if the setting says never, or the command says what is wanted", async () => {
    const never = testContext({ ...TWO, answers: [{ kind: "none" }] });
    never.context.settings.change("branchSummary", "never");
    await runCommandLine(never.context, "/switch #2");
    const without = testContext({ ...TWO, answers: [{ kind: "none" }] });
    await runCommandLine(without.context, "/switch #2 --no-summary");
    const asked = testContext({ ...TWO, steps: ["what happened"], answers: [{ kind: "none" }] });
    await runCommandLine(asked.context, "/switch #2 --summary");
    expect([never, without, asked].flatMap(({ questions }) => questions)).toEqual([]);
    expect([never, without].map(({ session }) => session.getLeafId())).toEqual(["f", "f"]);
    expect(asked.session.getBranch().map(({ type }) => type)).toContain("branch_summary");
  });
});
