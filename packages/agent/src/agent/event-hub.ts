import { asNotice, defined, errorText, type Notice } from "@bough/session/text/index.js";
import type { AgentEvent } from "./agent-events.js";

type AgentListener = (event: AgentEvent) => void;

interface EventHubOptions {
  /** Which events to keep for the first listener if no one was listening yet. */
  readonly keeps: "notices" | "everything";
}

/**
 * Passes events to listeners, in order, at once. A listener that throws is reported to the others and stays subscribed:
 * no front end can break a run.
 */
export class EventHub {
  readonly #keeps: EventHubOptions["keeps"];
  readonly #listeners = new Set<AgentListener>();
  #waiting: AgentEvent[] = [];

  constructor({ keeps }: EventHubOptions) {
    this.#keeps = keeps;
  }

  /** Returns the function that ends the subscription. */
  subscribe(listener: AgentListener): () => void {
    this.#listeners.add(listener);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const event of waiting) this.#tell(listener, event);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  // An arrow, so that it can be passed on.
  readonly emit = (event: AgentEvent): void => {
    const isKept = this.#keeps === "everything" || event.type === "notice";
    if (this.#listeners.size === 0 && isKept) this.#waiting.push(event);
    for (const listener of [...this.#listeners]) this.#tell(listener, event);
  };

  notice(level: "info" | "warning" | "error", said: string | Notice): void {
    const { message, hint } = asNotice(said);
    this.emit({ type: "notice", level, message, ...defined({ hint }) });
  }

  #tell(listener: AgentListener, event: AgentEvent): void {
    try {
      listener(event);
    } catch (error) {
      // A notice about a failed notice could loop forever.
      if (event.type === "notice") return;
      const message = `A listener failed on ${event.type}: ${errorText(error)}`;
      for (const other of [...this.#listeners]) {
        if (other !== listener) this.#tell(other, { type: "notice", level: "error", message });
      }
    }
  }
}
