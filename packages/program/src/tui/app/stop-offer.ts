/** "Agent is working. Esc stops it": while a panel shows that, Esc stops the agent and the panel stays open. */
import type { AgentSession } from "@bough/agent/agent/index.js";
import { SENTENCES } from "../../command/index.js";
import type { OwnedHost } from "../host/create-host.js";
import type { Panel } from "../host/panel.js";
import type { KeyPress } from "../keys/key-press.js";
import { offersToStop } from "../keys/off-reason.js";

interface StopOfferParts {
  readonly agent: Pick<AgentSession, "operation" | "isStopping" | "abort" | "whenIdle">;
  readonly host: Pick<OwnedHost, "status" | "statusLine" | "clearStatus" | "keys">;
}

export class StopOffer {
  readonly #parts: StopOfferParts;
  /** The panel that made the offer. A question above it handles its own Esc. */
  #madeBy: Panel | undefined;

  constructor(parts: StopOfferParts) {
    this.#parts = parts;
  }

  /** Handles the key if it accepts the panel's offer. */
  take(key: KeyPress, panel: Panel): boolean {
    const { agent, host } = this.#parts;
    const accepts = key.name === "esc" || host.keys.actionFor("chat", key) === "chat.stop";
    if (!accepts || this.#madeBy !== panel || !this.#isShown(panel)) return false;
    if (agent.operation === undefined || agent.isStopping) return false;
    this.expire();
    host.status(agent.operation === "run" ? "Stopping the agent." : "Cancelling.");
    const stopping = host.statusLine;
    agent.abort();
    void agent.whenIdle().then(() => {
      // The status may have changed in the meantime.
      if (host.statusLine === stopping) host.status(SENTENCES.stopped);
    });
    return true;
  }

  /** Checks the panel's message after a key. */
  look(panel: Panel): void {
    if (this.#isShown(panel)) this.#madeBy = panel;
  }

  /** Removes the offer once nothing is running. */
  expire(): void {
    const panel = this.#madeBy;
    this.#madeBy = undefined;
    if (panel !== undefined && offersToStop(panel.said)) panel.said = undefined;
    if (offersToStop(this.#parts.host.statusLine)) this.#parts.host.clearStatus();
  }

  #isShown(panel: Panel): boolean {
    return offersToStop(panel.said) || offersToStop(this.#parts.host.statusLine);
  }
}
