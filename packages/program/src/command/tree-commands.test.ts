import { hooksOf } from "@bough/agent/agent/agent-harness.test-support.js";
import { answer, says, user } from "@bough/agent/agent/operation-parts.test-support.js";
import { SessionManager } from "@bough/session/session/index.js";
import { branchCause } from "@bough/session/tree/index.js";
import { describe, expect, test } from "vitest";
import { LONG, type TestContextOptions, testContext } from "./command-context.test-support.js";
import { moveTo } from "./move/move-to.js";
import { runCommandLine } from "./run-command-line.js";

/** #1: A b C d, #2 from b: E f, #3 from b: G h. */
const THREE: TestContextOptions = {
  drawing: "A-b-C-d*; b-E-f; b-G-h",
  contents: { A: says(user("wire the tokenizer")), E: says(user("try a lexer")), G: says(user("use a grammar")) },
};

describe("/tree and /branches", () => {
  test("open their screens", async () => {
    const { context, opened } = testContext({ ...THREE, screens: ["tree", "branches"] });
    for (const line of ["/tree", "/tree #2", "/branches", "/branches lex"]) {
      expect(await runCommandLine(context, line)).toEqual({ kind: "shown" });
    }
    expect(opened).toEqual([
      { screen: "tree" },
      { screen: "tree", select: "f" },
      { screen: "branches" },
      { screen: "branches", filter: "lex" },
    ]);
  });

  test("are text and data without a screen, newest branch first", async () => {
    const { context } = testContext(THREE);
    const outcome = await runCommandLine(context, "/branches");
    expect(outcome).toMatchObject({
      message: [
        "  #3 use a grammar  1 turn  h",
        "  #2 try a lexer  1 turn  f",
        "@ #1 wire the tokenizer  2 turns  d",
      ].join("\n"),
      data: { leafId: "d", branches: [{ number: 3, tipId: "h" }, { number: 2 }, { number: 1, here: true }] },
    });
    expect(await runCommandLine(context, "/tree")).toEqual(outcome);
    expect(await runCommandLine(context, "/branches LEX")).toMatchObject({ message: "  #2 try a lexer  1 turn  f" });
    expect(await runCommandLine(context, "/branches zzz")).toMatchObject({ message: 'No branch matches "zzz".' });
    const one = testContext();
    expect(await runCommandLine(one.context, "/branches")).toMatchObject({
      message: "@ #1 A  1 turn  b\nOnly one branch so far; you are on it.",
    });
  });

  test("have nothing to show in an empty session", async () => {
    const { context } = testContext({ session: SessionManager.inMemory("/home/dev") });
    for (const name of ["tree", "branches", "switch", "pop", "undo", "fork", "label", "compare x", "export", "copy"]) {
      expect(await runCommandLine(context, `/${name}`)).toEqual({
        kind: "unchanged",
        message: "Nothing here yet.",
        hint: "Send a prompt and it becomes the first entry.",
        code: "unavailable",
      });
    }
  });
});

describe("/switch", () => {
  test("goes to the end of a branch by number, name or label, to exactly the entry by id, and - goes back", async () => {
    const { context, session, agent } = testContext(THREE);
    agent.label("E", "lexer");
    const ends: (string | null)[] = [];
    for (const reference of ["#2", "-", "grammar", "lexer", "G", "main"]) {
      await runCommandLine(context, `/switch ${reference}`);
      ends.push(session.getLeafId());
    }
    expect(ends).toEqual(["f", "d", "h", "f", "G", "d"]);
  });

  test("reports the current position", async () => {
    const { context } = testContext(THREE);
    expect(await runCommandLine(context, "/switch #2")).toEqual({
      kind: "done",
      message: "Now on #2 try a lexer. #1 keeps its 2 entries.",
      hint: "/undo to return.",
      data: { leafId: "f", branch: 2 },
    });
    expect(await runCommandLine(context, "/switch #2")).toEqual({
      kind: "unchanged",
      message: "You are already here.",
    });
  });

  test("says no period after a question that names a branch", async () => {
    const { context } = testContext({ drawing: "A-b*; A-c", contents: { A: says(user("What is here?")) } });
    expect(await runCommandLine(context, "/switch #2")).toMatchObject({
      message: expect.stringMatching(/^Now on #2 .*\. #1/),
    });
    expect(await runCommandLine(context, "/switch #1")).toMatchObject({
      message: expect.stringMatching(/^Now on #1 What is here\?(?: |$)/),
    });
  });

  test("stops at the labelled entry with --exact", async () => {
    const { context, session, agent } = testContext(THREE);
    agent.label("E", "start of it");
    await runCommandLine(context, '/switch "start of it" --exact');
    expect(session.getLeafId()).toBe("E");
    await runCommandLine(context, '/switch "start of it"');
    expect(session.getLeafId()).toBe("f");
  });

  test("opens the list for several, and without an argument", async () => {
    const { context, opened } = testContext({ ...THREE, screens: ["branches"] });
    await runCommandLine(context, "/switch a");
    await runCommandLine(context, "/switch");
    expect(opened).toEqual([{ screen: "branches", filter: "a" }, { screen: "branches" }]);
    const plain = testContext(THREE);
    expect(await runCommandLine(plain.context, "/switch a")).toEqual({
      kind: "unchanged",
      message: '"a" matches 2 branches: #2 try a lexer, #3 use a grammar',
      code: "ambiguous-reference",
    });
  });

  test("takes a word of a name before the start of an id", async () => {
    const contents = { E: says(user("add tests")) };
    const { context, session } = testContext({ drawing: "A-b-C-d*; b-E-f; b-add0-h", contents });
    await runCommandLine(context, "/switch add");
    expect(session.getLeafId()).toBe("f");
    await runCommandLine(context, "/switch add0");
    expect(session.getLeafId()).toBe("add0");
  });

  test("names the closest where nothing matches, and is off in a session that is only read", async () => {
    const { context } = testContext(THREE);
    expect(await runCommandLine(context, "/switch try lexer")).toMatchObject({
      message: 'No branch matches "try lexer".',
      hint: "Closest: try a lexer (#2).",
      code: "unknown-reference",
    });
    const { session: file } = testContext(THREE);
    const path = file.getSessionFile() as string;
    file.close();
    const read = testContext({ session: SessionManager.open(path, undefined, { readOnly: true }) });
    expect(await runCommandLine(read.context, "/switch #2")).toMatchObject({
      message: "This session was opened read-only. You can browse but not move.",
      code: "unavailable",
    });
  });
});

describe("/pop", () => {
  test("records why the branch that starts there exists, as /branch-here and the tree do", async () => {
    const causes: unknown[] = [];
    for (const line of ["/pop C --no-summary", "/branch-here C"]) {
      const { context, session } = testContext({ drawing: "A-b-C-d*" });
      await runCommandLine(context, line);
      session.appendMessage(user("another way"));
      const { tree } = session.getSource();
      causes.push(branchCause(session.getSource(), tree.ids.findText(session.getLeafId() as string)));
    }
    const { context, session } = testContext({ drawing: "A-b-C-d*" });
    await moveTo(context, { targetId: "C", summary: "none" });
    session.appendMessage(user("another way"));
    const { tree } = session.getSource();
    causes.push(branchCause(session.getSource(), tree.ids.findText(session.getLeafId() as string)));
    expect(causes).toEqual(["pop", "branch", "tree"]);
  });

  const long = { ...THREE, contents: { ...THREE.contents, d: says(answer(LONG)) } };

  test("moves to just before the last prompt, with a summary", async () => {
    const { context, session } = testContext({ ...long, steps: ["it failed"] });
    expect(await runCommandLine(context, "/pop")).toMatchObject({
      kind: "done",
      message: 'Moved just before "C", with a summary of #1. #1 keeps its 2 entries.',
      hint: "/undo to return.",
      editorText: "C",
    });
    expect(session.getChildren("b").at(-1)).toMatchObject({ type: "branch_summary", summary: "it failed" });
  });

  test("asks with its default turned round", async () => {
    const { context, questions, session } = testContext({ ...long, answers: [{ kind: "none" }] });
    await runCommandLine(context, "/pop");
    expect(questions).toMatchObject([{ preferred: "summary", target: "C", entries: 2 }]);
    expect(session.getLeafId()).toBe("b");
  });

  test("brings a summary however little is left behind, even if questions are off", async () => {
    const { context, questions, session } = testContext({ ...THREE, steps: ["short"], answers: [] });
    context.settings.change("branchSummary", "never");
    await runCommandLine(context, "/pop");
    expect(session.getChildren("b").at(-1)).toMatchObject({ type: "branch_summary", summary: "short" });
    expect(questions).toEqual([]);
  });

  test("takes a target, what to keep, and --no-summary", async () => {
    const about = testContext({ ...long, steps: ["it failed"] });
    await runCommandLine(about.context, "/pop A the failing cases");
    expect(JSON.stringify(about.model.requests)).toContain("the failing cases");
    expect(about.session.getBranch().map(({ type }) => type)).toEqual(["branch_summary", "usage"]);
    const without = testContext(long);
    expect(await runCommandLine(without.context, "/pop b --no-summary")).toMatchObject({ kind: "done" });
    expect(without.session.getLeafId()).toBe("b");
  });

  test("goes to where this branch started, if it is a side branch", async () => {
    const { context, session } = testContext({ ...THREE, drawing: "A-b-C-d; b-E-f-I-j*" });
    await runCommandLine(context, "/pop fork --no-summary");
    expect(session.getLeafId()).toBe("b");
    expect(await runCommandLine(testContext(THREE).context, "/pop fork")).toEqual({
      kind: "unchanged",
      message: "You are not on a side branch.",
      hint: "/switch - goes to the previous one.",
    });
  });

  test("says so where no prompt is above", async () => {
    const { context } = testContext({ drawing: "A*" });
    expect(await runCommandLine(context, "/pop")).toEqual({
      kind: "unchanged",
      message: "No earlier prompt on this path.",
      hint: "/switch - goes to the previous branch.",
    });
  });
});

describe("/undo and /redo", () => {
  test("go back and forward, and report the position", async () => {
    const { context, session } = testContext(THREE);
    await runCommandLine(context, "/switch #2");
    expect(await runCommandLine(context, "/undo")).toEqual({
      kind: "done",
      message: "Back on #1 wire the tokenizer.",
      data: { leafId: "d" },
    });
    expect(await runCommandLine(context, "/redo")).toMatchObject({ message: "Back on #2 try a lexer." });
    expect(session.getLeafId()).toBe("f");
  });

  test("say so where there is nothing to undo or redo", async () => {
    const { context, session } = testContext(THREE);
    while (session.getLeafId() !== null) await runCommandLine(context, "/undo");
    expect(await runCommandLine(context, "/undo")).toEqual({
      kind: "unchanged",
      message: "Nothing to undo in this session.",
    });
    while ((await runCommandLine(context, "/redo")).kind === "done");
    expect(await runCommandLine(context, "/redo")).toEqual({
      kind: "unchanged",
      message: "Nothing to redo.",
    });
  });
});

describe("/fork, /branch and /branch-here", () => {
  test("choose on their screens without an argument", async () => {
    const { context, opened } = testContext({ ...THREE, screens: ["tree", "fork"] });
    await runCommandLine(context, "/fork");
    await runCommandLine(context, "/branch");
    await runCommandLine(context, "/branch-here");
    context.settings.change("doubleEscapeAction", "fork");
    await runCommandLine(context, "/branch");
    expect(opened).toEqual([
      { screen: "fork" },
      { screen: "tree", purpose: "fork" },
      { screen: "tree", purpose: "move" },
      { screen: "fork" },
    ]);
  });

  test("list the prompts without a screen", async () => {
    const { context } = testContext(THREE);
    expect(await runCommandLine(context, "/fork")).toMatchObject({
      message: "  C  C\n  A  wire the tokenizer",
      hint: "Choose one: /fork <id>",
      data: { prompts: [{ entryId: "C" }, { entryId: "A" }] },
    });
  });

  test("/fork makes a new file and hands the prompt over; the old one stays", async () => {
    const { context, session } = testContext(THREE);
    const before = session.getSessionFile();
    expect(await runCommandLine(context, "/fork C")).toMatchObject({
      kind: "done",
      message: 'New session from just before "C". The original is unchanged.',
      hint: "/resume lists it.",
      editorText: "C",
    });
    expect(session.getSessionFile()).not.toBe(before);
    expect(session.getHeader().parentSession).toBe(before);
  });

  test("/fork wants a prompt, and an extension can stop it", async () => {
    const { context } = testContext(THREE);
    expect(await runCommandLine(context, "/fork b")).toMatchObject({ code: "not-a-user-message" });
    const hooks = hooksOf({ session_before_fork: () => ({ cancel: true }) });
    const stopped = testContext({ ...THREE, agent: { hooks } });
    expect(await runCommandLine(stopped.context, "/fork C")).toEqual({
      kind: "unchanged",
      message: "Fork cancelled by test. Nothing changed.",
      code: "stopped-by-extension",
    });
  });

  test("/branch-here stays in this file", async () => {
    const { context, session } = testContext(THREE);
    const before = session.getSessionFile();
    expect(await runCommandLine(context, "/branch-here A")).toMatchObject({ editorText: "wire the tokenizer" });
    expect([session.getLeafId(), session.getSessionFile()]).toEqual([null, before]);
  });
});
