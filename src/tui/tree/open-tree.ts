/** A tree that is open on the desk: what it shows, what the person chose in it, and what it says. */
import { type CommandOutcome, showOutcome } from "../../command/index.js";
import type { EntryId } from "../../entry/index.js";
import { initialTree, selectedRow, TreeModel, type TreeRow, type TreeSituation, type TreeState } from "../../view/index.js";
import type { ScreenApp } from "../app/screen.js";
import type { TextField } from "../questions/text-field.js";

/** What the keys mean at the moment. */
export type TreeMode =
  | { readonly kind: "browse" }
  /** A search is being typed; `origin` is what Esc goes back to. */
  | { readonly kind: "search"; readonly field: TextField; readonly origin: TreeState }
  | { readonly kind: "label"; readonly field: TextField; readonly entryId: EntryId }
  /** The label is on another entry: it is moved here, or stays there. */
  | { readonly kind: "taken"; readonly entryId: EntryId; readonly label: string };

export interface OpenTreeOptions {
  readonly app: ScreenApp;
  /** `fork`: a prompt is chosen for a new session. */
  readonly purpose: "move" | "fork";
  readonly close: () => void;
}

export const BROWSE: TreeMode = { kind: "browse" };

export class OpenTree {
  readonly app: ScreenApp;
  readonly purpose: "move" | "fork";
  readonly close: () => void;
  model: TreeModel;
  state: TreeState = initialTree();
  mode: TreeMode = BROWSE;
  /** Stands in place of the key hints until the next key. */
  message: string | undefined;
  /** Entries of other processes since the tree was opened or reloaded. */
  newElsewhere = 0;
  /** Rows the list has on the screen: a page. */
  pageSize = 1;
  #working = false;

  constructor({ app, purpose, close }: OpenTreeOptions) {
    this.app = app;
    this.purpose = purpose;
    this.close = close;
    this.model = new TreeModel(app.world.agent.session.getSource());
  }

  get row(): TreeRow | undefined {
    return selectedRow(this.model, this.state);
  }

  /** The entry the selected row stands for, or -1. */
  get selected(): number {
    return this.row?.n ?? -1;
  }

  idOf(n: number): EntryId {
    return this.model.source.tree.ids.textOf(n);
  }

  get busy(): boolean {
    return this.#working || this.app.world.agent.operation !== undefined;
  }

  get situation(): TreeSituation {
    const { readOnly, world } = this.app;
    const damagedLines: number[] = [];
    for (const { code, line } of world.agent.session.getProblems()) if (UNREADABLE.has(code)) damagedLines.push(line);
    return { busy: this.busy, readOnly, newElsewhere: this.newElsewhere, damagedLines };
  }

  say(message: string | undefined): void {
    this.message = message;
    this.app.desk.redraw();
  }

  show(state: TreeState): void {
    this.state = state;
    this.app.desk.redraw();
  }

  /** Another session is there, or this one was read anew: what was chosen belongs to the old one. */
  startAnew(): void {
    this.model = new TreeModel(this.app.world.agent.session.getSource());
    this.newElsewhere = 0;
    this.mode = BROWSE;
    const { filter, preview, labelTimes } = this.state;
    this.show({ ...initialTree(filter), preview, labelTimes });
  }

  /** Does something that may move. The tree closes where it did, and says why where it did not. */
  perform(work: () => Promise<CommandOutcome>, afterwards: "close" | "stay" = "close"): void {
    if (this.#working) return;
    this.#working = true;
    void this.#finish(work, afterwards);
  }

  /** Opens another screen over the tree; where that moved the leaf, there is nothing left to choose here. */
  openScreen(request: Parameters<ScreenApp["open"]>[0]): void {
    const { session } = this.app.world.agent;
    const before = session.getLeafId();
    void this.app.open(request).then(
      () => (session.getLeafId() === before ? this.app.desk.redraw() : this.close()),
      (error: unknown) => this.say(reasonOf(error)),
    );
  }

  async #finish(work: () => Promise<CommandOutcome>, afterwards: "close" | "stay"): Promise<void> {
    const { front } = this.app.world;
    try {
      const outcome = await work();
      const moved = outcome.kind === "done" && afterwards === "close";
      if (moved) this.close();
      if (moved) showOutcome(front, outcome);
      else if (outcome.kind === "done" || outcome.kind === "unchanged") this.message = outcome.message;
    } catch (error) {
      // The edge: whatever went wrong, the person sees it and the tree stays as it was.
      this.message = reasonOf(error);
    } finally {
      this.#working = false;
      this.app.desk.redraw();
    }
  }
}

/** Findings that mean a line nobody can read. */
const UNREADABLE: ReadonlySet<string> = new Set(["unreadable-line", "unreadable-entry", "bad-entry", "torn-tail"]);

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
