import type { CustomEntry } from "@bough/session/entry/index.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  answer,
  drawSession,
  operationParts,
  pathOf,
  says,
  type TestParts,
  user,
} from "../operation-parts.test-support.js";
import { promptsOf, scriptedModel } from "../scripted-model.test-support.js";
import { branchHere } from "./branch-here.js";
import { branchInPlace } from "./branch-in-place.js";
import { MoveHistory } from "./move-history.js";
import { moveLeaf } from "./move-leaf.js";
import { navigate } from "./navigate.js";
import { pop } from "./pop.js";
import { endOf, switchTo } from "./switch-to.js";
import { redoMove, undoMove } from "./undo-move.js";

describe("undo and redo", () => {
  test("undo goes back one step each time, over moves and then runs; redo forward again", async () => {
    const on = operationParts({ session: drawSession("A-b-C-d*; b-E-f") });
    await navigate(on, { targetId: "f", signal: on.signal });
    await navigate(on, { targetId: "b", signal: on.signal });
    const back = [await undoTo(on), await undoTo(on), await undoTo(on), await undoTo(on)];
    expect(back).toEqual(["f", "d", "b", null]);
    await expect(undoMove(on, on)).rejects.toMatchObject({ code: "nothing-to-undo" });
    expect([await redoTo(on), await redoTo(on), await redoTo(on), await redoTo(on)]).toEqual(["b", "d", "f", "b"]);
    await expect(redoMove(on, on)).rejects.toMatchObject({ code: "nothing-to-undo" });
  });

  test("a run after a move is undone before the move, and redo goes to its end", async () => {
    const on = operationParts({ session: drawSession("A-b-C-d*") });
    await navigate(on, { targetId: "C", signal: on.signal });
    on.session.appendMessage(user("other"));
    const answered = on.session.appendMessage(answer("yes"));
    expect(await undoMove(on, on)).toMatchObject({ editorText: "other" });
    expect([on.session.getLeafId(), await undoTo(on)]).toEqual(["b", "d"]);
    expect([await redoTo(on), await redoTo(on)]).toEqual(["b", answered]);
  });

  test("a prompt without an answer can be undone", async () => {
    const on = operationParts({ session: drawSession("A-b-C*") });
    expect([await undoTo(on), await redoTo(on)]).toEqual(["b", "C"]);
  });

  test("anything new forgets what could be redone, and what came before it can still be undone", async () => {
    const on = operationParts({ session: drawSession("A-b-C-d*") });
    expect(await undoTo(on)).toBe("b");
    on.session.appendMessage(user("other"));
    on.session.appendMessage(answer("yes"));
    await expect(redoMove(on, on)).rejects.toMatchObject({ code: "nothing-to-undo" });
    expect([await undoTo(on), await undoTo(on)]).toEqual(["b", null]);
  });

  test("the list is the same after a restart, however it was walked", async () => {
    const moves = fc.array(fc.constantFrom("prompt", "undo", "redo", "b", "d", "undo a compaction"), { maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(moves, async (walk) => {
        const on = operationParts({ session: drawSession("A-b-C-d*") });
        for (const [at, one] of walk.entries()) {
          if (one === "prompt") {
            on.session.appendMessage(user(`p${at}`));
            on.session.appendMessage(answer(`a${at}`));
          } else if (one === "undo") await undoMove(on, on).catch(() => undefined);
          else if (one === "redo") await redoMove(on, on).catch(() => undefined);
          else if (one === "undo a compaction") moveLeaf(on, { newLeafId: "C", cause: "undo-compaction" });
          else await navigate(on, { targetId: one, place: "exact", signal: on.signal });
        }
        const { session } = on;
        const again = new MoveHistory();
        const both = [on.moves, again].map((moves) => {
          const steps: unknown[] = [moves.next(session) ?? "none"];
          for (let step = moves.previous(session); step !== undefined; step = moves.previous(session)) {
            steps.push(step);
            moves.passed(session);
          }
          return steps;
        });
        expect(both[1]).toEqual(both[0]);
      }),
      { numRuns: 300 },
    );
  });

  test("undo returns exactly to a user message, and to before the first entry", async () => {
    const on = operationParts({ session: drawSession("A-b-C*") });
    await navigate(on, { targetId: "A", signal: on.signal });
    expect(await undoTo(on)).toBe("C");
    expect(await redoTo(on)).toBeNull();
  });

  test("a move with a summary can be undone; the summary stays in the file", async () => {
    const on = operationParts({ session: drawSession("A-b-C-d*"), model: scriptedModel(["s"]) });
    const { summaryEntry } = await navigate(on, { targetId: "b", summarize: true, signal: on.signal });
    expect(await undoTo(on)).toBe("d");
    expect(on.session.getEntry(summaryEntry?.id ?? "")).toEqual(summaryEntry);
  });

  test("a new move forgets what could be redone", async () => {
    const on = operationParts({ session: drawSession("A-b-C-d*; b-E-f") });
    await navigate(on, { targetId: "f", signal: on.signal });
    await undoMove(on, on);
    await navigate(on, { targetId: "b", signal: on.signal });
    await expect(redoMove(on, on)).rejects.toMatchObject({ code: "nothing-to-undo" });
  });

  async function undoTo(on: TestParts) {
    await undoMove(on, on);
    return on.session.getLeafId();
  }

  async function redoTo(on: TestParts) {
    await redoMove(on, on);
    return on.session.getLeafId();
  }
});

describe("switchTo", () => {
  test("makes exactly that entry the leaf, a user message too, with nothing for the editor", async () => {
    const on = operationParts({ session: drawSession("A-b-C-d*; b-E-f") });
    expect(await switchTo(on, { entryId: "E", signal: on.signal })).toEqual({ kind: "done", cancelled: false });
    expect(on.session.getLeafId()).toBe("E");
  });

  test("or goes to the end of its branch, by the newest child at every fork", async () => {
    const session = drawSession("A-b-C-d*; b-E-f-G-h; f-I-j");
    expect([endOf(session, "b"), endOf(session, "C"), endOf(session, "G"), endOf(session, "j")]).toEqual([
      "j",
      "d",
      "h",
      "j",
    ]);
    const on = operationParts({ session });
    await switchTo(on, { entryId: "E", to: "end", signal: on.signal });
    expect(session.getLeafId()).toBe("j");
  });

  test("bookkeeping at a tip is skipped, but not in between", () => {
    const session = drawSession("A-k-b-l*", {
      k: (s) => void s.appendThinkingLevelChange("low"),
      l: (s) => void s.appendSessionInfo("name"),
    });
    expect(endOf(session, "A")).toBe("b");
  });
});

describe("pop", () => {
  test("goes to the previous user message with a summary of what followed it", async () => {
    const model = scriptedModel(["done there"]);
    const on = operationParts({ session: drawSession("A-b-C-d-e*"), model });
    expect(await pop(on, { signal: on.signal })).toMatchObject({
      cancelled: false,
      editorText: "C",
      summaryEntry: { parentId: "b", fromId: "e", summary: "done there" },
    });
    expect(pathOf(on.session).slice(0, 3)).toEqual(["A:message", "b:message", "n1:branch_summary"]);
  });

  test("hands the prompt it goes before to the summariser, also the very first one", async () => {
    for (const [drawing, said] of [
      ["A-b-C-d*", "[User]: C\n\n[Assistant]: d"],
      ["A-b*", "[User]: A\n\n[Assistant]: b"],
    ] as const) {
      const model = scriptedModel(["done there"]);
      const on = operationParts({ session: drawSession(drawing), model });
      await pop(on, { signal: on.signal });
      expect(promptsOf(model).join("")).toContain(said);
    }
  });

  test("goes to a named entry, or without a summary", async () => {
    const on = operationParts({ session: drawSession("A-b-C-d*"), model: scriptedModel(["s"]) });
    expect(await pop(on, { entryId: "b", signal: on.signal })).toMatchObject({ summaryEntry: { parentId: "b" } });
    const without = operationParts({ session: drawSession("A-b-C-d*") });
    expect(await pop(without, { summarize: false, signal: without.signal })).toEqual({
      kind: "done",
      cancelled: false,
      editorText: "C",
    });
  });

  test("without an earlier user message it cannot move", async () => {
    const session = drawSession("a-b*", { a: says(answer("a")) });
    const on = operationParts({ session, model: scriptedModel([]) });
    await expect(pop(on, { signal: on.signal })).rejects.toMatchObject({ code: "not-a-user-message" });
  });
});

describe("every operation that moves says why", () => {
  async function recorded(move: (on: TestParts) => Promise<unknown>): Promise<unknown> {
    const on = operationParts({ session: drawSession("A-b-C-d*; b-E-f"), model: scriptedModel(["s"]) });
    await move(on);
    const last = on.session.getEntries().findLast(({ type }) => type === "custom" || type === "branch_summary");
    return last?.type === "branch_summary" ? last.cause : (last as CustomEntry | undefined)?.data;
  }

  test.each<[string, unknown, (on: TestParts) => Promise<unknown>]>([
    ["the tree", { cause: "tree" }, (on) => navigate(on, { targetId: "b", signal: on.signal })],
    ["a branch here", { cause: "branch" }, (on) => branchHere(on, { entryId: "b", signal: on.signal })],
    ["a switch", { cause: "switch" }, (on) => switchTo(on, { entryId: "f", signal: on.signal })],
    [
      "a branch here, and a cause that is undefined",
      { cause: "branch" },
      (on) => branchHere(on, { entryId: "b", cause: undefined, signal: on.signal }),
    ],
    [
      "a switch, and a cause that is undefined",
      { cause: "switch" },
      (on) => switchTo(on, { entryId: "f", cause: undefined, signal: on.signal }),
    ],
    ["a pop", "pop", (on) => pop(on, { signal: on.signal })],
    ["an extension", { cause: "extension" }, (on) => branchInPlace(on, { parentId: "b" })],
    [
      "an undo",
      { cause: "undo" },
      async (on) => {
        await navigate(on, { targetId: "b", signal: on.signal });
        await undoMove(on, on);
      },
    ],
    [
      "a redo",
      { cause: "redo" },
      async (on) => {
        await navigate(on, { targetId: "b", signal: on.signal });
        await undoMove(on, on);
        await redoMove(on, on);
      },
    ],
    [
      "a word of the caller",
      { cause: "retry" },
      (on) => navigate(on, { targetId: "b", cause: "retry", signal: on.signal }),
    ],
  ])("%s", async (_, cause, move) => {
    expect(await recorded(move)).toEqual(cause);
  });
});
