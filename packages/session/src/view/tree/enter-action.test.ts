import { describe, expect, it } from "vitest";
import { continueTarget, editTarget, enterAction } from "./enter-action.js";
import { openBranch, selectEntry } from "./tree-folds.js";
import { nextBranch, nextRow, previousFork } from "./tree-moves.js";
import { parserSession, SampleSession } from "./tree-sample.test-support.js";
import { TreeScreen } from "./tree-screen.test-support.js";

/** A turn with two tools at once, and one more turn; IDs by name. */
function twoTools() {
  const sample = new SampleSession();
  const prompt = sample.say("look");
  const [call = "", first = "", second = ""] = sample.tools(["read", { path: "a" }], ["read", { path: "b" }]);
  const answer = sample.answer("Seen.");
  const next = sample.say("go on");
  const end = sample.answer("Done.");
  return { session: sample.session, prompt, call, first, second, answer, next, end };
}

function on(session: SampleSession["session"], id: string, filter: "default" | "all" = "all"): TreeScreen {
  return new TreeScreen(session, filter).select(id);
}

function action(screen: TreeScreen, situation = {}) {
  return enterAction(screen.model, screen.state, situation);
}

describe("Enter", () => {
  it("goes before a prompt, whose text returns to the editor", () => {
    const { session, next, answer } = twoTools();
    const screen = on(session, next);
    const newLeaf = screen.model.source.tree.ids.findText(answer);
    expect(action(screen)).toMatchObject({ kind: "edit", id: next, newLeaf, leaves: { entries: 2 } });
    expect(screen.draw()).toContain(" Enter edit & resend from here · leaves 2 entries");
  });

  it("goes before the first prompt, where nothing is", () => {
    const { session, prompt } = twoTools();
    expect(action(on(session, prompt))).toMatchObject({ kind: "edit", newLeaf: -1, leaves: { entries: 7 } });
  });

  it("goes to anything else and continues there", () => {
    const { session, answer } = twoTools();
    const screen = on(session, answer);
    expect(action(screen)).toMatchObject({ kind: "go", id: answer, openCalls: false, leaves: { entries: 2 } });
    expect(screen.draw()).toContain(" Enter go there and continue · leaves 2 entries");
  });

  it("goes to exactly that entry inside a turn, and says what becomes of open calls", () => {
    const { session, call, first, second } = twoTools();
    for (const id of [call, first]) {
      const screen = on(session, id);
      const n = screen.model.source.tree.ids.findText(id);
      expect(action(screen)).toMatchObject({ kind: "go", id, newLeaf: n, openCalls: true });
      expect(screen.draw()).toContain(" Enter go there · marks unfinished tool calls as interrupted · leaves ");
    }
    expect(action(on(session, second))).toMatchObject({ kind: "go", id: second, openCalls: false });
  });

  it("goes before the first prompt of an open side branch, which has its own row", () => {
    const { session } = parserSession();
    const screen = new TreeScreen(session).move((model, state) => openBranch(model, state, 2), nextRow);
    const { source, branches } = screen.model;
    const first = branches.firstOf(2);
    expect(action(screen)).toMatchObject({
      kind: "edit",
      id: source.tree.ids.textOf(first),
      newLeaf: source.tree.parentOf(first),
    });
  });

  it("goes to the end of a branch from its row", () => {
    const { session } = parserSession();
    const screen = new TreeScreen(session).move(previousFork, nextRow);
    const tip = screen.model.branches.tipOf(5);
    expect(action(screen)).toMatchObject({ kind: "go", n: tip });
    expect(screen.draw()).toContain(" Enter go to the end of #5 · leaves 4 entries");
  });

  it("stays where you are", () => {
    const { session, end } = twoTools();
    expect(action(on(session, end))).toEqual({ kind: "here" });
    expect(action(new TreeScreen(session, "user-only"))).toEqual({ kind: "here" });
  });

  it("is off while the agent works or another process has the session, with the reason", () => {
    const { session, answer } = twoTools();
    expect(action(on(session, answer), { busy: "Agent is working." })).toEqual({
      kind: "off",
      reason: "Agent is working. You can browse but not move.",
    });
    expect(action(on(session, answer), { readOnly: true })).toEqual({
      kind: "off",
      reason: "Open in another process. You can browse but not move.",
    });
  });

  it("leaves nothing when it goes forward along the path", () => {
    const { session, answer, end } = twoTools();
    session.branch(answer);
    const screen = on(session, end);
    expect(action(screen)).toMatchObject({ kind: "go", leaves: { entries: 0, tokens: 0 } });
    expect(screen.draw()).toContain("leaves nothing, files unchanged");
  });
});

describe("edit and continue", () => {
  it("edit the prompt of the row's turn", () => {
    const { session, first, prompt } = twoTools();
    const { model, state } = on(session, first);
    expect(editTarget(model, state)).toMatchObject({ kind: "edit", id: prompt });
  });

  it("continue after the row's turn, along the path of the leaf where the row is on it", () => {
    const { session, prompt, answer } = twoTools();
    const { model, state } = on(session, prompt);
    expect(continueTarget(model, state)).toMatchObject({ id: answer, newLeaf: model.source.tree.ids.findText(answer) });
    const sample = parserSession();
    const screen = new TreeScreen(sample.session);
    const fix = screen.model.source.tree.ids.findText(
      sample.session.getEntries().find((entry) => JSON.stringify(entry).includes("fix the failing"))?.id ?? "",
    );
    const chosen = selectEntry(screen.model, screen.state, fix);
    expect(continueTarget(screen.model, chosen)?.n).toBe(screen.model.source.leaf);
  });

  it("continue at the end of a branch from its row", () => {
    const screen = new TreeScreen(parserSession().session).move(previousFork, previousFork, nextBranch);
    const { model, state } = screen;
    expect(continueTarget(model, state)?.n).toBe(
      model.branches.tipOf(model.branches.branchOf(state.selected?.n ?? -1)),
    );
  });
});
