import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codePoint } from "../../../../test/support/code-points.js";
import { closestNames, editDistance } from "./closest-name.js";

describe("the edit distance", () => {
  it.each([
    ["", "", 0],
    ["tree", "tree", 0],
    ["tre", "tree", 1],
    ["trees", "tree", 1],
    ["tref", "tree", 1],
    ["rtee", "tree", 1],
    ["kitten", "sitting", 3],
    ["🌳", "🌲", 1],
  ])("from %j to %j is %i", (a, b, distance) => {
    expect([editDistance(a, b), editDistance(b, a)]).toEqual([distance, distance]);
  });

  it("is the same both ways, and nothing only for the same text", () => {
    const text = fc.string({ maxLength: 8, unit: codePoint });
    fc.assert(
      fc.property(text, text, fc.nat(9), (a, b, most) => {
        const whole = editDistance(a, b);
        expect([editDistance(b, a), editDistance(a, b, most)]).toEqual([whole, Math.min(most, whole)]);
        expect(whole === 0).toBe(a === b);
      }),
    );
  });

  it("is given up at the most that matters", () => {
    expect([editDistance("abcdef", "uvwxyz", 3), editDistance("a", "abcdefgh", 2)]).toEqual([3, 2]);
  });
});

describe("the closest names", () => {
  const names = ["export", "export-branch", "import", "tree", "resume"];

  it.each([
    ["exprot", ["export", "import"]],
    ["expo", ["export", "export-branch"]],
    ["Tree", ["tree"]],
    ["resum", ["resume"]],
    ["zzz", []],
    ["", []],
  ])("to %j are %j", (typed, found) => {
    expect(closestNames(typed, names)).toEqual(found);
  });

  it("leave out starts and far names if asked to", () => {
    expect(closestNames("expo", names, { starts: "ignored", share: 1 / 3 })).toEqual([]);
    expect(closestNames("imprt", names, { starts: "ignored", share: 1 / 3, limit: 1 })).toEqual(["import"]);
  });
});
