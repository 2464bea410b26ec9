/** `/tree` and Esc Esc: opens the tree in a panel. */
import { selectEntry } from "@bough/session/view/index.js";
import type { Screen } from "../app/screen.js";
import { OpenedTree } from "./opened-tree.js";
import { searchFor } from "./search-field.js";
import { TreePanel } from "./tree-panel.js";

/** Opens the tree; returns when it is closed, by Esc or by a move. */
export const openTree: Screen<"tree"> = async (app, { select, search, purpose = "move" }) => {
  await app.host.open<void>((done) => {
    const tree = new OpenedTree({ app, purpose, close: () => done() });
    const selected = select === undefined ? -1 : tree.model.source.tree.ids.findText(select);
    if (selected >= 0) tree.state = selectEntry(tree.model, tree.state, selected);
    if (search !== undefined && search !== "") searchFor(tree, search);
    return new TreePanel(tree);
  });
};
