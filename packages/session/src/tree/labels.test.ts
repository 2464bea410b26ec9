import { describe, expect, it } from "vitest";
import { Kind, type LabelEntry, type SessionEntry } from "../entry/index.js";
import { Labels } from "./labels.js";
import { drawTree } from "./tree-drawing.test-support.js";

/** A tree whose entries named `l…` are labels with the content in `says`, and a count of how often each was read. */
function labelled(drawing: string, says: Readonly<Record<string, { targetId: string; label?: unknown }>>) {
  const kinds = Object.fromEntries(Object.keys(says).map((name) => [name, Kind.label]));
  const { tree } = drawTree(drawing, kinds);
  const reads: string[] = [];
  const entryAt = (n: number): SessionEntry => {
    const id = tree.ids.textOf(n);
    reads.push(id);
    return { type: "label", id, parentId: null, timestamp: `time of ${id}`, ...says[id] } as LabelEntry;
  };
  return { tree, reads, entryAt };
}

describe("labels", () => {
  it("are the latest for each target, in the order they were set", () => {
    const { tree, entryAt } = labelled("a-b-l1-l2-l3", {
      l1: { targetId: "a", label: "first" },
      l2: { targetId: "b", label: "other" },
      l3: { targetId: "a", label: "second" },
    });
    expect([...new Labels().resolve(tree, entryAt)]).toEqual([
      ["b", { label: "other", timestamp: "time of l2" }],
      ["a", { label: "second", timestamp: "time of l3" }],
    ]);
  });

  it.each([
    ["absent", undefined],
    ["empty", ""],
    ["no text", 7],
  ])("are cleared by one that is %s", (_, label) => {
    const { tree, entryAt } = labelled("a-l1-l2", {
      l1: { targetId: "a", label: "start" },
      l2: { targetId: "a", label },
    });
    expect(new Labels().resolve(tree, entryAt).size).toBe(0);
  });

  it("are read once each, also when more come", () => {
    const { tree, reads, entryAt } = labelled("a-l1-l2", {
      l1: { targetId: "a", label: "one" },
      l2: { targetId: "a", label: "two" },
    });
    const labels = new Labels();
    labels.resolve(tree, entryAt);
    labels.resolve(tree, entryAt);
    tree.add("l3", "a", { kind: Kind.label, role: 0, offset: 900, length: 1 });
    labels.resolve(tree, entryAt);
    expect(reads).toEqual(["l1", "l2", "l3"]);
  });

  it("count wherever they are attached", () => {
    const { tree, entryAt } = labelled("a-b; a-l1; l2", {
      l1: { targetId: "b", label: "tip" },
      l2: { targetId: "gone", label: "nobody" },
    });
    expect([...new Labels().resolve(tree, entryAt).keys()]).toEqual(["b", "gone"]);
  });
});
