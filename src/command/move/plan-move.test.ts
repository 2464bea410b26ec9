import { describe, expect, test } from "vitest";
import { planNavigate } from "../../agent/index.js";
import { answer, drawSession, type Grow, says } from "../../agent/operation-parts.test-support.js";
import { testWorld } from "../command-world.test-support.js";
import { leavingOf } from "./leaving.js";
import { planMove } from "./plan-move.js";

const note: Grow = (session) => void session.appendCustomMessageEntry("note", "from an extension", true);
const model: Grow = (session) => void session.appendModelChange("acme", "m-1");

describe("a planned move", () => {
  test.each(["selected", "exact"] as const)("leads where the agent goes, %s", (place) => {
    const contents = { m: model, n: note, o: note };
    const session = drawSession("A-b-n-c-D-e*; m-F-g; b-H; n-o", contents);
    const { tree } = session.getSource();
    for (const entry of session.getEntries()) {
      const plan = planMove(session, { targetId: entry.id, place });
      const agents = planNavigate(session, { targetId: entry.id, place });
      const to = plan.to < 0 ? null : tree.ids.textOf(plan.to);
      if (agents.kind === "stay") expect({ id: entry.id, same: plan.same }).toEqual({ id: entry.id, same: true });
      else {
        const expected = { id: entry.id, to: agents.newLeafId, before: agents.editorText !== undefined };
        expect({ id: entry.id, to, before: plan.before }).toEqual(expected);
      }
    }
  });
});

describe("what a move leaves", () => {
  test("is counted from the new place, which for a prompt is before it", () => {
    const { world } = testWorld({ drawing: "A-b-C-d*; b-E-f" });
    const entries = ["f", "b", "C", "A", "d"].map((targetId) => leavingOf(world, { targetId }).entries);
    expect(entries).toEqual([2, 2, 2, 4, 0]);
  });

  test("has the changed files, of a first branch that starts separately too", () => {
    const write = (path: string) => says(answer("", { calls: [{ id: path, name: "write", path }] }));
    const { world } = testWorld({ drawing: "A-b-c*; D-e", contents: { b: write("x.ts"), c: write("y.ts") } });
    expect(leavingOf(world, { targetId: "e" })).toMatchObject({ entries: 3, files: 2 });
    expect(leavingOf(world, { targetId: "b" })).toMatchObject({ entries: 1, files: 1 });
  });

  test("is read no further than a compaction, which speaks for what is above it", () => {
    const long = "word ".repeat(4000);
    const compaction: Grow = (session) => void session.appendCompaction("short", "C", 100);
    const { world } = testWorld({ drawing: "A-b-k-C-d*", contents: { b: says(answer(long)), k: compaction } });
    const { tokens } = leavingOf(world, { targetId: "A" });
    expect(tokens).toBeLessThan(200);
  });

  test("of a very long branch costs no more than reading its newest part", () => {
    const { world, session } = testWorld({ drawing: "A-b*; A-c" });
    for (let i = 0; i < 3000; i++) session.appendMessage(answer(`answer ${i}`));
    let read = 0;
    const { getEntry } = session;
    session.getEntry = (id) => {
      read += 1;
      return getEntry.call(session, id);
    };
    const { entries, tokens } = leavingOf(world, { targetId: "c" });
    expect(entries).toBe(3001);
    expect(tokens).toBeGreaterThan(10_000);
    expect(read).toBeLessThan(4000);
  });
});
