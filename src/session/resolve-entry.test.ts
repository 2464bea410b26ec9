import { describe, expect, it } from "vitest";
import { tree } from "../../test/support/tree-notation.js";

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
    ["xy", "xyz", "a beginning that only one id has"],
  ])("%s leads to %s: %s", (typed, id) => {
    expect(session.resolveEntry(typed)).toBe(id);
  });

  it.each(["ab", "a"])("%s has several candidates, and they are named", (typed) => {
    expect(thrownBy(() => session.resolveEntry(typed))).toMatchObject({
      name: "SessionError",
      code: "ambiguous-entry",
      data: { reference: typed, candidates: ["abc", "abd"] },
      hint: "Give more of the id: abc, abd",
    });
  });

  it.each(["", "nobody", "abcd", "ABC"])("%j leads nowhere", (typed) => {
    expect(thrownBy(() => session.resolveEntry(typed))).toMatchObject({
      name: "SessionError",
      code: "entry-not-found",
      message: `Entry ${typed} not found`,
    });
  });

  it("a label on two entries is ambiguous, and a cleared one leads nowhere", () => {
    const twice = tree("a-b");
    twice.appendLabelChange("a", "same");
    twice.appendLabelChange("b", "same");
    expect(thrownBy(() => twice.resolveEntry("same"))).toMatchObject({ data: { candidates: ["a", "b"] } });
    twice.appendLabelChange("a");
    expect(twice.resolveEntry("same")).toBe("b");
    twice.appendLabelChange("b", "");
    expect(thrownBy(() => twice.resolveEntry("same"))).toMatchObject({ code: "entry-not-found" });
  });

  it("a beginning that many ids have names ten of them", () => {
    const many = tree(Array.from({ length: 40 }, (_, i) => `k${i}`).join("-"));
    const { data } = thrownBy(() => many.resolveEntry("k")) as { data: { candidates: string[] } };
    expect(data.candidates).toEqual(["k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8", "k9"]);
  });
});
