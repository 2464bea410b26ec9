import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { drawSession } from "../../session/draw-session.test-support.js";
import { UNICODE_GLYPHS } from "../glyphs.js";
import { lineText } from "../line.js";
import { plainTree } from "../plain/plain-tree.js";
import { layoutTree } from "../tree/layout-tree.js";
import { TreeModel } from "../tree/tree-model.js";
import { initialTree } from "../tree/tree-state.js";
import { BranchList } from "./branch-list.js";
import { layoutBranches } from "./layout-branches.js";

/** A session with a side branch whose messages came from a laptop, and a label from there on a local message. */
function world() {
  const session = drawSession("A-b-C-d*; b-E-f", {}, { folder: tempFolder() });
  const label = session.appendLabelChange("d", "good");
  const laptop = { name: "office laptop" };
  const origins = new Map(["E", "f", label].map((id) => [id, laptop]));
  return { session, originsOf: () => origins };
}

describe("branches from another machine", () => {
  it("have its name in the tree, in lines and in the plain outline", () => {
    const { session, originsOf } = world();
    const model = new TreeModel(session.getSource(), undefined, originsOf);
    const state = { ...initialTree(), preview: "off" as const };
    const options = { width: 80, height: 30, glyphs: UNICODE_GLYPHS, now: 0, hint: () => undefined };
    const tree = layoutTree(model, state, options).lines.map(lineText).join("\n");
    expect(tree).toMatch(/#2 .*⇅ office laptop/);
    expect(tree.match(/office laptop/g)).toHaveLength(1);
    expect(plainTree(model, state, { now: 0 }).lines.join("\n")).toMatch(/side branch 2 .*from office laptop/);
  });

  it("have it only while the last that was said there came from it", () => {
    const session = drawSession("A-b-C-d-E-f*", {}, { folder: tempFolder() });
    const laptop = { name: "office laptop" };
    const of = (...ids: string[]) => {
      const origins = new Map(ids.map((id) => [id, laptop]));
      return new BranchList(session.getSource(), { originsOf: () => origins }).row(1).replicas;
    };
    // Four of five turns were made here; the one in between does not make the branch the laptop's.
    expect([of("C", "d"), of("A", "b", "C", "d"), of("E", "f")]).toEqual([[], [], ["office laptop"]]);
  });

  it("have it in the list of branches, which has no such column without them", () => {
    const { session, originsOf } = world();
    const drawn = (list: BranchList) => {
      const numbers = list.numbers({ sort: "age", filter: "all", words: "" });
      const state = {
        ...({ sort: "age", filter: "all", words: "", selected: 0, top: 0, message: undefined } as const),
        row: (index: number) => list.row(numbers[index] ?? 1),
        ...{ count: numbers.length, total: list.total, hasReplicas: list.hasReplicas },
      };
      const options = { width: 80, height: 10, glyphs: UNICODE_GLYPHS, now: 0, hint: () => "" };
      return layoutBranches(state, options).lines.map(lineText).join("\n");
    };
    const list = new BranchList(session.getSource(), { originsOf });
    expect([list.row(1).replicas, list.row(2).replicas]).toEqual([[], ["office laptop"]]);
    expect(drawn(list)).toMatch(/machine[\s\S]*2 +E.*office laptop/);
    expect(drawn(new BranchList(session.getSource()))).not.toContain("machine");
  });
});
