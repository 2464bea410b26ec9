/** An open tree: what it shows, what the user selected, and its message. */

import { estimateEntryTokens } from "@bough/agent/agent/internal.js";
import type { EntryId } from "@bough/session/entry/index.js";
import {
  initialTree,
  selectedRow,
  TreeModel,
  type TreeRow,
  type TreeSituation,
  type TreeState,
} from "@bough/session/view/index.js";
import { addedSentence, cameFrom } from "@bough/workbench/store/internal.js";
import { type CommandContext, onMove } from "../../command/index.js";
import { originsOf } from "../../command/internal.js";
import type { ScreenApp } from "../app/screen.js";
import { DifferingFiles } from "../files/differing-files.js";
import { PanelWork } from "../host/panel-work.js";
import type { OffReason } from "../keys/off-reason.js";
import type { TextField } from "../questions/text-field.js";
import { RowDiff } from "./row-diff.js";

/** The current meaning of the keys. */
export type TreeMode =
  | { readonly kind: "browse" }
  /** A search is being typed; `origin` is what Esc goes back to. */
  | { readonly kind: "search"; readonly field: TextField; readonly origin: TreeState }
  | { readonly kind: "label"; readonly field: TextField; readonly entryId: EntryId };

interface OpenTreeOptions {
  readonly app: ScreenApp;
  /** `fork`: the user chooses a prompt for a new session. */
  readonly purpose: "move" | "fork";
  readonly close: () => void;
}

export const BROWSE: TreeMode = { kind: "browse" };

export class OpenedTree {
  readonly app: ScreenApp;
  readonly purpose: "move" | "fork";
  readonly close: () => void;
  readonly work: PanelWork;
  readonly differing: DifferingFiles;
  readonly diff: RowDiff;
  model: TreeModel;
  state: TreeState = initialTree();
  mode: TreeMode = BROWSE;
  /** Replaces the key hints until the next key. */
  message: OffReason | undefined;
  /** Entries of other processes since the tree was opened or reloaded. */
  newElsewhere = 0;
  /** Lines scrolled off the top of a long preview. */
  previewTop = 0;
  /** Rows of the list on the screen: a page. */
  pageSize = 1;
  width = 80;

  constructor({ app, purpose, close }: OpenTreeOptions) {
    this.app = app;
    this.purpose = purpose;
    this.close = close;
    this.differing = new DifferingFiles(app.context.agent, app.host);
    this.diff = new RowDiff(app.context, app.host);
    this.work = new PanelWork({ app, close, say: (message) => this.say(message) });
    this.model = treeModel(app.context);
  }

  get row(): TreeRow | undefined {
    return selectedRow(this.model, this.state);
  }

  /** The entry of the selected row, or -1. */
  get selected(): number {
    return this.row?.n ?? -1;
  }

  idOf(n: number): EntryId {
    return this.model.source.tree.ids.textOf(n);
  }

  get situation(): TreeSituation {
    const { readOnly, context } = this.app;
    const damagedLines: number[] = [];
    for (const { code, line } of context.agent.session.getProblems()) if (UNREADABLE.has(code)) damagedLines.push(line);
    return {
      purpose: this.purpose,
      busy: this.work.busyWith,
      readOnly,
      newElsewhere: this.newElsewhere,
      damagedLines,
      differingFiles: this.differing.count,
      files: context.agent.followsFiles ? onMove(context) : undefined,
    };
  }

  say(message: OffReason | undefined): void {
    this.message = message;
    this.app.host.redraw();
  }

  show(state: TreeState): void {
    // Another row has another preview.
    if (state.selected !== this.state.selected || state.preview !== this.state.preview) this.previewTop = 0;
    this.state = state;
    this.app.host.redraw();
  }

  /**
   * Entries of others. Those from other machines are reported by machine name; the rows of the rest are already
   * visible.
   */
  others(ids: readonly EntryId[]): void {
    const { session } = this.app.context.agent;
    const { came, here } = cameFrom(session, ids, originsOf(this.app.context)());
    if (came.length > 0) this.say(came.map((one) => addedSentence(session, one)).join(" "));
    this.newElsewhere += here?.entries ?? 0;
  }

  /** The session changed or was reloaded, so selections are out of date. */
  restart(): void {
    this.model = treeModel(this.app.context);
    this.diff.forget();
    this.newElsewhere = 0;
    this.mode = BROWSE;
    const { filter, preview, labelTimes } = this.state;
    this.show({ ...initialTree(filter), preview, labelTimes });
  }
}

/** Problems that mean a line is unreadable. */
const UNREADABLE: ReadonlySet<string> = new Set(["unreadable-line", "unreadable-entry", "bad-entry", "torn-tail"]);

function treeModel(context: CommandContext): TreeModel {
  return new TreeModel(context.agent.session.getSource(), estimateEntryTokens, originsOf(context));
}
