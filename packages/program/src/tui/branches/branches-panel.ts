/** The list of branches: view, switch, compare, merge, name. */

import type { EntryId } from "@bough/session/entry/index.js";
import { nextOf } from "@bough/session/text/index.js";
import { branchIndexOf } from "@bough/session/tree/index.js";
import { BRANCH_SORTS, type BranchRow, layoutBranches } from "@bough/session/view/internal.js";
import { moveTo, SENTENCES, switchBranch } from "../../command/index.js";
import type { Screen } from "../app/screen.js";
import { giveLabel } from "../host/give-label.js";
import { layoutOptions } from "../host/list-frame.js";
import type { Frame, Size } from "../host/panel.js";
import { isWhereYouAre } from "../host/panel-work.js";
import { SessionPanel } from "../host/session-panel.js";
import type { KeyPress } from "../keys/key-press.js";
import { bindKeys, key, keyOnRow, type ScreenKeys } from "../keys/key-table.js";
import type { OffReason } from "../keys/off-reason.js";
import { listMoves, type Movable } from "../list/list-moves.js";
import { askText } from "../questions/ask-text.js";
import type { TextField } from "../questions/text-field.js";
import { OpenBranches } from "./open-branches.js";

/** Opens the list. Returns when Esc or a move closes it. */
export const openBranches: Screen<"branches"> = async (app, { filter = "", purpose }) => {
  const inTree = await app.host.open<EntryId | undefined>(
    (done) => new BranchesPanel(new OpenBranches(app, { words: filter, purpose }), done),
  );
  if (inTree !== undefined) await app.open({ screen: "tree", select: inTree });
};

class BranchesPanel extends SessionPanel implements Movable {
  readonly name = "branches";
  readonly share = "half";
  readonly wants = "rows";
  readonly open: OpenBranches;
  /** Closes the list and selects the entry in the tree. */
  readonly showInTree: (id: EntryId) => void;
  protected readonly keys = bindKeys(BRANCHES_KEYS, this);
  readonly #learning = new AbortController();
  readonly #unsubscribe: () => void;
  #isLearning = false;

  constructor(open: OpenBranches, done: (inTree: EntryId | undefined) => void) {
    super(open.app, () => done(undefined));
    this.open = open;
    this.showInTree = done;
    this.#unsubscribe = open.app.onEvent((event) => {
      // The session changed, so this list is out of date.
      if (event.type === "session_changed") this.close();
      else open.app.host.redraw();
    });
    this.#startLearning();
  }

  draw(size: Size): Frame {
    const open = this.open;
    const { host } = open.app;
    const { sort, filter, words, numbers, field, top, index } = open;
    const drawn = layoutBranches(
      {
        row: (place) => open.list.row(numbers[place] as number),
        count: numbers.length,
        total: open.list.total,
        hasReplicas: open.list.hasReplicas,
        selected: index,
        top,
        sort,
        filter,
        words,
        purpose: open.purpose,
      },
      layoutOptions(host, size),
    );
    const page = Math.max(1, size.height - FRAME_LINES);
    const others = open.top !== drawn.top || open.pageSize !== page;
    open.top = drawn.top;
    open.pageSize = page;
    if (others) this.#startLearning();
    const typing = field === undefined ? undefined : `/${field.text}`;
    const frame = this.frame(size, drawn, typing ?? this.said);
    if (field === undefined) return frame;
    const column = field.draw(Math.max(1, size.width - 3)).column + 2;
    return { ...frame, cursor: { row: frame.lines.length - 1, column: Math.min(column, size.width - 1) } };
  }

  get pageSize(): number {
    return this.open.pageSize;
  }

  moveBy(by: number): void {
    this.open.select(this.open.index + by);
  }

  endReached(direction: "up" | "down"): string | undefined {
    const { index, numbers } = this.open;
    if (direction === "up") return index > 0 ? undefined : "This is the first branch of the list.";
    return index < numbers.length - 1 ? undefined : "This is the last branch of the list.";
  }

  override handleKey(key: KeyPress): boolean {
    const { field } = this.open;
    return field === undefined ? super.handleKey(key) : this.#typed(field, key);
  }

  handlePaste(text: string): void {
    this.open.field?.paste(text);
    this.#wordsChanged();
  }

  dispose(): void {
    this.#learning.abort();
    this.#unsubscribe();
  }

  selectOwn(): void {
    const { open } = this;
    const { tree, leaf } = open.source;
    const index = open.numbers.indexOf(branchIndexOf(tree).branchOf(leaf));
    if (index >= 0) open.select(index);
    else this.say("Your current branch is not in this list.");
  }

  #typed(field: TextField, key: KeyPress): boolean {
    const open = this.open;
    const { host } = open.app;
    const action = host.keys.actionFor("question", key);
    host.redraw();
    if (action === "question.answer") open.field = undefined;
    else if (action === "question.cancel") {
      open.field = undefined;
      this.setWords("");
    } else if (field.handleKey(key, host.keys)) this.#wordsChanged();
    else return false;
    return true;
  }

  #wordsChanged(): void {
    if (this.open.field !== undefined) this.setWords(this.open.field.text);
  }

  setWords(words: string): void {
    this.open.words = words;
    this.open.keepSelection();
    this.open.app.host.redraw();
  }

  /** Slow lookups: files of the visible rows, names to search, and which branches were merged. */
  #startLearning(): void {
    if (this.#isLearning) return;
    this.#isLearning = true;
    this.open.app.host.inSlices((deadline) => this.#learn(deadline), this.#learning.signal);
  }

  #learn(deadline: () => boolean): "more" | "done" {
    const open = this.open;
    const result = open.list.advance(deadline, open.numbers.slice(open.top, open.top + open.pageSize));
    if (open.words !== "" || open.filter !== "all") open.learned();
    open.app.host.redraw();
    this.#isLearning = result === "more";
    return result;
  }

  /** A label goes on the branch's first entry, which never changes. */
  async nameBranch({ number, label: name = "" }: BranchRow): Promise<void> {
    const { tree } = this.open.source;
    const entryId = tree.ids.textOf(branchIndexOf(tree).firstOf(number));
    const title = `Name of #${number} (empty to remove)`;
    const label = await askText(this.app.host, { name: "branch-name", title, text: name, verb: "name it" });
    this.say(label === undefined ? undefined : await giveLabel(this.app, { entryId, label }));
  }
}

/** Title, headings and hints around the rows. */
const FRAME_LINES = 3;

const onRow = keyOnRow(
  ({ open }: BranchesPanel) => open.row,
  ({ app }) => `No branch is listed. ${app.host.keys.hint("branches.close")} clears the filter.`,
);

function cannotGo({ work, open }: BranchesPanel, { tip }: BranchRow): OffReason | undefined {
  return work.off ?? (isWhereYouAre(open.source, tip) ? SENTENCES.alreadyHere : undefined);
}

function compare({ work, app }: BranchesPanel, { tipId }: BranchRow): void {
  work.openScreen({ screen: "compare", a: app.context.agent.session.getLeafId() ?? tipId, b: tipId });
}

function cannotCompare({ open }: BranchesPanel, { tip }: BranchRow): OffReason | undefined {
  return isWhereYouAre(open.source, tip) ? { message: "You are here.", hint: "Choose another branch." } : undefined;
}

function cannotMerge({ work }: BranchesPanel, { here }: BranchRow): OffReason | undefined {
  return work.off ?? (here ? { message: "This is your own branch.", hint: "Choose another one." } : undefined);
}

/** The keys of the branch list. */
export const BRANCHES_KEYS: ScreenKeys<BranchesPanel> = {
  title: "Branches",
  actions: [
    ...listMoves({ scope: "branches", thing: "branch", kind: "letters" }),
    key("branches.here", ["@"], "select the current branch", {
      run: (panel) => panel.selectOwn(),
      disabled: ({ open }) => (open.row?.here === true ? "You are on this branch." : undefined),
    }),
    onRow("branches.enter", ["enter"], "go to the end of this branch, or choose it for /merge or /compare", {
      run: (panel, row) => {
        const { work, app, open } = panel;
        if (open.purpose === "compare") compare(panel, row);
        else if (open.purpose === "merge") work.openScreen({ screen: "merge", tipId: row.tipId });
        else work.perform(() => switchBranch(app.context, { entryId: row.tipId }));
      },
      disabled: (panel, row) => {
        if (panel.open.purpose === "compare") return cannotCompare(panel, row);
        return panel.open.purpose === "merge" ? cannotMerge(panel, row) : cannotGo(panel, row);
      },
    }),
    onRow("branches.summary", ["s"], "go there with a summary of the branch you leave", {
      run: ({ work, app }, { tipId }) => {
        const request = { targetId: tipId, place: "exact", summary: "summary", cause: "switch" } as const;
        work.perform(() => moveTo(app.context, request));
      },
      disabled: cannotGo,
    }),
    onRow("branches.compare", ["d"], "compare this branch with your position", {
      run: compare,
      disabled: cannotCompare,
    }),
    onRow("branches.merge", ["M"], "merge this branch into yours", {
      run: ({ work }, { tipId }) => work.openScreen({ screen: "merge", tipId }),
      disabled: cannotMerge,
    }),
    onRow("branches.name", ["m", "L"], "name this branch; an empty name removes it", {
      run: (panel, row) => void panel.nameBranch(row),
      disabled: ({ work }) => work.notesOff,
    }),
    onRow("branches.tree", ["t"], "show this branch in the tree", (panel, { tipId }) => panel.showInTree(tipId)),
    onRow("branches.copy", ["y"], "copy the ID of its tip", (panel, { tipId }) => {
      panel.app.host.copy(tipId);
      panel.say(`Copied tip ID ${tipId}`);
    }),
    key("branches.sort", ["o", "tab"], "cycle sort order: recent, age, size", ({ open }) =>
      open.setSort(nextOf(BRANCH_SORTS, open.sort)),
    ),
    key("branches.filter", ["f"], "cycle filter: all, mine, merged, failed, labeled", ({ open }) =>
      open.setFilter(nextOf(open.list.filters, open.filter)),
    ),
    key("branches.search", ["/"], "filter branches by words", ({ open }) => open.startTyping()),
    key("branches.help", ["?", "f1"], "show all keys", (panel) => panel.help()),
    key("branches.close", ["esc", "q", "ctrl+c"], "clear the filter, then close the list", (panel) => {
      if (panel.work.stop()) return;
      if (panel.open.words === "") panel.close();
      else panel.setWords("");
    }),
  ],
};
