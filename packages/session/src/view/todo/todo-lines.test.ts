import { expect, test } from "vitest";
import type { TodoItem } from "../../entry/index.js";
import { UNICODE_GLYPHS } from "../glyphs.js";
import { lineText } from "../line.js";
import { todoLines } from "./todo-lines.js";

const items = (...states: readonly TodoItem["status"][]): readonly TodoItem[] =>
  states.map((status, at) => ({ text: `step ${at + 1}`, status }));
const drawn = (list: readonly TodoItem[], { width = 40, height = 6 } = {}) =>
  todoLines(list, { width, height, glyphs: UNICODE_GLYPHS }).map(lineText);

test("shows how much is done, what is being done and what is left", () => {
  expect(drawn(items("done", "in_progress", "pending"))).toEqual([
    " Todo · 1 of 3 done",
    "   ✓ step 1",
    "   ❯ step 2",
    "   ○ step 3",
  ]);
});

test("is gone once everything is done, and when there is no list", () => {
  expect([drawn(items("done", "done")), drawn([]), drawn(items("pending"), { height: 0 })]).toEqual([[], [], []]);
});

test("what does not fit gives way: finished items first", () => {
  expect(drawn(items("done", "done", "done", "in_progress", "pending", "pending"), { height: 3 })).toEqual([
    " Todo · 3 of 6 done · 4 not shown",
    "   ❯ step 4",
    "   ○ step 5",
  ]);
});

test("no text breaks the line or draws over it", () => {
  const list: TodoItem[] = [{ text: `one\n\u001b[2Jtwo ${"long ".repeat(30)}`, status: "pending" }];
  const [, line = ""] = drawn(list, { width: 20 });
  expect([line.length <= 20, line.includes("\u001b"), line.startsWith("   ○ one two")]).toEqual([true, false, true]);
});
