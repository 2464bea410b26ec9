import { errorText } from "@bough/session/text/index.js";
import type { AgentEvent } from "./agent-events.js";

type AgentListener = (event: AgentEvent) => void;

/**
 * Passes events to listeners, in order, at once. Notices from before anyone listened are kept for the first listener. A
 * listener that throws is reported to the others and stays subscribed: no front end can break a run.
 */
export class EventHub {
  readonly #listeners = new Set<AgentListener>();
  #waiting: AgentEvent[] = [];

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

  emit(event: AgentEvent): void {
    if (this.#listeners.size === 0 && event.type === "notice") this.#waiting.push(event);
    for (const listener of [...this.#listeners]) this.#tell(listener, event);
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
