/** The list of branches: look, go there, compare, merge, name. */
import { type CommandWorld, goTo, switchBranch } from "../../command/index.js";
import type { EntryId } from "../../entry/index.js";
import { branchIndexOf } from "../../tree/index.js";
import { type BranchRow, layoutBranches, nextBranchFilter, nextBranchSort } from "../../view/index.js";
import type { Screen } from "../app/screen.js";
import type { Frame, Panel, Size } from "../desk/panel.js";
import { showHelp } from "../help/show-help.js";
import type { KeyPress } from "../keys/key-press.js";
import type { TextField } from "../questions/text-field.js";
import { PanelWork } from "../tree/panel-work.js";
import { nameBranch } from "./branch-naming.js";
import { branchesOffReason } from "./branches-keys-off.js";
import { layoutOptions, listFrame } from "./list-frame.js";
import { OpenBranches } from "./open-branches.js";

/** Opens the list; returns when it is closed, by Esc or by a move. */
export const openBranches: Screen<"branches"> = async (app, { filter = "" }) => {
  const inTree = await app.desk.open<EntryId | undefined>(
    (done) => new BranchesPanel(new OpenBranches(app, filter), done),
  );
  if (inTree !== undefined) await app.open({ screen: "tree", select: inTree });
};

class BranchesPanel implements Panel {
  readonly name = "branches";
  readonly share = "half";
  readonly keyScope = "branches";
  readonly #open: OpenBranches;
  /** With an entry: that one is to be shown in the tree. */
  readonly #done: (inTree: EntryId | undefined) => void;
  readonly #learning = new AbortController();
  readonly #unsubscribe: () => void;
  readonly #work: PanelWork;
  #isLearning = false;

  constructor(open: OpenBranches, done: (inTree: EntryId | undefined) => void) {
    this.#open = open;
    this.#done = done;
    const say = (message: string | undefined): void => {
      open.message = message;
      open.app.desk.redraw();
    };
    this.#work = new PanelWork({ app: open.app, close: () => done(undefined), say });
    const { desk } = open.app;
    this.#unsubscribe = open.app.onEvent((event) => {
      // Another session: this list is about the one before.
      if (event.type === "session_changed") done(undefined);
      else desk.redraw();
    });
    this.#startLearning();
  }

  get said(): string | undefined {
    return this.#open.message;
  }

  set said(message: string | undefined) {
    this.#open.message = message;
  }

  draw(size: Size): Frame {
    const open = this.#open;
    const { desk } = open.app;
    const { sort, filter, words, numbers, field, top, index } = open;
    const drawn = layoutBranches(
      {
        row: (place) => open.list.row(numbers[place] as number),
        count: numbers.length,
        total: open.list.total,
        selected: index,
        top,
        sort,
        filter,
        words,
      },
      layoutOptions(desk, size),
    );
    const page = Math.max(1, size.height - FRAME_LINES);
    const others = open.top !== drawn.top || open.pageSize !== page;
    open.top = drawn.top;
    open.pageSize = page;
    if (others) this.#startLearning();
    const typing = field === undefined ? undefined : `/${field.text}`;
    const frame = listFrame(desk, size, { drawn, message: typing ?? open.message });
    if (field === undefined) return frame;
    const column = field.draw(Math.max(1, size.width - 3)).column + 2;
    return { ...frame, cursor: { row: frame.lines.length - 1, column: Math.min(column, size.width - 1) } };
  }

  handleKey(key: KeyPress): boolean {
    const open = this.#open;
    if (open.field !== undefined) return this.#typed(open.field, key);
    open.message = undefined;
    const { desk } = open.app;
    desk.redraw();
    const action = desk.keys.actionFor("branches", key);
    if (action === undefined) return false;
    open.message = branchesOffReason(open, this.#work, action);
    if (open.message === undefined) this.#act(action);
    return true;
  }

  handlePaste(text: string): void {
    this.#open.field?.paste(text);
    this.#wordsChanged();
  }

  offReason(actionId: string): string | undefined {
    return branchesOffReason(this.#open, this.#work, actionId);
  }

  dispose(): void {
    this.#learning.abort();
    this.#unsubscribe();
  }

  readonly #actions: Readonly<Record<string, () => void>> = {
    "branches.previous": () => this.#go(-1),
    "branches.next": () => this.#go(1),
    "branches.pageUp": () => this.#go(-this.#open.pageSize),
    "branches.pageDown": () => this.#go(this.#open.pageSize),
    "branches.first": () => this.#go(-this.#open.numbers.length),
    "branches.last": () => this.#go(this.#open.numbers.length),
    "branches.here": () => this.#selectOwn(),
    "branches.sort": () => this.#open.setSort(nextBranchSort(this.#open.sort)),
    "branches.filter": () => this.#open.setFilter(nextBranchFilter(this.#open.filter, this.#open.list.filters)),
    "branches.search": () => this.#open.startTyping(),
    "branches.help": () =>
      void showHelp(this.#open.app.desk, { scope: "branches", offReason: (actionId) => this.offReason(actionId) }),
    "branches.close": () => {
      if (this.#work.stop()) return;
      if (this.#open.words === "") this.#done(undefined);
      else this.#setWords("");
    },
  };

  /** Those that are about the selected branch. */
  readonly #rowActions: Readonly<Record<string, (row: BranchRow) => void>> = {
    "branches.enter": ({ tipId }) => this.#work.perform(() => switchBranch(this.#world, { entryId: tipId })),
    "branches.summary": ({ tipId }) =>
      this.#work.perform(() =>
        goTo(this.#world, { targetId: tipId, place: "exact", summary: "summary", cause: "switch" }),
      ),
    "branches.compare": ({ tipId }) => {
      const leafId = this.#world.agent.session.getLeafId();
      this.#work.openScreen({ screen: "compare", a: leafId ?? tipId, b: tipId });
    },
    "branches.merge": ({ tipId }) => this.#work.openScreen({ screen: "merge", tipId }),
    "branches.name": ({ number, label }) => void this.#name(number, label ?? ""),
    "branches.tree": ({ tipId }) => this.#done(tipId),
    "branches.copy": ({ tipId }) => {
      this.#open.app.desk.copy(tipId);
      this.#open.message = `Copied tip ID ${tipId}`;
    },
  };

  get #world(): CommandWorld {
    return this.#open.app.world;
  }

  #act(action: string): void {
    const { row } = this.#open;
    this.#actions[action]?.();
    if (row !== undefined) this.#rowActions[action]?.(row);
  }

  #go(by: number): void {
    this.#open.select(this.#open.index + by);
  }

  #selectOwn(): void {
    const open = this.#open;
    const { tree, leaf } = open.source;
    const index = open.numbers.indexOf(branchIndexOf(tree).branchOf(leaf));
    if (index >= 0) open.select(index);
    else open.message = "The branch you are on is not in this list.";
  }

  #typed(field: TextField, key: KeyPress): boolean {
    const open = this.#open;
    const { desk } = open.app;
    const action = desk.keys.actionFor("question", key);
    desk.redraw();
    if (action === "question.answer") open.field = undefined;
    else if (action === "question.cancel") {
      open.field = undefined;
      this.#setWords("");
    } else if (field.handleKey(key, desk.keys)) this.#wordsChanged();
    else return false;
    return true;
  }

  #wordsChanged(): void {
    if (this.#open.field !== undefined) this.#setWords(this.#open.field.text);
  }

  #setWords(words: string): void {
    this.#open.words = words;
    this.#open.keepSelection();
    this.#open.app.desk.redraw();
  }

  /** What takes reading: files of the rows on the screen, names to look for, and which branches were merged. */
  #startLearning(): void {
    if (this.#isLearning) return;
    this.#isLearning = true;
    this.#open.app.desk.inSlices((deadline) => this.#learn(deadline), this.#learning.signal);
  }

  #learn(deadline: () => boolean): "more" | "done" {
    const open = this.#open;
    const result = open.list.advance(deadline, open.numbers.slice(open.top, open.top + open.pageSize));
    if (open.words !== "" || open.filter !== "all") open.learned();
    open.app.desk.redraw();
    this.#isLearning = result === "more";
    return result;
  }

  async #name(number: number, name: string): Promise<void> {
    const open = this.#open;
    const { tree } = open.source;
    const entryId = tree.ids.textOf(branchIndexOf(tree).firstOf(number));
    open.message = await nameBranch(open.app, { entryId, name, number });
    open.app.desk.redraw();
  }
}

/** Title, headings and hints around the rows. */
const FRAME_LINES = 3;
