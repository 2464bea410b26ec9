import { describe, expect, it } from "vitest";
import { tree } from "../../../../test/support/tree-notation.js";

function thrownBy(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

describe("what a person typed leads to", () => {
  const session = tree("abc-abd-xyz-x", {});
  session.appendLabelChange("abc", "start");
  session.appendLabelChange("abd", "xyz");
  session.appendLabelChange("xyz", "n");

  it.each([
    ["abd", "abd", "an id"],
    ["x", "x", "an id that is also the beginning of another"],
    ["start", "abc", "a label"],
    ["xyz", "xyz", "an id that is also a label: the id wins"],
    ["n", "xyz", "a label that is also the beginning of ids: the label wins"],
  ])("%s leads to %s: %s", (typed, id) => {
    expect(session.resolveEntry(typed)).toBe(id);
  });

  it("four characters that begin only one ID find it; otherwise the candidates are named", () => {
    const long = tree("abcd1-abcd2-wxyz9");
    expect(long.resolveEntry("wxyz")).toBe("wxyz9");
    expect(thrownBy(() => long.resolveEntry("abcd"))).toMatchObject({
      name: "SessionError",
      code: "ambiguous-entry",
      data: { reference: "abcd", candidates: ["abcd1", "abcd2"] },
      hint: "Give more of the ID: abcd1, abcd2",
    });
  });

  it.each(["w", "wx", "wxy"])("%s is too short to be the start of an ID", (typed) => {
    expect(thrownBy(() => tree("abcd1-wxyz9").resolveEntry(typed))).toMatchObject({
      code: "entry-not-found",
      hint: "Give at least 4 characters of the ID.",
    });
  });

  it.each(["", "nobody", "abcd", "ABC"])("%j finds nothing", (typed) => {
    expect(thrownBy(() => session.resolveEntry(typed))).toMatchObject({
      name: "SessionError",
      code: "entry-not-found",
      message: `Entry ${typed} not found`,
    });
  });

  it("a label on two entries is ambiguous, and a cleared one finds nothing", () => {
    const twice = tree("a-b");
    twice.appendLabelChange("a", "same");
    twice.appendLabelChange("b", "same");
    expect(thrownBy(() => twice.resolveEntry("same"))).toMatchObject({ data: { candidates: ["a", "b"] } });
    twice.appendLabelChange("a");
    expect(twice.resolveEntry("same")).toBe("b");
    twice.appendLabelChange("b", "");
    expect(thrownBy(() => twice.resolveEntry("same"))).toMatchObject({ code: "entry-not-found" });
  });

  it("the error for a start that many IDs have names ten of them", () => {
    const many = tree(Array.from({ length: 40 }, (_, i) => `keys${i}`).join("-"));
    const { data } = thrownBy(() => many.resolveEntry("keys")) as { data: { candidates: string[] } };
    expect(data.candidates).toEqual(Array.from({ length: 10 }, (_, i) => `keys${i}`));
  });
});
