// Draws the tree of a session from its lines, without a file and without Node: the same code runs in a browser.
// Prints the path, with the branch that leaves it.
import { treeFromLines } from "bough/tree";
import { describeRow, initialTree, TreeModel } from "bough/view";

const time = "2026-01-15T12:00:00.000Z";
const said = (id, parentId, content) => ({
  ...{ type: "message", id, parentId, timestamp: time },
  message: { role: "user", content, timestamp: 0 },
});
const lines = [
  { type: "session", version: 3, id: "example", timestamp: time, cwd: "/" },
  said("a", null, "Build a CLI"),
  said("b", "a", "Write the parser by hand"),
  said("c", "a", "Use a library for parsing"),
  { type: "label", id: "d", parentId: "c", timestamp: time, targetId: "c", label: "good" },
].map((line) => JSON.stringify(line));

const model = new TreeModel(treeFromLines(lines));
const state = initialTree();
for (const row of model.rows(state).rows) {
  const { text, labels } = describeRow(model, state, row);
  const sign = row.kind === "side" ? "├─▸" : "●";
  console.log(sign, text, ...labels.map(({ label }) => `[${label}]`));
}
