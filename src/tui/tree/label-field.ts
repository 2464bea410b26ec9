/** A label, edited in place on its row; and the question where another entry has it. */
import { labelEntry } from "../../command/index.js";
import type { KeyPress } from "../keys/key-press.js";
import { TextField } from "../questions/text-field.js";
import { BROWSE, type OpenTree, reasonOf, type TreeMode } from "./open-tree.js";

type LabelMode = Extract<TreeMode, { kind: "label" }>;
type TakenMode = Extract<TreeMode, { kind: "taken" }>;

export function startLabel(tree: OpenTree): void {
  const n = tree.selected;
  const field = new TextField(tree.model.source.labelOf(n)?.label ?? "");
  tree.mode = { kind: "label", field, entryId: tree.idOf(n) };
  tree.app.desk.redraw();
}

export function handleLabelKey(tree: OpenTree, mode: LabelMode, key: KeyPress): boolean {
  const { keys } = tree.app.desk;
  const action = keys.actionFor("question", key);
  if (action === "question.answer") {
    tree.mode = BROWSE;
    void label(tree, { entryId: mode.entryId, label: mode.field.text });
    return true;
  }
  if (action === "question.cancel") tree.mode = BROWSE;
  else if (!mode.field.handleKey(key, keys)) return false;
  tree.app.desk.redraw();
  return true;
}

export function handleTakenKey(tree: OpenTree, mode: TakenMode, key: KeyPress): boolean {
  const action = tree.app.desk.keys.actionFor("question", key);
  if (action !== "question.answer" && action !== "question.cancel") return key.text !== undefined;
  tree.mode = BROWSE;
  if (action === "question.answer") void label(tree, { ...mode, taken: "move" });
  else tree.say(`"${mode.label}" stays where it was.`);
  return true;
}

type LabelRequest = Parameters<typeof labelEntry>[1];

async function label(tree: OpenTree, { entryId, label, taken = "refuse" }: LabelRequest): Promise<void> {
  const { keys } = tree.app.desk;
  try {
    const outcome = await labelEntry(tree.app.world, { entryId, label, taken });
    if (outcome.kind !== "done" && outcome.kind !== "unchanged") return;
    if (outcome.kind === "unchanged" && outcome.code === "label-taken") {
      tree.mode = { kind: "taken", entryId, label: label.trim() };
      const [yes, no] = [keys.hint("question.answer"), keys.hint("question.cancel")];
      tree.say(`${outcome.message} ${yes} moves it here ${tree.app.desk.glyphs.dot} ${no} keeps it there`);
    } else tree.say(outcome.message);
  } catch (error) {
    tree.say(reasonOf(error));
  }
}
