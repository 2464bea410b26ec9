import { describe, expect, it } from "vitest";
import { Kind, Role, type SessionEntry } from "../../entry/index.js";
import { TreeIndex, type TreeSource } from "../../tree/index.js";
import { UNICODE_GLYPHS } from "../glyphs.js";
import { layoutTree } from "./layout-tree.js";
import { prompt } from "./tree-damage.test-support.js";
import { openOrStepIn, selectEntry } from "./tree-folds.js";
import { TreeModel } from "./tree-model.js";
import { firstRow, lastRow, nextBranch, previousRow } from "./tree-moves.js";
import { initialTree, nextNarrowing, TREE_FILTERS, type TreeState } from "./tree-state.js";

const SIZES = [2_000, 20_000];

/** A session that counts how many entries are read. */
function counting(parentOf: (i: number) => number, count: number) {
  const tree = new TreeIndex();
  const entry = { kind: Kind.message, role: Role.user, offset: 0, length: 300 };
  for (let i = 0; i < count; i++) tree.add(`e${i}`, i === 0 ? null : `e${parentOf(i)}`, entry);
  const read = { count: 0 };
  const entryAt = (n: number): SessionEntry => {
    read.count += 1;
    return prompt(`e${n}`, null, `prompt ${n}`);
  };
  const source: TreeSource = { tree, leaf: count - 1, name: "big", entryAt, labelOf: () => undefined };
  return { source, read };
}

const SHAPES = {
  chain: (i: number) => i - 1,
  children: () => 0,
  bushy: (i: number) => (i % 8 === 0 && i > 50 ? (i * 7919) % (i - 40) : i - 1),
  nested: (i: number) => (i < 2 ? 0 : i % 2 === 0 ? i - 2 : i - 1),
};

function draw(model: TreeModel, state: TreeState): void {
  layoutTree(model, state, { width: 120, height: 40, glyphs: UNICODE_GLYPHS, now: 0, hint: () => "x" });
}

describe("what a tree costs", () => {
  it.each(Object.entries(SHAPES))("is the window, not the session: %s", (_name, shape) => {
    const reads = SIZES.map((size) => {
      const { source, read } = counting(shape, size);
      const counts: number[] = [];
      for (const filter of TREE_FILTERS) {
        const model = new TreeModel(source);
        let state = initialTree(filter);
        const step = (next: TreeState): void => {
          state = next;
          draw(model, state);
        };
        read.count = 0;
        step(state);
        step(previousRow(model, state));
        step(firstRow(model, state));
        step(openOrStepIn(model, nextBranch(model, state)));
        step(lastRow(model, state));
        step(selectEntry(model, state, size >> 1));
        step(nextNarrowing(state));
        counts.push(read.count);
        expect(model.rows(state).rows.length).toBeLessThan(2_000);
      }
      return Math.max(...counts);
    });
    expect(Math.max(...reads)).toBeLessThan(3_000);
    // Ten times the session reads about as much.
    expect(reads[1] as number).toBeLessThan(2 * (reads[0] as number) + 200);
  });

  it("reads nothing to go from row to row among rows that were drawn", () => {
    const { source, read } = counting(SHAPES.chain, 20_000);
    const model = new TreeModel(source);
    let state = initialTree("user-only");
    draw(model, state);
    state = previousRow(model, previousRow(model, state));
    draw(model, state);
    read.count = 0;
    state = previousRow(model, state);
    const rows = model.rows(state);
    expect(read.count).toBe(0);
    expect(model.rows({ ...state, labelTimes: true })).toBe(rows);
  });
});
