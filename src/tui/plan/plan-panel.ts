/** The panel of a plan: look at what would be brought, leave turns out, do it or go back. */
import { layoutPlan } from "../../view/index.js";
import type { ScreenApp } from "../app/screen.js";
import { layoutOptions, listFrame } from "../branches/list-frame.js";
import type { Frame, Panel, Size } from "../desk/panel.js";
import { showHelp } from "../help/show-help.js";
import type { KeyPress } from "../keys/key-press.js";
import { askText } from "../questions/ask-text.js";
import { PanelWork } from "../tree/panel-work.js";
import type { OpenPlan } from "./open-plan.js";

/** Returns when it was carried out, or when the person went back. */
export async function openPlan(app: ScreenApp, plan: OpenPlan): Promise<void> {
  await app.desk.open<void>((done) => new PlanPanel(app, plan, () => done()));
}

class PlanPanel implements Panel {
  readonly name = "plan";
  readonly share = "half";
  readonly keyScope = "plan";
  readonly #app: ScreenApp;
  readonly #plan: OpenPlan;
  readonly #close: () => void;
  readonly #work: PanelWork;
  #selected = 0;
  #top = 0;
  #page = 1;
  #message: string | undefined;

  constructor(app: ScreenApp, plan: OpenPlan, close: () => void) {
    this.#app = app;
    this.#plan = plan;
    this.#close = close;
    this.#work = new PanelWork({ app, close, say: (message) => this.#say(message) });
  }

  get said(): string | undefined {
    return this.#message;
  }

  set said(message: string | undefined) {
    this.#say(message);
  }

  draw(size: Size): Frame {
    const { desk } = this.#app;
    const state = { selected: this.#selected, top: this.#top };
    const drawn = layoutPlan(this.#plan.model(), state, layoutOptions(desk, size));
    this.#top = drawn.top;
    this.#page = Math.max(1, size.height - FRAME_LINES);
    return listFrame(desk, size, { drawn, message: this.#message });
  }

  handleKey(key: KeyPress): boolean {
    this.#say(undefined);
    const action = this.#app.desk.keys.actionFor("plan", key);
    if (action === undefined) return false;
    const reason = this.offReason(action);
    if (reason === undefined) this.#actions[action]?.();
    else this.#say(reason);
    return true;
  }

  offReason(actionId: string): string | undefined {
    const { turns, dropped, form, changeForm } = this.#plan;
    const whole = form === "summary" ? "A summary covers the whole branch." : undefined;
    switch (actionId) {
      case "plan.previous":
      case "plan.pageUp":
      case "plan.first":
        return whole ?? (this.#selected > 0 ? undefined : "This is the first turn.");
      case "plan.next":
      case "plan.pageDown":
      case "plan.last":
        return whole ?? (this.#selected < turns.length - 1 ? undefined : "This is the last turn.");
      case "plan.apply":
        if (this.#work.off !== undefined) return this.#work.off;
        return form === "turns" && dropped.size === turns.length ? "Every turn is left out." : undefined;
      case "plan.drop":
        return whole === undefined
          ? undefined
          : `${whole} ${this.#app.desk.keys.hint("plan.form")} brings its turns instead.`;
      case "plan.form":
        return changeForm === undefined ? "Picked turns are copied as they are." : undefined;
      case "plan.about":
        return whole === undefined
          ? "Turns are copied as they are; there is no summary to say something about."
          : undefined;
      default:
        return undefined;
    }
  }

  readonly #actions: Readonly<Record<string, () => void>> = {
    "plan.previous": () => this.#select(this.#selected - 1),
    "plan.next": () => this.#select(this.#selected + 1),
    "plan.pageUp": () => this.#select(this.#selected - this.#page),
    "plan.pageDown": () => this.#select(this.#selected + this.#page),
    "plan.first": () => this.#select(0),
    "plan.last": () => this.#select(this.#plan.turns.length - 1),
    "plan.apply": () => this.#work.perform(() => this.#plan.apply()),
    "plan.drop": () => this.#drop(),
    "plan.form": () => this.#plan.changeForm?.(),
    "plan.about": () => void this.#askAbout(),
    "plan.help": () =>
      void showHelp(this.#app.desk, { scope: "plan", offReason: (actionId) => this.offReason(actionId) }),
    "plan.close": () => {
      if (!this.#work.stop()) this.#close();
    },
  };

  #drop(): void {
    const { dropped } = this.#plan;
    if (!dropped.delete(this.#selected)) dropped.add(this.#selected);
  }

  #select(index: number): void {
    this.#selected = Math.max(0, Math.min(this.#plan.turns.length - 1, index));
  }

  async #askAbout(): Promise<void> {
    const text = this.#plan.instructions ?? "";
    const title = "What should the summary keep?";
    const answer = await askText(this.#app.desk, { name: "about", title, text, verb: "keep it in mind" });
    if (answer === undefined) return;
    this.#plan.instructions = answer.trim() === "" ? undefined : answer.trim();
    this.#say(answer.trim() === "" ? undefined : `The summary will keep: ${answer.trim()}`);
  }

  #say(message: string | undefined): void {
    this.#message = message;
    this.#app.desk.redraw();
  }
}

/** Title, remarks and hints around the turns. */
const FRAME_LINES = 3;
