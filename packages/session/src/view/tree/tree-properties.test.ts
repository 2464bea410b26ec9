import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionEntry } from "../../entry/index.js";
import { lineWidth } from "../fit-line.js";
import { ASCII_GLYPHS, UNICODE_GLYPHS } from "../glyphs.js";
import { plainTree } from "../plain/plain-tree.js";
import { layoutTree } from "./layout-tree.js";
import { selectedPlace } from "./selection.js";
import { prompt, sourceOf } from "./tree-damage.test-support.js";
import { foldOrStepOut, nextMatch, openOrStepIn, openRow, togglePick } from "./tree-folds.js";
import { TreeModel } from "./tree-model.js";
import * as moves from "./tree-moves.js";
import { TreeSearch } from "./tree-search.js";
import { initialTree, nextFilter, nextNarrowing, nextPreview, type TreeState, withSearch } from "./tree-state.js";

const WORDS = [
  "plain",
  "日本語の文章",
  "👩‍👩‍👧 family",
  "café",
  "e\u0301e\u0301",
  "\u001b[31mred\u001b[0m",
  "\u0007bell\n\ttab",
  "x".repeat(300),
  "",
];

const entries = fc.array(fc.record({ up: fc.nat(6), words: fc.constantFrom(...WORDS), kind: fc.nat(9) }), {
  minLength: 0,
  maxLength: 40,
});

type Step = (model: TreeModel, state: TreeState) => TreeState;
const STEPS: readonly Step[] = [
  moves.previousRow,
  moves.nextRow,
  moves.firstRow,
  moves.lastRow,
  moves.jumpToLeaf,
  moves.previousBranch,
  moves.nextBranch,
  moves.previousFork,
  moves.nextFork,
  (model, state) => moves.previousPage(model, state, 7),
  (model, state) => moves.nextPage(model, state, 7),
  openOrStepIn,
  foldOrStepOut,
  openRow,
  togglePick,
  nextMatch,
  (_model, state) => nextFilter(state),
  (_model, state) => nextNarrowing(state),
  (_model, state) => nextPreview(state, 100),
  (model, state) => withSearch(state, searchFor(model, "e")),
];

function searchFor(model: TreeModel, words: string): TreeSearch {
  const search = new TreeSearch(model, words);
  search.advance(() => false);
  return search;
}

/** Entries of many kinds below each other; occasionally with a missing parent. */
function session(drawn: readonly { readonly up: number; readonly words: string; readonly kind: number }[]) {
  const made = drawn.map(({ up, words, kind }, i): SessionEntry => {
    const parentId =
      i === 0 || (up === 0 && kind % 3 === 0) ? (kind === 9 ? "absent" : null) : `e${Math.max(0, i - Math.max(1, up))}`;
    const base = { id: `e${i}`, parentId, timestamp: "2026-01-15T11:00:00.000Z" };
    const text = [{ type: "text" as const, text: words }];
    switch (kind) {
      case 0:
      case 1:
        return {
          ...base,
          type: "message",
          message: { role: "assistant", content: text, stopReason: kind === 0 ? "stop" : "aborted" } as never,
        };
      case 2:
        return {
          ...base,
          type: "message",
          message: { role: "toolResult", toolCallId: "c", toolName: words, content: text, isError: true, timestamp: 1 },
        };
      case 3:
        return { ...base, type: "compaction", summary: words, tokensBefore: 41_000 };
      case 4:
        return { ...base, type: "branch_summary", summary: words, fromId: "e0" };
      case 5:
        return { ...base, type: "label", targetId: "e0", label: words };
      case 6:
        return { ...base, type: "unreadable", reason: words };
      case 7:
        return { ...base, type: words } as never;
      default:
        return prompt(base.id, parentId, words);
    }
  });
  return sourceOf(made);
}

describe("any tree, whatever is opened in it", () => {
  it("fills its window exactly, has no line that is too wide, and nothing a terminal would obey", () => {
    fc.assert(
      fc.property(
        entries,
        fc.array(fc.nat(STEPS.length - 1), { maxLength: 25 }),
        fc.integer({ min: 20, max: 140 }),
        fc.integer({ min: 6, max: 30 }),
        fc.boolean(),
        (drawn, steps, width, height, ascii) => {
          const model = new TreeModel(session(drawn));
          let state = initialTree();
          for (const step of steps) state = (STEPS[step] as Step)(model, state);
          const glyphs = ascii ? ASCII_GLYPHS : UNICODE_GLYPHS;
          const layout = layoutTree(model, state, {
            width,
            height,
            glyphs,
            now: Date.UTC(2026, 0, 15, 12),
            hint: () => "x",
          });
          expect(layout.lines).toHaveLength(height);
          for (const line of layout.lines) {
            expect(lineWidth(line)).toBeLessThanOrEqual(width);
            for (const { text } of line) expect(text).not.toMatch(/[\p{Control}]/u);
          }
          for (const line of plainTree(model, state, { now: 0 }).lines) expect(line).not.toMatch(/[\p{Control}]/u);
        },
      ),
    );
  });

  it("has one selected row, and each row once", () => {
    fc.assert(
      fc.property(entries, fc.array(fc.nat(STEPS.length - 1), { maxLength: 25 }), (drawn, steps) => {
        const model = new TreeModel(session(drawn));
        let state = initialTree();
        for (const step of steps) state = (STEPS[step] as Step)(model, state);
        const { rows, places } = model.rows(state);
        expect(places.size).toBe(rows.length);
        const place = selectedPlace(model, state);
        if (rows.length === 0) expect(place).toBe(-1);
        else expect(rows[place]).toBeDefined();
      }),
    );
  });

  it("shows every conversation entry exactly once when everything is open", () => {
    fc.assert(
      fc.property(entries, (drawn) => {
        const model = new TreeModel(session(drawn));
        let state = initialTree("all");
        for (let folded = true; folded; ) {
          const side = model.rows(state).rows.filter(({ kind, open }) => kind === "side" && !open);
          folded = side.length > 0;
          state = { ...state, opened: new Set([...state.opened, ...side.map(({ n }) => n)]) };
        }
        const { tree } = model.source;
        const { rows } = model.rows(state);
        const own = rows.filter(({ kind }) => kind === "entry").map(({ n }) => n);
        expect(new Set(own).size).toBe(own.length);
        // The row of a branch represents its first prompt.
        const shown = new Set([...own, ...rows.filter(({ kind }) => kind === "side").map(({ n }) => n)]);
        for (let n = 0; n < tree.count; n++) {
          if (model.branches.conversationAt(n) === n) expect(shown.has(n)).toBe(true);
        }
      }),
    );
  });
});
