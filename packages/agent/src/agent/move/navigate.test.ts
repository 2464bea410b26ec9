import type { BranchSummaryEntry } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import {
  answer,
  drawSession,
  fakeHooks,
  operationParts,
  type PartsOptions,
  pathOf,
  result,
  says,
  type TestParts,
  user,
} from "../operation-parts.test-support.js";
import { promptsOf, SCRIPTED_USAGE, scriptedModel } from "../scripted-model.test-support.js";
import { navigate, planNavigate } from "./navigate.js";

/** Upper case: user messages. Leaving `f` for `h` abandons D e f. */
const FORKED = "A-b-C-x-D-e-f*; x-G-h";

function parts(drawing: string, options: Partial<PartsOptions> = {}): TestParts {
  return operationParts({ session: drawSession(drawing), ...options });
}

function move(on: TestParts, targetId: string, options: Partial<Parameters<typeof navigate>[1]> = {}) {
  return navigate(on, { targetId, signal: on.signal, ...options });
}

describe("selection rules", () => {
  test("a user message: the leaf goes to its parent and its text to the editor", async () => {
    const on = parts("A-b-C-d*");
    expect(await move(on, "C")).toEqual({ kind: "done", cancelled: false, editorText: "C" });
    expect(on.session.getLeafId()).toBe("b");
  });

  test("a custom message: the leaf goes to its parent and its text to the editor", async () => {
    const session = drawSession("A-b-m-d*", { m: (s) => void s.appendCustomMessageEntry("note", "a note", true) });
    const on = operationParts({ session });
    expect(await move(on, "m")).toEqual({ kind: "done", cancelled: false, editorText: "a note" });
    expect(session.getLeafId()).toBe("b");
  });

  test("a message with the role custom: the same", async () => {
    const custom = { role: "custom", customType: "x", content: "said", display: true, timestamp: 1 } as const;
    const session = drawSession("A-b-m-d*", { m: says(custom) });
    const on = operationParts({ session });
    expect(await move(on, "m")).toEqual({ kind: "done", cancelled: false, editorText: "said" });
    expect(session.getLeafId()).toBe("b");
  });

  test("anything else: the leaf is the entry itself and the editor stays empty", async () => {
    const session = drawSession("A-b-c-R-k*", {
      b: says(answer("", { calls: [{ id: "1", name: "read" }] })),
      c: says(result("1")),
      k: (s) => void s.appendThinkingLevelChange("high"),
    });
    for (const id of ["b", "c", "k"]) {
      session.branch("R");
      expect(await move(operationParts({ session }), id)).toEqual({ kind: "done", cancelled: false });
      expect(session.getLeafId()).toBe(id);
    }
  });

  test("null target: the first user message resets the leaf, and what is sent next is another root", async () => {
    const on = parts("A-b*");
    expect(await move(on, "A")).toEqual({ kind: "done", cancelled: false, editorText: "A" });
    expect(on.session.getLeafId()).toBeNull();
    on.session.appendMessage(user("again"));
    expect(on.session.getLeafEntry()?.parentId).toBeNull();
  });

  test("a root that is not a user message is itself the target", async () => {
    const session = drawSession("k-A-b*", { k: (s) => void s.appendModelChange("acme", "m-1") });
    expect(await move(operationParts({ session }), "k")).toEqual({ kind: "done", cancelled: false });
    expect(session.getLeafId()).toBe("k");
  });

  test("no-op: selecting the leaf changes nothing, asks nothing and needs no model", async () => {
    const { hooks, heard } = fakeHooks([]);
    const on = parts(FORKED, { hooks });
    const before = on.session.getEntries().length;
    expect(await move(on, "f", { summarize: true })).toEqual({ kind: "unchanged", cancelled: false });
    expect(on.session.getEntries()).toHaveLength(before);
    expect([heard, on.events]).toEqual([[], []]);
  });

  test("an exact place is the entry itself, also where it is a user message", async () => {
    const on = parts(FORKED);
    expect(await move(on, "G", { place: "exact" })).toEqual({ kind: "done", cancelled: false });
    expect(on.session.getLeafId()).toBe("G");
  });

  test("an entry that does not exist is refused", async () => {
    await expect(move(parts("A*"), "zz")).rejects.toMatchObject({ code: "entry-not-found" });
  });

  test("a position record means the position it names", async () => {
    const session = drawSession("A-b-C-d*");
    session.branch("b");
    const record = session.recordPosition() as string;
    session.branch("d");
    await move(operationParts({ session }), record);
    expect(session.getLeafId()).toBe("b");
  });
});

describe("what is summarised", () => {
  test("abandoned path: from the old leaf back to the common ancestor, oldest first", () => {
    const plan = planNavigate(drawSession(FORKED), { targetId: "h", summarize: true });
    expect(plan).toMatchObject({
      kind: "move",
      newLeafId: "h",
      preparation: { targetId: "h", oldLeafId: "f", commonAncestorId: "x", userWantsSummary: true },
    });
    expect(prepared(plan)).toEqual(["D", "e", "f"]);
  });

  test("compaction stop: a compaction met first ends it, and its summary is included", () => {
    const session = drawSession("A-b-C-d-k-E-f*; b-G", { k: (s) => void s.appendCompaction("so far", "C", 9) });
    expect(prepared(planNavigate(session, { targetId: "G" }))).toEqual(["k", "E", "f"]);
  });

  test("going before a prompt of your own path leaves the prompt, so it is summarised too", () => {
    const plan = planNavigate(drawSession("A-b-C-d-e*"), { targetId: "C" });
    expect(plan).toMatchObject({ newLeafId: "b", editorText: "C", preparation: { commonAncestorId: "b" } });
    expect(prepared(plan)).toEqual(["C", "d", "e"]);
    expect(prepared(planNavigate(drawSession("A-b*"), { targetId: "A" }))).toEqual(["A", "b"]);
  });

  test("a prompt of another branch is not left, and stays out of the summary", () => {
    const plan = planNavigate(drawSession(FORKED), { targetId: "G" });
    expect(plan).toMatchObject({ newLeafId: "x", preparation: { commonAncestorId: "x" } });
    expect(prepared(plan)).toEqual(["D", "e", "f"]);
  });

  test("going further down the same path leaves nothing behind", () => {
    const session = drawSession("A-b-C-d; b*");
    expect(prepared(planNavigate(session, { targetId: "d" }))).toEqual([]);
  });

  test("without a common ancestor everything is left", () => {
    const session = drawSession("A-b*; G-h");
    expect(planNavigate(session, { targetId: "h" })).toMatchObject({ preparation: { commonAncestorId: null } });
    expect(prepared(planNavigate(session, { targetId: "h" }))).toEqual(["A", "b"]);
  });

  function prepared(plan: ReturnType<typeof planNavigate>): string[] {
    return plan.kind === "move" ? plan.preparation.entriesToSummarize.map(({ id }) => id) : [];
  }
});

describe("a summary by the model", () => {
  test("summary placement: at the new position, not on the abandoned branch, and fromId names the leaf that was left", async () => {
    const model = scriptedModel(["## Goal\nTry it"]);
    const on = parts(FORKED, { model });
    const { summaryEntry } = await move(on, "h", { summarize: true });
    expect(summaryEntry).toMatchObject({
      type: "branch_summary",
      parentId: "h",
      fromId: "f",
      abandonedLeafId: "f",
      summary: "## Goal\nTry it",
      details: { readFiles: [], modifiedFiles: [] },
    });
    expect(summaryEntry).not.toHaveProperty("fromHook");
    expect(on.session.getChildren("f").map(({ id }) => id)).toEqual(["position"]);
    expect(on.events).toEqual([
      { type: "summary_start", purpose: "branch" },
      { type: "summary_update", delta: "## Goal" },
      { type: "summary_update", delta: "\nTry it" },
      { type: "summary_end", purpose: "branch", outcome: "done" },
      { type: "moved", oldLeafId: "f", newLeafId: "n2" },
    ]);
  });

  test("fromId is root when the target is null", async () => {
    const on = parts("A-b*", { model: scriptedModel(["s"]) });
    const { summaryEntry } = await move(on, "A", { summarize: true });
    expect(summaryEntry).toMatchObject({ parentId: null, fromId: "root", abandonedLeafId: "b" });
  });

  test("what it cost is recorded below it and counts as a usage entry", async () => {
    const on = parts(FORKED, { model: scriptedModel(["s"]) });
    const { summaryEntry } = await move(on, "h", { summarize: true });
    expect(on.session.getLeafEntry()).toMatchObject({
      type: "usage",
      parentId: summaryEntry?.id,
      kind: "branch_summary",
      provider: "scripted",
      model: "script",
      usage: SCRIPTED_USAGE,
    });
  });

  test("files that were read and changed end the summary and are in its details", async () => {
    const calls = [
      { id: "1", name: "read", path: "a.ts" },
      { id: "2", name: "edit", path: "b.ts" },
    ];
    const session = drawSession("A-b-C-d-r-q*; b-G", {
      d: says(answer("", { calls })),
      r: says(result("1")),
      q: says(result("2")),
    });
    const on = operationParts({ session, model: scriptedModel(["text"]) });
    const { summaryEntry } = await move(on, "G", { summarize: true });
    expect(summaryEntry).toMatchObject({
      summary: "text\n\n<read-files>\na.ts\n</read-files>\n\n<modified-files>\nb.ts\n</modified-files>",
      details: { readFiles: ["a.ts"], modifiedFiles: ["b.ts"] },
    });
  });

  test("nothing is asked where nothing was left, or where nothing was said there", async () => {
    const model = scriptedModel([]);
    const on = parts("A-b-C-d; b*", { model });
    expect(await move(on, "d", { summarize: true })).toEqual({ kind: "done", cancelled: false });
    const session = drawSession("A-b-k*", { k: (s) => void s.appendThinkingLevelChange("low") });
    expect(await move(operationParts({ session, model }), "b", { summarize: true })).toEqual({
      kind: "done",
      cancelled: false,
    });
    expect(model.requests).toEqual([]);
  });

  test("custom instructions follow the standard ones, or replace them", async () => {
    const model = scriptedModel(["s", "s"]);
    const on = parts(FORKED, { model });
    await move(on, "h", { summarize: true, customInstructions: "the parser" });
    on.session.branch("f");
    await move(on, "h", { summarize: true, customInstructions: "One line.", replaceInstructions: true });
    const [first, second] = promptsOf(model);
    expect(first).toContain("## Constraints & Preferences");
    expect(first).toMatch(/Pay special attention to this: the parser$/);
    expect(second).toBe("<conversation>\n[User]: D\n\n[Assistant]: e\n\n[Assistant]: f\n</conversation>\n\nOne line.");
  });

  test("the summary is what the model sees at the new place, and it survives reopening", async () => {
    const folder = tempFolder();
    const session = drawSession(FORKED, {}, { folder });
    const on = operationParts({ session, model: scriptedModel(["learned"]) });
    await move(on, "h", { summarize: true });
    const { messages } = session.buildSessionContext();
    expect(messages.at(-1)).toMatchObject({ role: "branchSummary", summary: "learned", fromId: "f" });
    const leafId = session.getLeafId();
    session.close();
    const again = SessionManager.open(session.getSessionFile() as string);
    expect(again.getLeafId()).toBe(leafId);
    expect(again.buildSessionContext().messages).toEqual(messages);
    again.close();
  });
});

describe("a summary that does not come about cancels the move", () => {
  test("abort leaves the leaf, stores nothing and says so", async () => {
    const { hooks, heard } = fakeHooks([]);
    const on = parts(FORKED, {
      model: scriptedModel([{ text: "half of it", hang: true }]),
      hooks,
      onEvent: (event, controller) => {
        if (event.type === "summary_update") controller.abort();
      },
    });
    const before = on.session.getEntries();
    expect(await move(on, "h", { summarize: true })).toEqual({ kind: "aborted", cancelled: true, aborted: true });
    expect(on.session.getLeafId()).toBe("f");
    expect(on.session.getEntries()).toEqual(before);
    expect(on.events.at(-1)).toEqual({ type: "summary_end", purpose: "branch", outcome: "aborted" });
    expect(heard.at(-1)).toMatchObject({ type: "session_tree", cancelled: true, aborted: true, newLeafId: "f" });
  });

  test("abort works also where the model does not listen", async () => {
    const deaf = scriptedModel([]);
    const model = {
      ...deaf,
      stream: async function* () {
        yield { type: "text", delta: "never ends" } as const;
        await new Promise(() => {});
      },
    };
    const on = parts(FORKED, { model, onEvent: (event, c) => event.type === "summary_update" && c.abort() });
    expect(await move(on, "h", { summarize: true })).toEqual({ kind: "aborted", cancelled: true, aborted: true });
    expect(on.session.getLeafId()).toBe("f");
  });

  test.each([
    ["a failing model", { failure: { kind: "rate-limit", message: "Too many requests" } }, "summary-failed"],
    ["a model that is cut off by its output limit", { text: "## Go", stopReason: "length" }, "summary-cut-off"],
    ["a model that says nothing", { text: "  " }, "summary-failed"],
  ] as const)("%s", async (_name, step, code) => {
    const on = parts(FORKED, { model: scriptedModel([step]) });
    const before = on.session.getEntries();
    await expect(move(on, "h", { summarize: true, label: "x" })).rejects.toMatchObject({ code });
    expect(on.session.getLeafId()).toBe("f");
    expect(on.session.getEntries()).toEqual(before);
    expect(on.events.at(-1)).toEqual({ type: "summary_end", purpose: "branch", outcome: "failed" });
  });

  test("the reason of a summary that failed is in the data of the error", async () => {
    const on = parts(FORKED, {
      model: scriptedModel([{ failure: { kind: "rate-limit", message: "Too many requests" } }]),
    });
    await expect(move(on, "h", { summarize: true })).rejects.toMatchObject({
      message: "Could not write the summary: Too many requests",
      data: { reason: "Too many requests", failure: { kind: "rate-limit" } },
    });
  });

  test("no model and a summary wanted: fails at once, before anyone is asked", async () => {
    const { hooks, heard } = fakeHooks([]);
    const on = parts(FORKED, { hooks });
    await expect(move(on, "h", { summarize: true })).rejects.toMatchObject({ code: "no-model" });
    expect(heard).toEqual([]);
    expect(on.session.getLeafId()).toBe("f");
  });
});

describe("extensions", () => {
  test("session_before_tree gets the preparation, and session_tree fires after the move", async () => {
    const { hooks, heard } = fakeHooks([]);
    const on = parts(FORKED, { hooks });
    await move(on, "G", { customInstructions: "c", replaceInstructions: true, label: "l" });
    expect(heard).toMatchObject([
      {
        type: "session_before_tree",
        targetId: "G",
        signal: on.signal,
        preparation: {
          targetId: "G",
          oldLeafId: "f",
          commonAncestorId: "x",
          userWantsSummary: false,
          customInstructions: "c",
          replaceInstructions: true,
          label: "l",
        },
      },
      {
        type: "session_tree",
        newLeafId: on.session.getLeafId(),
        oldLeafId: "f",
        targetId: "G",
        editorText: "G",
        fromHook: false,
        fromExtension: false,
        cancelled: false,
        aborted: false,
      },
    ]);
  });

  test.each([
    ["by a returned value", { session_before_tree: () => ({ cancel: true }) }],
    ["by the method of the event", { session_before_tree: (event: { cancel(): void }) => event.cancel() }],
  ])("hook cancel %s: the leaf stays, nothing is stored, and the extension is named", async (_name, on) => {
    const { hooks, heard } = fakeHooks([{ name: "gate", on }]);
    const agent = parts(FORKED, { hooks, model: scriptedModel([]) });
    const before = agent.session.getEntries();
    expect(await move(agent, "h", { summarize: true })).toEqual({
      kind: "cancelled",
      cancelled: true,
      cancelledBy: "gate",
    });
    expect(agent.session.getLeafId()).toBe("f");
    expect(agent.session.getEntries()).toEqual(before);
    expect(heard.at(-1)).toMatchObject({ type: "session_tree", cancelled: true, aborted: false });
  });

  test("a returned value wins over what was said by the methods", async () => {
    const { hooks } = fakeHooks([
      {
        name: "both",
        on: {
          session_before_tree: (event) => {
            event.cancel();
            event.setCustomInstructions("by method");
            event.setSummarize(true);
            return { cancel: false, customInstructions: "by value" };
          },
        },
      },
    ]);
    const model = scriptedModel(["s"]);
    const on = parts(FORKED, { hooks, model });
    expect(await move(on, "h")).toMatchObject({ cancelled: false, summaryEntry: { summary: "s" } });
    expect(JSON.stringify(model.requests[0]?.messages)).toContain("Pay special attention to this: by value");
  });

  test("hook summary: used instead of the model's, with its details and fromHook", async () => {
    const supplied = { summary: "mine", details: { custom: true } };
    const { hooks, heard } = fakeHooks([{ name: "own", on: { session_before_tree: () => ({ summary: supplied }) } }]);
    const model = scriptedModel([]);
    const on = parts(FORKED, { hooks, model });
    const { summaryEntry } = await move(on, "h", { summarize: true });
    expect(summaryEntry).toMatchObject({ parentId: "h", fromId: "f", ...supplied, fromHook: true });
    expect(heard.at(-1)).toMatchObject({ summaryEntry, fromHook: true, fromExtension: true });
    expect(model.requests).toEqual([]);
  });

  test("overrides: instructions, replacing them, and the label", async () => {
    const { hooks } = fakeHooks([
      {
        name: "focus",
        on: {
          session_before_tree: () => ({
            customInstructions: "Only names.",
            replaceInstructions: true,
            label: "theirs",
          }),
        },
      },
    ]);
    const model = scriptedModel(["s"]);
    const on = parts(FORKED, { hooks, model });
    const { summaryEntry } = await move(on, "h", { summarize: true, customInstructions: "mine", label: "mine" });
    expect(promptsOf(model)[0]).toMatch(/<\/conversation>\n\nOnly names\.$/);
    expect(on.session.getLabel((summaryEntry as BranchSummaryEntry).id)).toBe("theirs");
  });

  test("setSummarize(false) cancels the summary", async () => {
    const { hooks } = fakeHooks([{ name: "no", on: { session_before_tree: (event) => event.setSummarize(false) } }]);
    const model = scriptedModel([]);
    expect(await move(parts(FORKED, { hooks, model }), "h", { summarize: true })).toEqual({
      kind: "done",
      cancelled: false,
    });
  });

  test("a handler that throws cancels the move", async () => {
    const { hooks, problems } = fakeHooks([
      {
        name: "broken",
        on: {
          session_before_tree: () => {
            throw new Error("no");
          },
        },
      },
    ]);
    const on = parts(FORKED, { hooks });
    expect(await move(on, "h")).toEqual({ kind: "cancelled", cancelled: true, cancelledBy: "broken" });
    expect([problems, on.session.getLeafId()]).toEqual([["broken"], "f"]);
  });

  test("an abort while extensions are asked leaves the leaf", async () => {
    const on: TestParts = parts(FORKED, {
      hooks: fakeHooks([{ name: "slow", on: { session_before_tree: () => on.controller.abort() } }]).hooks,
    });
    expect(await move(on, "h")).toEqual({ kind: "aborted", cancelled: true, aborted: true });
    expect(on.session.getLeafId()).toBe("f");
  });
});

describe("label placement", () => {
  test("on the summary entry", async () => {
    const on = parts(FORKED, { model: scriptedModel(["s"]) });
    const { summaryEntry } = await move(on, "h", { summarize: true, label: "tried" });
    expect([on.session.getLabel(summaryEntry?.id ?? ""), on.session.getLabel("h")]).toEqual(["tried", undefined]);
  });

  test("on the target if there is no summary, even if the leaf moves before it", async () => {
    const on = parts(FORKED);
    await move(on, "G", { label: "here" });
    expect(on.session.getLabel("G")).toBe("here");
    expect(pathOf(on.session)).toEqual(["A:message", "b:message", "C:message", "x:message", "n2:label"]);
  });
});

test("a move without a summary is recorded: the leaf is the same after reopening, also at null", async () => {
  const folder = tempFolder();
  for (const [target, leaf] of [
    ["b", "b"],
    ["A", null],
  ] as const) {
    const session = drawSession("A-b-C-d*", {}, { folder });
    await move(operationParts({ session }), target);
    // As after a kill: nobody closed the session.
    const again = SessionManager.open(session.getSessionFile() as string);
    expect(again.getLeafId()).toBe(leaf);
    again.close();
    session.close();
  }
});
