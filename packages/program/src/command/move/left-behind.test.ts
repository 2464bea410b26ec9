import { estimateEntryTokens } from "@bough/agent/agent/internal.js";
import { answer, type Grow, says } from "@bough/agent/agent/operation-parts.test-support.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { planMove } from "@bough/session/tree/index.js";
import { initialTree, selectEntry, TreeModel } from "@bough/session/view/index.js";
import { enterAction } from "@bough/session/view/internal.js";
import { describe, expect, test } from "vitest";
import { testContext } from "../command-context.test-support.js";
import { type LeftBehindFacts, leftBehindFacts } from "./left-behind.js";

function leaving(session: SessionManager, target: string): LeftBehindFacts {
  return leftBehindFacts(session, planMove(session.getSource(), { target, place: "selected" }));
}

describe("what a move leaves", () => {
  test("is counted from the new place, which for a prompt is before it", () => {
    const { session } = testContext({ drawing: "A-b-C-d*; b-E-f" });
    expect(["f", "b", "C", "A", "d"].map((target) => leaving(session, target).entries)).toEqual([2, 2, 2, 4, 0]);
  });

  test("has the changed files, of a first branch that starts separately too", () => {
    const write = (path: string) => says(answer("", { calls: [{ id: path, name: "write", path }] }));
    const { session } = testContext({ drawing: "A-b-c*; D-e", contents: { b: write("x.ts"), c: write("y.ts") } });
    expect(leaving(session, "e")).toMatchObject({ entries: 3, files: 2 });
    expect(leaving(session, "b")).toMatchObject({ entries: 1, files: 1 });
  });

  test("is read no further than a compaction, which speaks for what is above it", () => {
    const long = "word ".repeat(4000);
    const compaction: Grow = (session) => void session.appendCompaction("short", "C", 100);
    const { session } = testContext({ drawing: "A-b-k-C-d*", contents: { b: says(answer(long)), k: compaction } });
    expect(leaving(session, "A").tokens).toBeLessThan(200);
  });

  test("of a very long branch costs no more than reading its newest part", () => {
    const { session } = testContext({ drawing: "A-b*; A-c" });
    for (let i = 0; i < 3000; i++) session.appendMessage(answer(`answer ${i}`));
    let read = 0;
    const { getEntry } = session;
    session.getEntry = (id) => {
      read += 1;
      return getEntry.call(session, id);
    };
    const { entries, tokens } = leaving(session, "c");
    expect(entries).toBe(3001);
    expect(tokens).toBeGreaterThan(10_000);
    expect(read).toBeLessThan(4000);
  });

  test("is the same number in the question and in the footer of the tree, however long the branch is", () => {
    const { session } = testContext({ drawing: "A-b*; A-c" });
    for (let i = 0; i < 500; i++) session.appendMessage(answer(`answer ${i} `.repeat(1 + (i % 30))));
    const model = new TreeModel(session.getSource(), estimateEntryTokens);
    const state = selectEntry(model, initialTree("all"), model.source.tree.ids.findText("c"));
    const { entries, tokens } = leaving(session, "c");
    expect(enterAction(model, state)).toMatchObject({ kind: "go", id: "c", leaves: { entries, tokens } });
  });
});
