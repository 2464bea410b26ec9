import { describe, expect, it } from "vitest";
import { SessionManager } from "../../../session/index.js";
import { TreeModel } from "../tree-model.js";
import { initialTree, type TreeFilter } from "../tree-state.js";
import { describeRow } from "./describe-row.js";

function rowsOf(session: SessionManager, filter: TreeFilter) {
  const model = new TreeModel(session.getSource());
  const state = initialTree(filter);
  return model.rows(state).rows.map((row) => {
    const { sign, active, labels } = describeRow(model, state, row);
    return { kind: row.kind, sign, active, labels: labels.map(({ label }) => label) };
  });
}

describe("where you are", () => {
  it("stays what was said last when it gets a label, which is a record below it", () => {
    const session = SessionManager.inMemory("/project");
    const prompt = session.appendMessage({ role: "user", content: "hello", timestamp: 1 });
    session.appendLabelChange(prompt, "keeper");
    expect(rowsOf(session, "default")).toEqual([{ kind: "entry", sign: "here", active: true, labels: ["keeper"] }]);
  });

  it("is the record itself where every record has a row", () => {
    const session = SessionManager.inMemory("/project");
    const prompt = session.appendMessage({ role: "user", content: "hello", timestamp: 1 });
    session.appendLabelChange(prompt, "keeper");
    expect(rowsOf(session, "all").map(({ active }) => active)).toEqual([false, true]);
  });
});
