/** Two branches side by side: where they split, what each did, how each ended. */

import type { BranchComparison, BranchSide } from "@bough/agent/agent/index.js";
import type { EntryId } from "@bough/session/entry/index.js";
import type { TreeSource } from "@bough/session/tree/index.js";
import { layoutCompare, wordsPair } from "@bough/session/view/internal.js";
import { runCommandLine, SENTENCES, switchBranch } from "../../command/index.js";
import type { Screen } from "../app/screen.js";
import { layoutOptions } from "../host/list-frame.js";
import type { Frame, Size } from "../host/panel.js";
import { isWhereYouAre } from "../host/panel-work.js";
import { SessionPanel } from "../host/session-panel.js";
import { bindKeys, key, type ScreenKeys } from "../keys/key-table.js";
import { listMoves, type Movable } from "../list/list-moves.js";
import { OpenCompare } from "./open-compare.js";

/** Opens the comparison; returns when it is closed. Throws `Entry <id> not found`. */
export const openCompare: Screen<"compare"> = async (app, { a, b }) => {
  const open = new OpenCompare(app, { a, b });
  void open.readFiles().then((isNew) => isNew && app.host.redraw());
  await app.host.open<void>((done) => new ComparePanel(open, () => done()));
};

class ComparePanel extends SessionPanel implements Movable {
  readonly name = "compare";
  readonly share = "full";
  readonly open: OpenCompare;
  protected readonly keys = bindKeys(COMPARE_KEYS, this);
  pageSize = 1;

  constructor(open: OpenCompare, close: () => void) {
    super(open.app, close);
    this.open = open;
  }

  draw(size: Size): Frame {
    const { open } = this;
    const { side, row, top, picked, words } = open;
    const drawn = layoutCompare(open.model, { side, row, top, picked, words }, layoutOptions(this.app.host, size));
    open.top = drawn.top;
    this.pageSize = Math.max(1, Math.floor(size.height / 4));
    return this.frame(size, drawn);
  }

  /** Scrolls up or down by turns; in the full texts, by lines. */
  moveBy(by: number): void {
    const { open } = this;
    // The layout keeps it in range.
    if (open.words) open.top = Math.max(0, open.top + by);
    else open.select(open.row + by);
  }

  endReached(direction: "up" | "down"): string | undefined {
    const { words, row, side } = this.open;
    // Full texts have lines instead of turns and can always be scrolled.
    if (words) return undefined;
    if (direction === "up") return row > 0 ? undefined : "This is the first turn.";
    return row < this.open.count(side) - 1 ? undefined : "This is the last turn of this side.";
  }

  /** Whether the selected side is the current position. */
  get isOwnSide(): boolean {
    return isWhereYouAre(this.app.context.agent.session.getSource(), this.open.tipId);
  }

  cherryPick(): void {
    const { turn, picked, comparison } = this.open;
    const starts = picked.size > 0 || turn === undefined ? picked : new Set([turn.entryId]);
    const ids = entriesOfTurns(this.app.context.agent.session.getSource(), comparison, starts);
    this.work.openScreen({ screen: "cherry-pick", ids });
  }

  showFiles(): void {
    const { a, b } = this.open.model;
    const title = `From #${a.number} ${a.name} to #${b.number} ${b.name}`;
    this.work.openScreen({ screen: "diff", from: a.tipId, to: b.tipId, title });
  }

  exportSide(): void {
    this.work.perform(() => {
      this.say("Scanning for secrets and writing …");
      return runCommandLine(this.app.context, `/export-branch ${this.open.tipId} --scope path`);
    }, "stay");
  }
}

/** The keys of the comparison. */
export const COMPARE_KEYS: ScreenKeys<ComparePanel> = {
  title: "Compare",
  actions: [
    key("compare.side", ["tab"], "switch sides", ({ open }) => open.choose(open.side === "a" ? "b" : "a")),
    key("compare.left", ["left", "h"], "go to the first side", {
      run: ({ open }) => open.choose("a"),
      disabled: ({ open }) => (open.side === "a" ? "This is the first side." : undefined),
    }),
    key("compare.right", ["right", "l"], "go to the second side", {
      run: ({ open }) => open.choose("b"),
      disabled: ({ open }) => (open.side === "b" ? "This is the second side." : undefined),
    }),
    ...listMoves({ scope: "compare", thing: "turn", kind: "letters" }),
    key("compare.enter", ["enter"], "go to the end of this side", {
      run: ({ work, app, open }) => work.perform(() => switchBranch(app.context, { entryId: open.tipId, to: "entry" })),
      disabled: ({ work, isOwnSide }) => work.off ?? (isOwnSide ? SENTENCES.alreadyHere : undefined),
    }),
    key("compare.pick", ["space"], "select or deselect this turn", {
      run: ({ open: { turn, picked } }) => {
        if (turn !== undefined && !picked.delete(turn.entryId)) picked.add(turn.entryId);
      },
      disabled: ({ open }) => (open.turn === undefined ? "No turn here to select." : undefined),
    }),
    key("compare.cherryPick", ["p"], "copy the selected turns to your position", {
      run: (panel) => panel.cherryPick(),
      disabled: ({ work, open: { turn, picked } }) =>
        work.off ?? (turn === undefined && picked.size === 0 ? "No turn here to copy." : undefined),
    }),
    key("compare.merge", ["M"], "merge this side into your branch", {
      run: ({ work, open }) => work.openScreen({ screen: "merge", tipId: open.tipId }),
      disabled: ({ work, isOwnSide, app }) => {
        if (work.off !== undefined || !isOwnSide) return work.off;
        return `You are on this side. ${app.host.keys.hint("compare.side")} goes to the other one.`;
      },
    }),
    key("compare.export", ["e"], "export this side", {
      run: (panel) => panel.exportSide(),
      disabled: ({ open }) => (open.count(open.side) === 0 ? "Nothing to export on this side." : undefined),
    }),
    key("compare.words", ["w"], "show the two selected turns side by side, in full", {
      run: ({ open }) => open.showWords(!open.words),
      disabled: ({ open }) => {
        const { a, b } = wordsPair(open.model, open);
        return a === undefined || b === undefined ? "Only one side has a turn here." : undefined;
      },
    }),
    key("compare.files", ["d"], "show how the files differ", {
      run: (panel) => panel.showFiles(),
      disabled: ({ app }) => (app.context.agent.followsFiles ? undefined : "Files are not recorded in this session."),
    }),
    key("compare.help", ["?", "f1"], "show all keys", (panel) => panel.help()),
    key(
      "compare.close",
      ["esc", "q", "ctrl+c"],
      "close the word diff, then the comparison",
      ({ work, open, close }) => {
        if (work.stop()) return;
        if (open.words) open.showWords(false);
        else close();
      },
    ),
  ],
};

/**
 * The entries of the turns that start at the given ones, in order. A turn ends where the next one on its side starts.
 * Walks each side once.
 */
function entriesOfTurns(
  source: TreeSource,
  { sharedId, a, b }: BranchComparison,
  starts: ReadonlySet<EntryId>,
): EntryId[] {
  return [a, b].flatMap((side) => entriesOnSide(source, { side, sharedId, starts }));
}

interface WantedTurns {
  readonly side: BranchSide;
  readonly sharedId: EntryId | null;
  readonly starts: ReadonlySet<EntryId>;
}

function entriesOnSide({ tree }: TreeSource, { side, sharedId, starts }: WantedTurns): EntryId[] {
  const begins = new Set(side.steps.map(({ entryId }) => entryId));
  const shared = sharedId === null ? -1 : tree.ids.findText(sharedId);
  const turns: EntryId[][] = [];
  // Walks up from the end, so whether a turn is wanted is known only at its first entry.
  let turn: EntryId[] = [];
  for (let at = tree.ids.findText(side.tipId); at >= 0 && at !== shared; at = tree.parentOf(at)) {
    const id = tree.ids.textOf(at);
    turn.push(id);
    if (!begins.has(id)) continue;
    if (starts.has(id)) turns.push(turn.reverse());
    turn = [];
  }
  return turns.reverse().flat();
}
