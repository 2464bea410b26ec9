/** Work that a panel over the session starts: flows that may move the leaf, and screens opened on top. */

import type { AgentSession } from "@bough/agent/agent/index.js";
import type { EntryId } from "@bough/session/entry/index.js";
import { asNotice, errorText, type Notice } from "@bough/session/text/index.js";
import { planMove, type TreeSource } from "@bough/session/tree/index.js";
import { OPEN_ELSEWHERE } from "@bough/session/view/internal.js";
import { busySentence, type CommandOutcome, type ScreenRequest, showOutcome } from "../../command/index.js";
import type { ScreenApp } from "../app/screen.js";
import type { OffReason } from "../keys/off-reason.js";
import { workingOffer } from "../keys/working-offer.js";

interface PanelWorkOptions {
  readonly app: ScreenApp;
  /** Closes the panel. */
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

  /** This panel or the agent is working. */
  get busy(): boolean {
    return this.#running || this.#options.app.context.agent.operation !== undefined;
  }

  /** Why nothing can be moved or added now. */
  get off(): OffReason | undefined {
    if (this.#options.app.readOnly) return OPEN_ELSEWHERE;
    const { agent, front } = this.#options.app.context;
    return this.busy ? workingOffer("move", front, this.#operation(agent.operation)) : undefined;
  }

  /** What is running, as a sentence; undefined if nothing is. */
  get busyWith(): string | undefined {
    return this.busy ? busySentence(this.#operation(this.#options.app.context.agent.operation)) : undefined;
  }

  /** Before and after its operation, a move of this panel asks and reports. */
  #operation(running: AgentSession["operation"]): AgentSession["operation"] {
    return running ?? (this.#running ? "navigate" : undefined);
  }

  /** Why no label can be set now; labels also work while the agent is working. */
  get notesOff(): string | undefined {
    return this.#options.app.readOnly ? OPEN_ELSEWHERE : undefined;
  }

  /** Stops what this panel started, such as a move waiting for a slow extension. False if nothing is running. */
  stop(): boolean {
    if (!this.#running) return false;
    this.#options.app.context.agent.abort();
    return true;
  }

  /** Runs something that may move the leaf. Closes the panel if it moved; otherwise shows why not. */
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
    // Any error is shown to the user, and the panel stays as it was.
    work()
      .then(finish)
      .catch((error: unknown) => say(errorText(error)))
      .finally(() => {
        this.#running = false;
        app.host.redraw();
      });
  }

  /** Opens another screen over this one; closes this one if that moved the leaf. */
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

/** Whether two positions are the same to a user: notes such as labels do not count as positions. */
export function isWhereYouAre(source: TreeSource, target: number | EntryId): boolean {
  return planMove(source, { target, place: "exact" }).same;
}
