/** What a panel over the session sets going: flows that may move the leaf, and other screens on top of it. */

import type { EntryId } from "@bough/session/entry/index.js";
import { asNotice, errorText, type Notice } from "@bough/session/text/index.js";
import { planMove, type TreeSource } from "@bough/session/tree/index.js";
import { OPEN_ELSEWHERE } from "@bough/session/view/internal.js";
import { type CommandOutcome, type ScreenRequest, showOutcome } from "../../command/index.js";
import type { ScreenApp } from "../app/screen.js";
import type { OffReason } from "../keys/off-reason.js";
import { workingOffer } from "../keys/working-offer.js";

interface PanelWorkOptions {
  readonly app: ScreenApp;
  /** Takes the panel away. */
  readonly close: () => void;
  /** Shows a message in the panel. */
  readonly say: (message: string | Notice | undefined) => void;
}

export class PanelWork {
  readonly #options: PanelWorkOptions;
  #running = false;

  constructor(options: PanelWorkOptions) {
    this.#options = options;
  }

  /** Something is under way, of this panel or of the agent. */
  get busy(): boolean {
    return this.#running || this.#options.app.context.agent.operation !== undefined;
  }

  /** Why nothing can be moved or added now. */
  get off(): OffReason | undefined {
    if (this.#options.app.readOnly) return OPEN_ELSEWHERE;
    return this.busy ? workingOffer("move", this.#options.app.context.front) : undefined;
  }

  /** Why nothing can be noted now: names can be given while the agent works. */
  get notesOff(): string | undefined {
    return this.#options.app.readOnly ? OPEN_ELSEWHERE : undefined;
  }

  /** Stops what this panel started, such as a move that waits for a slow extension. False if nothing runs. */
  stop(): boolean {
    if (!this.#running) return false;
    this.#options.app.context.agent.abort();
    return true;
  }

  /** Does something that may move. The panel closes if it did, and says why if it did not. */
  perform(work: () => Promise<CommandOutcome>, afterwards: "close" | "stay" = "close"): void {
    if (this.#running) return;
    this.#running = true;
    const { app, close, say } = this.#options;
    const finish = (outcome: CommandOutcome): void => {
      this.#running = false;
      if (outcome.kind === "done" && afterwards === "close") {
        close();
        showOutcome(app.context.front, outcome);
      } else if (outcome.kind === "unchanged") say(asNotice(outcome));
      else if (outcome.kind === "done")
        say(outcome.message === undefined ? undefined : { message: outcome.message, hint: outcome.hint });
    };
    // The edge: whatever goes wrong, the user sees it and the panel stays as it was.
    work()
      .then(finish)
      .catch((error: unknown) => say(errorText(error)))
      .finally(() => {
        this.#running = false;
        app.host.redraw();
      });
  }

  /** Opens another screen over this one; if that moved the leaf, this one closes. */
  openScreen(request: ScreenRequest): void {
    const { app, close, say } = this.#options;
    const { session } = app.context.agent;
    const before = session.getLeafId();
    app
      .open(request)
      .then(() => (session.getLeafId() === before ? app.host.redraw() : close()))
      .catch((error: unknown) => say(errorText(error)));
  }
}

/** Whether two places are the same for the conversation: notes such as labels hang below an entry without being a place. */
export function isWhereYouAre(source: TreeSource, target: number | EntryId): boolean {
  return planMove(source, { target, place: "exact" }).same;
}
