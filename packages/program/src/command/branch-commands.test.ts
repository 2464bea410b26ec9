import { answer, drawSession, result, says, user } from "@bough/agent/agent/operation-parts.test-support.js";
import { describe, expect, test } from "vitest";
import { type TestContextOptions, testContext } from "./command-context.test-support.js";
import { runCommandLine } from "./run-command-line.js";
import { labelsOf } from "./session/label-entry.js";

/** #1: A b C d, #2 from b: E f, #3 from b: G h. */
const THREE: TestContextOptions = {
  drawing: "A-b-C-d*; b-E-f; b-G-h",
  contents: { A: says(user("wire the tokenizer")), E: says(user("try a lexer")), G: says(user("use a grammar")) },
};

describe("/label", () => {
  test.each([
    ["/label good idea", "good idea"],
    ["/label the way we go", "the way we go"],
    ["/label plan b2", "plan b2"],
    ["/label --move 'good idea'", "good idea"],
  ])("%s labels where you are", async (line, label) => {
    const { context } = testContext(THREE);
    expect(await runCommandLine(context, line)).toMatchObject({ kind: "done", message: `Labeled "${label}".` });
    expect(context.agent.session.getLabel("d")).toBe(label);
  });

  test("a last word that is an id, a label or a branch number is the target", async () => {
    const { context, session } = testContext(THREE);
    await runCommandLine(context, "/label good idea A");
    await runCommandLine(context, "/label old way #2");
    expect(session.getLabel("A")).toBe("good idea");
    expect(labelsOf(session).map(({ label }) => label)).toEqual(["old way", "good idea"]);
    expect(await runCommandLine(context, "/label good way #99")).toMatchObject({ code: "unknown-reference" });
    expect(await runCommandLine(context, '/label "good idea" nowhere')).toMatchObject({ code: "unknown-reference" });
    expect(labelsOf(session)).toHaveLength(2);
  });

  test("labels the current entry or another one, and removes a label", async () => {
    const { context, session } = testContext(THREE);
    expect(await runCommandLine(context, "/label good")).toMatchObject({ message: 'Labeled "good".' });
    await runCommandLine(context, '/label "old idea" #2');
    expect([session.getLabel("d"), session.getLabel("f")]).toEqual(["good", "old idea"]);
    expect(await runCommandLine(context, "/label")).toMatchObject({
      message: '  old idea  "f"  f\n  good  "d"  d',
      data: {
        labels: [
          { id: "f", label: "old idea" },
          { id: "d", label: "good" },
        ],
      },
    });
    expect(await runCommandLine(context, "/label --remove f")).toMatchObject({ message: 'Label "old idea" removed.' });
    expect(session.getLabel("f")).toBeUndefined();
  });

  test("takes a name from every entry that has it, as united copies of a session may have more than one", async () => {
    const { context, session } = testContext(THREE);
    for (const id of ["A", "f"]) session.appendLabelChange(id, "good");
    expect(await runCommandLine(context, "/label good b --move")).toMatchObject({ kind: "done" });
    expect(["A", "b", "f"].map((id) => session.getLabel(id))).toEqual([undefined, "good", undefined]);
  });

  test("does not move a label from another entry unless told to", async () => {
    const { context, session } = testContext(THREE);
    await runCommandLine(context, "/label good A");
    expect(await runCommandLine(context, "/label good b")).toEqual({
      kind: "unchanged",
      message: '"good" is on "wire the tokenizer".',
      hint: "--move moves it here.",
      code: "label-taken",
    });
    await runCommandLine(context, "/label good b --move");
    expect([session.getLabel("A"), session.getLabel("b")]).toEqual([undefined, "good"]);
    expect(await runCommandLine(context, "/label good b")).toEqual({
      kind: "unchanged",
      message: "It already has this label.",
    });
    expect(await runCommandLine(context, "/label --remove A")).toEqual({
      kind: "unchanged",
      message: "No label to remove.",
    });
  });
});

describe("/cherry-pick and /merge", () => {
  const tools: TestContextOptions = {
    drawing: "A-b*; A-C-d-e-f",
    contents: { d: says(answer("", { calls: [{ id: "1", name: "read", path: "x" }] })), e: says(result("1")) },
  };

  test("show their plan first where there is a screen", async () => {
    const { context, opened } = testContext({ ...THREE, screens: ["cherry-pick", "merge"] });
    await runCommandLine(context, "/cherry-pick E f");
    await runCommandLine(context, "/merge E");
    expect(opened).toEqual([
      { screen: "cherry-pick", ids: ["E", "f"] },
      { screen: "merge", tipId: "f" },
    ]);
    expect(await runCommandLine(context, "/cherry-pick E --now")).toMatchObject({ kind: "done" });
  });

  test("/cherry-pick copies, brings tool results along, and adds nothing twice", async () => {
    const { context, session } = testContext(tools);
    expect(await runCommandLine(context, "/cherry-pick C d A")).toMatchObject({
      message: "Added 3 entries to #1. Left out: 1 already on this path. Files are unchanged.",
    });
    expect(session.getBranch().filter(({ type }) => type === "message")).toHaveLength(5);
    expect(await runCommandLine(context, "/cherry-pick C d")).toEqual({
      kind: "unchanged",
      message: "Nothing to add: 2 already copied here.",
    });
  });

  test("/cherry-pick with a branch number copies what was said on that branch itself", async () => {
    const drawing = "A-b-C-d*; b-E-f-G-h; f-I-j";
    const { context, opened } = testContext({ ...tools, drawing, contents: {}, screens: ["cherry-pick"] });
    for (const line of ["/cherry-pick #2", "/cherry-pick #3 #1"]) await runCommandLine(context, line);
    expect(opened).toEqual([
      { screen: "cherry-pick", ids: ["E", "f", "G", "h"] },
      { screen: "cherry-pick", ids: ["I", "j", "d"] },
    ]);
    expect(await runCommandLine(context, "/cherry-pick #2 --words")).toMatchObject({
      message: "Added 4 entries to #1. Files are unchanged.",
    });
    expect(await runCommandLine(context, "/cherry-pick #2 --words")).toMatchObject({
      message: "Nothing to add: 4 already copied here.",
    });
    expect(await runCommandLine(context, "/cherry-pick #1 --words")).toMatchObject({
      message: "Nothing to add: 1 already on this path.",
    });
    expect(await runCommandLine(context, "/cherry-pick #4")).toMatchObject({ code: "unknown-reference" });
  });

  test("/merge brings a summary or the turns, once", async () => {
    const { context, session } = testContext({ ...THREE, steps: ["the lexer is faster"] });
    expect(await runCommandLine(context, "/merge #2")).toMatchObject({
      message: "Merged #2 try a lexer into #1 as a summary. Files are unchanged.",
    });
    expect(session.getBranch().some((entry) => entry.type === "branch_summary")).toBe(true);
    expect(await runCommandLine(context, "/merge #3 --turns")).toMatchObject({
      message: "Merged #3 use a grammar into #1 turn by turn. Files are unchanged.",
    });
    expect(await runCommandLine(context, "/merge #3 --turns")).toEqual({
      kind: "unchanged",
      message: "Everything there has already been copied here.",
    });
  });

  test("/undo right after one undoes all that came, and /redo brings it back", async () => {
    const { context, session } = testContext({ ...THREE, steps: ["the lexer is faster"] });
    await runCommandLine(context, "/switch #2");
    await runCommandLine(context, "/switch #1");
    for (const command of ["/merge #3 --turns", "/merge #2", "/cherry-pick E --now"]) {
      const before = session.getLeafId();
      expect(await runCommandLine(context, command)).toMatchObject({ kind: "done" });
      const after = session.getLeafId();
      expect(after).not.toBe(before);
      const what = command.startsWith("/merge") ? "merge" : "cherry-pick";
      expect(await runCommandLine(context, "/undo")).toMatchObject({
        kind: "done",
        message: `Undone: the last ${what}.`,
      });
      expect(session.getLeafId()).toBe(before);
      expect(await runCommandLine(context, "/redo")).toMatchObject({ kind: "done" });
      expect(session.getLeafId()).toBe(after);
    }
  });

  test("/merge of the current position, or with both options, is refused", async () => {
    const { context } = testContext(THREE);
    expect(await runCommandLine(context, "/merge #1")).toMatchObject({ code: "not-on-another-branch" });
    expect(await runCommandLine(context, "/merge #2 --summary --turns")).toMatchObject({ code: "wrong-arguments" });
    expect(await runCommandLine(context, "/merge")).toMatchObject({ code: "wrong-arguments" });
  });

  test("/merge can copy the turns if the summary fails", async () => {
    const failing = { failure: { kind: "rate-limit", message: "no" } } as const;
    const retry = { maxRetries: 0, baseDelayMs: 0, maxDelayMs: 0 };
    const settings = { compaction: { enabled: false, reserveTokens: 1, keepRecentTokens: 1 }, retry };
    const made = testContext({ ...THREE, steps: [failing], afterFailure: ["without"], agent: { settings } });
    expect(await runCommandLine(made.context, "/merge #2")).toMatchObject({
      message: expect.stringContaining("Merged #2"),
    });
  });
});

describe("without saying which branch", () => {
  test("the user chooses on a screen that says what for", async () => {
    const { context, opened, told } = testContext({ ...THREE, screens: ["tree", "branches"] });
    for (const line of ["/merge", "/compare", "/cherry-pick"]) {
      expect(await runCommandLine(context, line)).toEqual({ kind: "shown" });
    }
    expect(opened).toEqual([
      { screen: "branches", purpose: "merge" },
      { screen: "branches", purpose: "compare" },
      { screen: "tree" },
    ]);
    expect(told).toHaveLength(1);
  });

  test("there is nothing to choose where there is one branch, and without a screen it has to be said", async () => {
    const one = testContext({ drawing: "A-b", screens: ["branches"] });
    expect(await runCommandLine(one.context, "/merge")).toMatchObject({
      message: "Only one branch so far; you are on it.",
    });
    const { context } = testContext(THREE);
    expect(await runCommandLine(context, "/merge")).toMatchObject({ code: "wrong-arguments" });
  });
});

describe("/compare", () => {
  test("opens its screen on the ends of the two branches", async () => {
    const { context, opened } = testContext({ ...THREE, screens: ["compare"] });
    await runCommandLine(context, "/compare #2");
    await runCommandLine(context, "/compare E G");
    expect(opened).toEqual([
      { screen: "compare", a: "d", b: "f" },
      { screen: "compare", a: "f", b: "h" },
    ]);
  });

  test("is text and data where there is none", async () => {
    const { context } = testContext(THREE);
    expect(await runCommandLine(context, "/compare #2")).toMatchObject({
      message: [
        'Split at "b"',
        "#1 wire the tokenizer: 1 turn, about 10 tokens, 0 tool calls; ends: d",
        "#2 try a lexer: 1 turn, about 12 tokens, 0 tool calls; ends: f",
        "Files: 0 only here, 0 in both, 0 only there",
      ].join("\n"),
      data: { sharedId: "b" },
    });
    expect(await runCommandLine(context, "/compare #1")).toEqual({
      kind: "unchanged",
      message: "Both are the same entry.",
    });
  });

  test("names what starts separately", async () => {
    const { context } = testContext({ session: drawSession("A-b*; C-d") });
    expect(await runCommandLine(context, "/compare d")).toMatchObject({
      message: expect.stringContaining("These branches share no entries; only their ends can be compared."),
    });
  });
});
