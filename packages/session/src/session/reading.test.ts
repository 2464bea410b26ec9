import { expect, test } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { tree } from "../../../../test/support/tree-notation.js";
import { SessionManager } from "./session-manager.js";

test("ids and numbers of children and paths are those of the entries", () => {
  const session = tree("a-b-c-d; b-e-f*; g", { dir: tempFolder() });
  for (const id of [null, "a", "b", "f"]) {
    const children = session.getChildren(id).map((entry) => entry.id);
    expect([session.getChildIds(id), session.countChildren(id)]).toEqual([children, children.length]);
  }
  expect(session.getChildIds("b")).toEqual(["c", "e"]);
  expect([session.getBranchIds(), session.getBranchIds("d")]).toEqual([
    ["a", "b", "e", "f"],
    ["a", "b", "c", "d"],
  ]);
  expect(() => session.countChildren("x")).toThrow("Entry x not found");
  session.resetLeaf();
  expect(session.getBranchIds()).toEqual([]);
});

test("tips are the ends of the conversation; labels, names and state below them do not count", () => {
  const session = tree("a-b-l-s; a-c; m-d; i", {
    entries: {
      l: (on) => on.appendLabelChange("b", "name"),
      s: (on) => on.appendCustomEntry("state"),
      m: (on) => on.appendModelChange("offline", "rules"),
      i: (on) => on.appendSessionInfo("nobody spoke here"),
    },
  });
  expect([session.getTipIds(), session.getCounts().branches]).toEqual([["b", "c", "d"], 3]);
  expect(SessionManager.inMemory("/work").getTipIds()).toEqual([]);
});
