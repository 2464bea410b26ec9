import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import {
  answer,
  drawSession,
  operationParts,
  result,
  says,
  type TestParts,
  user,
} from "../operation-parts.test-support.js";
import { promptsOf, scriptedModel } from "../scripted-model.test-support.js";
import { mergeBranch } from "./merge-branch.js";

const DRAWING = "A-b-C-d*; b-E-f";

function merge(on: TestParts, tipId: string, options: { summarize?: boolean } = {}) {
  return mergeBranch(on, { tipId, signal: on.signal, ...options });
}

describe("merge as a summary", () => {
  test("brings what came after the split, with its origin; the leaf stays on this branch", async () => {
    const model = scriptedModel(["outcome"]);
    const session = drawSession(DRAWING);
    const on = operationParts({ session, model });
    const merged = await merge(on, "f");
    expect(merged).toMatchObject({
      kind: "done",
      ids: ["n1"],
      summaryEntry: {
        type: "branch_summary",
        parentId: "d",
        fromId: "f",
        abandonedLeafId: "f",
        summary: "outcome",
        details: { readFiles: [], modifiedFiles: [], mergedTipId: "f" },
      },
    });
    expect(promptsOf(model)[0]).toMatch(/^<conversation>\n\[User\]: E\n\n\[Assistant\]: f\n<\/conversation>/);
    expect(session.getLeafEntry()).toMatchObject({ type: "usage", parentId: "n1", kind: "merge" });
    expect(session.getBranch("f").map(({ id }) => id)).toEqual(["A", "b", "E", "f"]);
  });

  test("repeating it adds nothing, even after reopening; only new entries are merged", async () => {
    const folder = tempFolder();
    const session = drawSession(DRAWING, {}, { folder });
    await merge(operationParts({ session, model: scriptedModel(["one"]) }), "f");
    session.close();
    const again = SessionManager.open(session.getSessionFile() as string);
    const model = scriptedModel(["two"]);
    const on = operationParts({ session: again, model });
    const before = again.getEntries().length;
    expect(await merge(on, "f")).toEqual({ kind: "unchanged" });
    expect(await merge(on, "E", { summarize: false })).toEqual({ kind: "unchanged" });
    expect(again.getEntries()).toHaveLength(before);
    const here = again.getLeafId() as string;
    again.branch("f");
    const tipId = again.appendMessage(user("G"));
    again.branch(here);
    expect(await merge(on, tipId)).toMatchObject({ kind: "done" });
    expect(promptsOf(model)[0]).toMatch(/^<conversation>\n\[User\]: G\n<\/conversation>/);
    again.close();
  });

  test("a compaction on the other branch represents what is above it", async () => {
    const session = drawSession("A-b-C-d*; b-E-f-k-G", { k: (on) => void on.appendCompaction("so far", "f", 1) });
    const model = scriptedModel(["s"]);
    await merge(operationParts({ session, model }), "G");
    expect(promptsOf(model)[0]).toMatch(
      /^<conversation>\n\[Summary of what came before\]: so far\n\n\[User\]: G\n<\/conversation>/,
    );
  });

  test("a failure or an abort changes nothing", async () => {
    const failing = operationParts({ session: drawSession(DRAWING), model: scriptedModel([{ failure: {} }]) });
    const before = failing.session.getEntries();
    await expect(merge(failing, "f")).rejects.toMatchObject({ code: "summary-failed" });
    expect([failing.session.getEntries(), failing.session.getLeafId()]).toEqual([before, "d"]);
    const stopping = operationParts({
      session: drawSession(DRAWING),
      model: scriptedModel([{ text: "half", hang: true }]),
      onEvent: (event, controller) => event.type === "summary_update" && controller.abort(),
    });
    expect(await merge(stopping, "f")).toEqual({ kind: "aborted" });
    expect([stopping.session.getEntries(), stopping.session.getLeafId()]).toEqual([before, "d"]);
    await expect(merge(operationParts({ session: drawSession(DRAWING) }), "f")).rejects.toMatchObject({
      code: "no-model",
    });
  });
});

describe("merge as turns", () => {
  test("copies what came after the split, tool pairs whole, and twice adds nothing", async () => {
    const session = drawSession("A-b-C-d*; b-E-f-q-g", {
      f: says(answer("", { calls: [{ id: "1", name: "read" }] })),
      q: says(result("1")),
    });
    const on = operationParts({ session });
    expect(await merge(on, "g", { summarize: false })).toMatchObject({ kind: "done", ids: ["n2", "n4", "n5", "n7"] });
    expect(session.getEntry("n1")).toMatchObject({ data: { via: "merge", tipId: "g", sourceIds: ["E"] } });
    expect(session.buildSessionContext().messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "user",
      "assistant",
      "user",
      "assistant",
      "toolResult",
      "assistant",
    ]);
    const leafId = session.getLeafId();
    expect(await merge(on, "g", { summarize: false })).toEqual({ kind: "unchanged" });
    expect(await merge(on, "g")).toEqual({ kind: "unchanged" });
    expect(session.getLeafId()).toBe(leafId);
  });
});

test("the own path cannot be merged, nor an entry that does not exist", async () => {
  const on = operationParts({ session: drawSession(DRAWING), model: scriptedModel([]) });
  await expect(merge(on, "b")).rejects.toMatchObject({ code: "not-on-another-branch" });
  await expect(merge(on, "d")).rejects.toMatchObject({ code: "not-on-another-branch" });
  await expect(merge(on, "zz")).rejects.toMatchObject({ code: "entry-not-found" });
});

test("a whole tree can be merged from before the first entry", async () => {
  const session = drawSession("A-b");
  session.resetLeaf();
  const on = operationParts({ session, model: scriptedModel(["s"]) });
  expect(await merge(on, "b")).toMatchObject({ summaryEntry: { parentId: null, summary: "s" } });
});
