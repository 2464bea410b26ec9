/** Two branches side by side: where they parted, what each did, how each ended. */
import { runCommandLine, switchBranch } from "../../command/index.js";
import { layoutCompare } from "../../view/index.js";
import type { Screen } from "../app/screen.js";
import { layoutOptions, listFrame } from "../branches/list-frame.js";
import type { Frame, Panel, Size } from "../desk/panel.js";
import { showHelp } from "../help/show-help.js";
import type { KeyPress } from "../keys/key-press.js";
import { PanelWork } from "../tree/panel-work.js";
import { compareOffReason, otherSide } from "./compare-keys-off.js";
import { OpenCompare } from "./open-compare.js";
import { entriesOfTurns } from "./side-entries.js";

/** Opens the comparison; returns when it is closed. Throws `Entry <id> not found`. */
export const openCompare: Screen<"compare"> = async (app, { a, b }) => {
  const open = new OpenCompare(app, { a, b });
  await app.desk.open<void>((done) => new ComparePanel(open, () => done()));
};

class ComparePanel implements Panel {
  readonly name = "compare";
  readonly share = "full";
  readonly keyScope = "compare";
  readonly #open: OpenCompare;
  readonly #close: () => void;
  readonly #work: PanelWork;

  constructor(open: OpenCompare, close: () => void) {
    this.#open = open;
    this.#close = close;
    this.#work = new PanelWork({ app: open.app, close, say: (message) => this.#say(message) });
  }

  get said(): string | undefined {
    return this.#open.message;
  }

  set said(message: string | undefined) {
    this.#say(message);
  }

  draw(size: Size): Frame {
    const open = this.#open;
    const { desk } = open.app;
    const { side, row, top, picked, words } = open;
    const drawn = layoutCompare(open.model, { side, row, top, picked, words }, layoutOptions(desk, size));
    open.top = drawn.top;
    open.pageSize = Math.max(1, Math.floor(size.height / 4));
    return listFrame(desk, size, { drawn, message: open.message });
  }

  handleKey(key: KeyPress): boolean {
    this.#say(undefined);
    const action = this.#open.app.desk.keys.actionFor("compare", key);
    if (action === undefined) return false;
    const reason = this.offReason(action);
    if (reason === undefined) this.#actions[action]?.();
    else this.#say(reason);
    return true;
  }

  offReason(actionId: string): string | undefined {
    return compareOffReason(this.#open, this.#work, actionId);
  }

  readonly #actions: Readonly<Record<string, () => void>> = {
    "compare.side": () => this.#open.choose(otherSide(this.#open.side)),
    "compare.left": () => this.#open.choose("a"),
    "compare.right": () => this.#open.choose("b"),
    "compare.previous": () => this.#go(-1),
    "compare.next": () => this.#go(1),
    "compare.pageUp": () => this.#go(-this.#open.pageSize),
    "compare.pageDown": () => this.#go(this.#open.pageSize),
    "compare.first": () => this.#go(-FAR),
    "compare.last": () => this.#go(FAR),
    "compare.enter": () =>
      this.#work.perform(() => switchBranch(this.#open.app.world, { entryId: this.#open.tipId, to: "entry" })),
    "compare.pick": () => this.#pick(),
    "compare.cherryPick": () => this.#cherryPick(),
    "compare.merge": () => this.#work.openScreen({ screen: "merge", tipId: this.#open.tipId }),
    "compare.export": () =>
      this.#work.perform(() => {
        this.#say("Looking for secrets and writing …");
        return runCommandLine(this.#open.app.world, `/export-branch ${this.#open.tipId} --scope path`);
      }, "stay"),
    "compare.words": () => this.#open.showWords(!this.#open.words),
    "compare.help": () =>
      void showHelp(this.#open.app.desk, { scope: "compare", offReason: (actionId) => this.offReason(actionId) }),
    "compare.close": () => {
      if (this.#work.stop()) return;
      if (this.#open.words) this.#open.showWords(false);
      else this.#close();
    },
  };

  /** Turns up or down; word for word, lines. */
  #go(by: number): void {
    const open = this.#open;
    // The layout keeps it inside.
    if (open.words) open.top = Math.max(0, open.top + by);
    else open.select(open.row + by);
  }

  #pick(): void {
    const { turn, picked } = this.#open;
    if (turn !== undefined && !picked.delete(turn.entryId)) picked.add(turn.entryId);
  }

  #cherryPick(): void {
    const { turn, picked, comparison, app } = this.#open;
    const starts = picked.size > 0 || turn === undefined ? picked : new Set([turn.entryId]);
    const ids = entriesOfTurns(app.world.agent.session.getSource(), comparison, starts);
    this.#work.openScreen({ screen: "cherry-pick", ids });
  }

  #say(message: string | undefined): void {
    this.#open.message = message;
    this.#open.app.desk.redraw();
  }
}

/** Further than any list goes. */
const FAR = 1_000_000_000;
