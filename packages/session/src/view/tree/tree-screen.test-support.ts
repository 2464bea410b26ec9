/** A tree on a test screen: built from a session, moved with the functions of this room, read as text. */
import type { SessionManager } from "../../session/index.js";
import type { TreeSource } from "../../tree/index.js";
import { UNICODE_GLYPHS } from "../glyphs.js";
import { lineText } from "../line.js";
import { layoutTree, type TreeLayoutOptions } from "./layout-tree.js";
import { selectEntry } from "./tree-folds.js";
import type { TreeHint } from "./tree-hints.js";
import { TreeModel } from "./tree-model.js";
import { NOW } from "./tree-sample.test-support.js";
import { initialTree, type TreeFilter, type TreeState } from "./tree-state.js";

const KEYS: Readonly<Partial<Record<TreeHint, string>>> = {
  enter: "Enter",
  edit: "e",
  continue: "c",
  summary: "s",
  label: "m",
  cherryPick: "p",
  merge: "M",
  compare: "d",
  preview: "v",
  filter: "Tab",
  narrow: "f",
  search: "/",
  nextMatch: "n",
  previousMatch: "N",
  help: "?",
  close: "Esc",
  open: "l",
  reload: "r",
};

export const hintOf = (action: TreeHint): string | undefined => KEYS[action];

export type Move = (model: TreeModel, state: TreeState) => TreeState;

export class TreeScreen {
  readonly model: TreeModel;
  state: TreeState;

  constructor(session: SessionManager | TreeSource, filter: TreeFilter = "user-only") {
    this.model = new TreeModel("getSource" in session ? session.getSource() : session);
    this.state = initialTree(filter);
  }

  move(...moves: readonly Move[]): this {
    for (const move of moves) this.state = move(this.model, this.state);
    return this;
  }

  set(change: (state: TreeState) => TreeState): this {
    this.state = change(this.state);
    return this;
  }

  /** Selects the entry with an ID. */
  select(id: string): this {
    this.state = selectEntry(this.model, this.state, this.model.source.tree.ids.findText(id));
    return this;
  }

  /** Lines without trailing spaces, including empty lines. */
  draw(options: Partial<TreeLayoutOptions> = {}): string {
    const filled = { width: 80, height: 24, glyphs: UNICODE_GLYPHS, now: NOW, hint: hintOf, ...options };
    const { lines } = layoutTree(this.model, this.state, filled);
    return `\n${lines.map((line) => lineText(line).trimEnd()).join("\n")}\n`;
  }

  /** Only the rows: the selection and their text. */
  rows(options: Partial<TreeLayoutOptions> = {}): string {
    const lines = this.draw({ height: 60, ...options, message: "" })
      .split("\n")
      .slice(3);
    const end = lines.findIndex((line) => line.startsWith(" ──") || line.startsWith(" --"));
    return `\n${lines.slice(0, end).join("\n").trimEnd()}\n`;
  }
}
