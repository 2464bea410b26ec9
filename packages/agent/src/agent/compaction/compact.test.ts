import type { CompactionEntry } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { redoMove, undoMove } from "../move/undo-move.js";
import {
  answer,
  drawSession,
  fakeHooks,
  operationParts,
  type PartsOptions,
  result,
  says,
  type TestParts,
  user,
} from "../operation-parts.test-support.js";
import { promptsOf, SCRIPTED_USAGE, scriptedModel } from "../scripted-model.test-support.js";
import { contextTokens } from "../summary/token-estimate.js";
import { compact, needsCompaction } from "./compact.js";
import { pinEntry, unpinEntry } from "./pins.js";
import { planCompaction } from "./plan-compaction.js";
import { undoCompaction } from "./undo-compaction.js";

/** About 100 tokens. */
const LONG = "word ".repeat(80);

function agent(drawing: string, options: Partial<PartsOptions> = {}): TestParts {
  return operationParts({ session: drawSession(drawing), keepRecentTokens: 30, ...options });
}

function compacted(outcome: Awaited<ReturnType<typeof compact>>) {
  if (outcome.kind !== "done") throw new Error(`was ${outcome.kind}`);
  return outcome;
}

describe("compaction", () => {
  test("a summary replaces the older turns; recent ones are kept verbatim", async () => {
    const session = drawSession("A-b-C-d*", { A: says(user(LONG)) });
    const model = scriptedModel(["## Goal\nWords"]);
    const on = operationParts({ session, model, keepRecentTokens: 30 });
    const { entry, tokensBefore, tokensAfter, fromHook } = compacted(await compact(on, on));
    expect(entry).toMatchObject({
      type: "compaction",
      parentId: "d",
      summary: "## Goal\nWords",
      firstKeptEntryId: "C",
      tokensBefore,
      tokensAfter,
      details: { readFiles: [], modifiedFiles: [] },
    });
    expect([tokensAfter < tokensBefore, fromHook]).toEqual([true, false]);
    expect(session.buildSessionContext().messages.map(({ role }) => role)).toEqual([
      "compactionSummary",
      "user",
      "assistant",
    ]);
    expect(session.getLeafEntry()).toMatchObject({ type: "usage", kind: "compaction", usage: SCRIPTED_USAGE });
    expect(on.events).toEqual([
      { type: "summary_start", purpose: "compaction" },
      { type: "summary_update", delta: "## Goal" },
      { type: "summary_update", delta: "\nWords" },
      { type: "summary_end", purpose: "compaction", outcome: "done" },
      { type: "compacted", entryId: entry.id, tokensBefore, tokensAfter, automatic: false },
    ]);
  });

  test("what is left is the whole context, the summary and all that it keeps", async () => {
    const session = drawSession("A-b-C-d*", { A: says(user(LONG)), C: says(user(LONG)), d: says(answer(LONG)) });
    const on = operationParts({ session, model: scriptedModel(["short"]), keepRecentTokens: 208 });
    const { entry, tokensAfter } = compacted(await compact(on, on));
    expect(entry).toMatchObject({ firstKeptEntryId: "C", tokensAfter });
    expect(tokensAfter).toBe(contextTokens(session).tokens);
    expect(tokensAfter).toBeGreaterThan(200);
  });

  test("a later compaction updates the previous summary and starts where that one kept", async () => {
    const model = scriptedModel(["first", "second"]);
    const on = agent("A-b-C-d*", { model });
    await compact(on, on);
    on.session.appendMessage(user("E"));
    on.session.appendMessage(answer("f"));
    const plan = planCompaction(on.session, { keepRecentTokens: 10 });
    expect(plan.kind === "compact" && plan.preparation.entriesToSummarize.map(({ id }) => id)).toEqual([
      "C",
      "d",
      "n2",
    ]);
    compacted(await compact({ ...on, compaction: { ...on.compaction, keepRecentTokens: 10 } }, on));
    expect(promptsOf(model)[1]).toContain("<previous-summary>\nfirst\n</previous-summary>");
    expect(promptsOf(model)[1]).toContain("[User]: C");
    expect(promptsOf(model)[1]).not.toContain("[User]: A");
  });

  test("files accumulate over compactions and branch summaries", async () => {
    const calls = [{ id: "1", name: "read", path: "a.ts" }];
    const session = drawSession("A-b-r-s-C-d*", {
      b: says(answer("", { calls })),
      r: says(result("1")),
      s: (on) => void on.branchWithSummary("r", "left", { readFiles: ["b.ts"], modifiedFiles: ["c.ts"] }),
    });
    const on = operationParts({ session, model: scriptedModel(["one", "two"]), keepRecentTokens: 10 });
    const first = compacted(await compact(on, on)).entry;
    expect(first.details).toEqual({ readFiles: ["a.ts", "b.ts"], modifiedFiles: ["c.ts"] });
    session.appendMessage(answer("", { calls: [{ id: "2", name: "write", path: "a.ts" }] }));
    session.appendMessage(result("2"));
    session.appendMessage(user("E"));
    const { entry } = compacted(await compact(on, on));
    expect(entry.details).toEqual({ readFiles: ["b.ts"], modifiedFiles: ["a.ts", "c.ts"] });
    expect(entry.summary).toBe(
      "two\n\n<read-files>\nb.ts\n</read-files>\n\n<modified-files>\na.ts\nc.ts\n</modified-files>",
    );
  });

  test("instructions of the person go into the prompt; an edit takes what it took out of the context out of the summary too", async () => {
    const session = drawSession("A-b-C-d*", { b: says(answer("the token is hunter2")) });
    session.appendContextEdit("b", null);
    const model = scriptedModel(["s"]);
    const on = operationParts({ session, model, keepRecentTokens: 10 });
    await compact(on, { ...on, customInstructions: "the parser" });
    expect(promptsOf(model)[0]).toMatch(/Pay special attention to this: the parser$/);
    expect(promptsOf(model)[0]).not.toContain("hunter2");
  });

  test("no model, nothing to summarise, a failure, a cut-off summary and an abort change nothing", async () => {
    const cases = [
      { drawing: "A-b-C-d*", step: undefined, code: "no-model" },
      { drawing: "A-b*", step: "s", code: "nothing-to-compact" },
      { drawing: "A-b-C-d*", step: { failure: { message: "down" } }, code: "summary-failed" },
      { drawing: "A-b-C-d*", step: { text: "## Go", stopReason: "length" }, code: "summary-cut-off" },
    ] as const;
    for (const { drawing, step, code } of cases) {
      const on = agent(drawing, step === undefined ? {} : { model: scriptedModel([step]) });
      const before = on.session.getEntries();
      await expect(compact(on, on)).rejects.toMatchObject({ code });
      expect(on.session.getEntries()).toEqual(before);
    }
    const on = agent("A-b-C-d*", {
      model: scriptedModel([{ text: "half", hang: true }]),
      onEvent: (event, controller) => event.type === "summary_update" && controller.abort(),
    });
    const before = on.session.getEntries();
    expect(await compact(on, on)).toEqual({ kind: "aborted" });
    expect(on.session.getEntries()).toEqual(before);
  });

  test("is needed when the context passes the window minus the reserve", async () => {
    const usage = { input: 8_000, output: 999, cacheRead: 0, cacheWrite: 0 };
    const session = drawSession("A-b*", { b: says(answer("b", { usage })) });
    const model = scriptedModel([], { contextWindow: 10_000 });
    const on = operationParts({ session, model });
    expect(await needsCompaction(on)).toBe(false);
    session.appendMessage(user("a few more words"));
    expect(await needsCompaction(on)).toBe(true);
    expect(await needsCompaction({ ...on, compaction: { ...on.compaction, enabled: false } })).toBe(false);
  });
});

describe("compaction hooks", () => {
  test("are asked in order; one that only reacts and throws has said nothing", async () => {
    const order: string[] = [];
    const note = (name: string) => () => void order.push(name);
    const { hooks, heard, problems } = fakeHooks([
      { name: "first", on: { session_before_compact: note("first before"), session_compact: note("first after") } },
      {
        name: "broken",
        on: {
          session_compact: () => {
            throw new Error("no");
          },
        },
      },
      {
        name: "last",
        on: {
          session_before_compact: note("last before"),
          "session.compacting": () => ({ context: ["Mind the tests."], prompt: "Be kind." }),
          session_compact: note("last after"),
        },
      },
    ]);
    const model = scriptedModel(["s"]);
    const on = agent("A-b-C-d*", { model, hooks });
    const { entry } = compacted(await compact(on, { ...on, customInstructions: "x" }));
    expect(order).toEqual(["first before", "last before", "first after", "last after"]);
    expect(problems).toEqual(["broken"]);
    expect(heard.map(({ type }) => type)).toEqual(["session_before_compact", "session.compacting", "session_compact"]);
    expect(heard[0]).toMatchObject({ previousCompactions: [], customInstructions: "x", model: model.info });
    expect(heard[2]).toEqual({
      type: "session_compact",
      compactionEntry: entry,
      reason: "manual",
      fromHook: false,
      fromExtension: false,
    });
    expect(promptsOf(model)[0]).toMatch(/this: x\n\nMind the tests\.\n\nBe kind\.$/);
  });

  test("previous compactions are given newest first", async () => {
    const { hooks, heard } = fakeHooks([]);
    const on = agent("A-b-C-d*", { model: scriptedModel(["one", "two", "three"]), hooks, keepRecentTokens: 10 });
    for (const text of ["E", "F"]) {
      await compact(on, on);
      on.session.appendMessage(user(text));
    }
    await compact(on, on);
    const asked = heard.filter(({ type }) => type === "session_before_compact").at(-1);
    const summaries = (asked as unknown as { previousCompactions: CompactionEntry[] }).previousCompactions;
    expect(summaries.map(({ summary }) => summary)).toEqual(["two", "one"]);
  });

  test.each([
    ["a returned value", { session_before_compact: () => ({ cancel: true }) }],
    ["the method", { session_before_compact: (event: { cancel(): void }) => event.cancel() }],
  ])("cancel by %s: nothing is stored", async (_name, on) => {
    const { hooks, heard } = fakeHooks([{ name: "gate", on }]);
    const agentParts = agent("A-b-C-d*", { model: scriptedModel([]), hooks });
    const before = agentParts.session.getEntries();
    expect(await compact(agentParts, agentParts)).toEqual({ kind: "cancelled", by: "gate" });
    expect(agentParts.session.getEntries()).toEqual(before);
    expect(heard.map(({ type }) => type)).toEqual(["session_before_compact", "session_compact_failed"]);
  });

  test("a supplied compaction is stored as the extension's, and still keeps pins", async () => {
    const { hooks } = fakeHooks([
      {
        name: "own",
        on: {
          session_before_compact: () => ({
            compaction: { summary: "mine", firstKeptEntryId: "d", tokensBefore: 7, details: { version: 1 } },
          }),
        },
      },
    ]);
    const model = scriptedModel([]);
    const on = agent("A-b-C-d*", { model, hooks });
    pinEntry(on, { entryId: "A" });
    const { entry, fromHook } = compacted(await compact(on, on));
    expect(entry).toMatchObject({
      summary: "mine\n\n## Pinned (verbatim)\n\n<pinned>\nA\n</pinned>",
      firstKeptEntryId: "d",
      tokensBefore: 7,
      details: { version: 1 },
      fromHook: true,
    });
    expect([fromHook, model.requests]).toEqual([true, []]);
  });
});

describe("pins", () => {
  test("survive every compaction verbatim, and only once", async () => {
    const pinned = "Never touch   `api/v1`.\n  - spaces and lines stay\n<read-files> too";
    const session = drawSession("A-b-C-d*", { A: says(user(pinned)) });
    const on = operationParts({ session, model: scriptedModel(["one", "two"]), keepRecentTokens: 10 });
    pinEntry(on, { entryId: "A" });
    const first = compacted(await compact(on, on)).entry;
    session.appendMessage(user("E"));
    const second = compacted(await compact(on, on)).entry;
    for (const { summary } of [first, second]) expect(summary.split(pinned)).toHaveLength(2);
    expect(second.summary.startsWith("two\n\n## Pinned (verbatim)\n\n<pinned>\nNever")).toBe(true);
  });

  test("an entry that is still shown needs no copy; an unpinned one gets none", async () => {
    const on = agent("A-b-C-d*", { model: scriptedModel(["one"]) });
    pinEntry(on, { entryId: "A" });
    pinEntry(on, { entryId: "C" });
    unpinEntry(on, { entryId: "A" });
    expect(compacted(await compact(on, on)).entry.summary).toBe("one");
  });

  test("pinning twice adds nothing; what is not on this path or has no text is refused", () => {
    const session = drawSession("A-b-C-d*; b-E", { d: says(answer("", { calls: [{ id: "1", name: "ls" }] })) });
    const on = operationParts({ session });
    expect([pinEntry(on, { entryId: "A" }), pinEntry(on, { entryId: "A" })]).toEqual(["n1", undefined]);
    expect(unpinEntry(on, { entryId: "C" })).toBeUndefined();
    expect(() => pinEntry(on, { entryId: "E" })).toThrow(expect.objectContaining({ code: "not-on-this-path" }));
    expect(() => pinEntry(on, { entryId: "d" })).toThrow(expect.objectContaining({ code: "no-content" }));
    expect(() => pinEntry(on, { entryId: "zz" })).toThrow(expect.objectContaining({ code: "entry-not-found" }));
  });
});

describe("undo of a compaction", () => {
  test("everything is shown again, the compaction stays in the file, and redo or undo brings it back", async () => {
    const folder = tempFolder();
    const session = drawSession("A-b-C-d*", {}, { folder });
    const on = operationParts({ session, model: scriptedModel(["s"]), keepRecentTokens: 10 });
    const before = session.buildSessionContext();
    const { entry } = compacted(await compact(on, on));
    const after = session.buildSessionContext();
    session.appendMessage(user("E"));
    const oldLeafId = session.getLeafId();
    expect(await undoCompaction(on, on)).toEqual({ compactionId: entry.id, oldLeafId, newLeafId: "d", leftBehind: 1 });
    expect(session.buildSessionContext()).toEqual(before);
    expect(session.getEntry(entry.id)).toEqual(entry);
    const again = SessionManager.open(session.getSessionFile() as string);
    expect(again.getLeafId()).toBe("d");
    again.close();
    await redoMove(on, on);
    expect(session.buildSessionContext().messages.slice(0, -1)).toEqual(after.messages);
    await expect(redoMove(on, on)).rejects.toMatchObject({ code: "nothing-to-undo" });
    await undoMove(on, on);
    expect(session.getLeafId()).toBe("d");
    await redoMove(on, on);
    expect(session.getLeafId()).toBe(oldLeafId);
    await undoCompaction(on, on);
    await undoMove(on, on);
    expect(session.buildSessionContext().messages.slice(0, -1)).toEqual(after.messages);
    session.close();
  });

  test("without one there is nothing to undo", async () => {
    const on = agent("A-b*");
    await expect(undoCompaction(on, on)).rejects.toMatchObject({ code: "nothing-to-undo" });
  });
});

describe("the report of what may be lost", () => {
  test("names constraints, decisions and tasks the summary does not hold, and where they were said", async () => {
    const session = drawSession("A-b-C-d*", {
      A: says(user("Build a parser. Never change the public API of lexer.ts! Thanks.")),
      b: says(answer("We decided to use a recursive descent parser. TODO: handle nested comments.")),
    });
    const model = scriptedModel(["## Key Decisions\n- A recursive descent parser was decided on\n"]);
    const on = operationParts({ session, model, keepRecentTokens: 10 });
    const { loss } = compacted(await compact(on, on));
    expect(loss).toEqual({
      checked: 3,
      lost: [
        { kind: "constraint", text: "Never change the public API of lexer.ts!", entryId: "A" },
        { kind: "task", text: "TODO: handle nested comments.", entryId: "b" },
      ],
    });
  });

  test("compares with the previous summary too", async () => {
    const previous = "## Constraints & Preferences\n- Tabs only\n\n## Next Steps\n1. Publish the package\n2. (none)";
    const on = agent("A-b-C-d*", { model: scriptedModel([previous, "## Next Steps\n1. Publish the package"]) });
    await compact(on, on);
    on.session.appendMessage(user("E"));
    const { loss } = compacted(await compact({ ...on, compaction: { ...on.compaction, keepRecentTokens: 10 } }, on));
    expect(loss).toEqual({ checked: 2, lost: [{ kind: "constraint", text: "Tabs only", entryId: null }] });
  });

  test("what is pinned is never lost", async () => {
    const session = drawSession("A-b-C-d*", { A: says(user("You must keep Node 20 working.")) });
    const on = operationParts({ session, model: scriptedModel(["nothing"]), keepRecentTokens: 10 });
    pinEntry(on, { entryId: "A" });
    expect(compacted(await compact(on, on)).loss).toEqual({ checked: 1, lost: [] });
  });
});
