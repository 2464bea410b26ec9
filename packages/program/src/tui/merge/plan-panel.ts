/** The panel of a plan: review what would be added, remove turns, confirm or go back. */
import { layoutPlan } from "@bough/session/view/internal.js";
import type { ScreenApp } from "../app/screen.js";
import { layoutOptions } from "../host/list-frame.js";
import type { Frame, Size } from "../host/panel.js";
import { SessionPanel } from "../host/session-panel.js";
import { bindKeys, key, type ScreenKeys } from "../keys/key-table.js";
import { listMoves, type Movable } from "../list/list-moves.js";
import { askText } from "../questions/ask-text.js";
import type { OpenPlan } from "./open-plan.js";

/** Returns when it was carried out or the user went back. */
export async function openPlan(app: ScreenApp, plan: OpenPlan): Promise<void> {
  await app.host.open<void>((done) => new PlanPanel(app, plan, () => done()));
}

class PlanPanel extends SessionPanel implements Movable {
  readonly name = "plan";
  readonly share = "half";
  readonly plan: OpenPlan;
  protected readonly keys = bindKeys(PLAN_KEYS, this);
  pageSize = 1;
  #selected = 0;
  #top = 0;

  constructor(app: ScreenApp, plan: OpenPlan, close: () => void) {
    super(app, close);
    this.plan = plan;
  }

  draw(size: Size): Frame {
    const state = { selected: this.#selected, top: this.#top };
    const drawn = layoutPlan(this.plan.model(), state, layoutOptions(this.app.host, size));
    this.#top = drawn.top;
    this.pageSize = Math.max(1, size.height - FRAME_LINES);
    return this.frame(size, drawn);
  }

  /** Why single turns cannot be removed: a summary covers all of them. */
  get whole(): string | undefined {
    return this.plan.form === "summary" ? "A summary covers the whole branch." : undefined;
  }

  moveBy(turns: number): void {
    this.#selected = Math.max(0, Math.min(this.plan.turns.length - 1, this.#selected + turns));
  }

  endReached(direction: "up" | "down"): string | undefined {
    if (this.whole !== undefined) return this.whole;
    if (direction === "up") return this.#selected > 0 ? undefined : "This is the first turn.";
    return this.#selected < this.plan.turns.length - 1 ? undefined : "This is the last turn.";
  }

  drop(): void {
    const { dropped } = this.plan;
    if (!dropped.delete(this.#selected)) dropped.add(this.#selected);
  }

  async askAbout(): Promise<void> {
    const text = this.plan.instructions ?? "";
    const title = "What should the summary keep?";
    const answer = await askText(this.app.host, { name: "about", title, text, verb: "use it" });
    if (answer === undefined) return;
    this.plan.instructions = answer.trim() === "" ? undefined : answer.trim();
    this.say(answer.trim() === "" ? undefined : `The summary will keep: ${answer.trim()}`);
  }
}

/** Title, notes and hints around the turns. */
const FRAME_LINES = 3;

/** The keys of a plan, which shows what a cherry-pick or a merge would add before it is done. */
export const PLAN_KEYS: ScreenKeys<PlanPanel> = {
  title: "Cherry-pick and merge",
  actions: [
    ...listMoves({ scope: "plan", thing: "turn", kind: "letters" }),
    key("plan.apply", ["enter"], "do it", {
      run: ({ work, plan }) => work.perform(() => plan.apply()),
      disabled: ({ work, plan }) => {
        if (work.off !== undefined) return work.off;
        return plan.form === "turns" && plan.dropped.size === plan.turns.length ? "Every turn is excluded." : undefined;
      },
    }),
    key("plan.drop", ["space"], "exclude or include this turn", {
      run: (panel) => panel.drop(),
      disabled: ({ whole, app }) =>
        whole === undefined ? undefined : `${whole} ${app.host.keys.hint("plan.form")} brings its turns instead.`,
    }),
    key("plan.form", ["tab"], "bring a summary, or the turns themselves", {
      run: ({ plan }) => plan.changeForm?.(),
      disabled: ({ plan }) => (plan.changeForm === undefined ? "Selected turns are copied as is." : undefined),
    }),
    key("plan.about", ["w"], "tell the summary what to keep", {
      run: (panel) => void panel.askAbout(),
      disabled: ({ whole }) =>
        whole === undefined ? "Turns are copied as is; there is no summary to instruct." : undefined,
    }),
    key("plan.help", ["?", "f1"], "show all keys", (panel) => panel.help()),
    key("plan.close", ["esc", "q", "ctrl+c"], "go back without changes", ({ work, close }) => work.stop() || close()),
  ],
};
