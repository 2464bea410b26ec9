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
  /** The panel that made the offer: a question above it has its own Esc. */
  #madeBy: Panel | undefined;

  constructor(parts: StopOfferParts) {
    this.#parts = parts;
  }

  /** Takes the key if it accepts what the panel offers. */
  take(key: KeyPress, panel: Panel): boolean {
    const { agent, host } = this.#parts;
    const accepts = key.name === "esc" || host.keys.actionFor("chat", key) === "chat.stop";
    if (!accepts || this.#madeBy !== panel || !this.#isShown(panel)) return false;
    if (agent.operation === undefined || agent.isStopping) return false;
    this.expire();
    host.status("Stopping the agent.");
    const stopping = host.statusLine;
    agent.abort();
    void agent.whenIdle().then(() => {
      // The status may have changed meanwhile.
      if (host.statusLine === stopping) host.status(SENTENCES.stopped);
    });
    return true;
  }

  /** Looks at what the panel says after a key. */
  look(panel: Panel): void {
    if (this.#isShown(panel)) this.#madeBy = panel;
  }

  /** Takes an offer off the screen, as it must be when nothing is running any more. */
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
