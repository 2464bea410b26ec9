/** A label, edited in place on its row. */

import { giveLabel } from "../host/give-label.js";
import type { KeyPress } from "../keys/key-press.js";
import { TextField } from "../questions/text-field.js";
import { BROWSE, type OpenedTree, type TreeMode } from "./opened-tree.js";

type LabelMode = Extract<TreeMode, { kind: "label" }>;

export function startLabel(tree: OpenedTree): void {
  const n = tree.selected;
  const field = new TextField(tree.model.source.labelOf(n)?.label ?? "");
  tree.mode = { kind: "label", field, entryId: tree.idOf(n) };
  const { keys, glyphs } = tree.app.host;
  const ways = [`${keys.hint("question.answer")} sets the label`, `${keys.hint("question.cancel")} cancels`];
  if (field.text !== "") ways.push("empty removes it");
  tree.say(ways.join(` ${glyphs.dot} `));
}

export function handleLabelKey(tree: OpenedTree, mode: LabelMode, key: KeyPress): boolean {
  const { keys } = tree.app.host;
  const action = keys.actionFor("question", key);
  if (action === "question.answer") {
    tree.mode = BROWSE;
    void giveLabel(tree.app, { entryId: mode.entryId, label: mode.field.text }).then((message) => tree.say(message));
    return true;
  }
  if (action === "question.cancel") {
    tree.mode = BROWSE;
    tree.message = undefined;
  } else if (!mode.field.handleKey(key, keys)) return false;
  tree.app.host.redraw();
  return true;
}
