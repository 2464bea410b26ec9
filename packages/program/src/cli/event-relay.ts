import type { AgentEvent } from "@bough/agent/agent/index.js";
import { asNotice, type Notice } from "@bough/session/text/index.js";

/** Buffers events while an agent starts until there is a listener, so that no notice is lost or comes too early. */
export class EventRelay {
  #listener: ((event: AgentEvent) => void) | undefined;
  #early: AgentEvent[] = [];

  // An arrow, so that it can be passed on.
  readonly emit = (event: AgentEvent): void => {
    if (this.#listener === undefined) this.#early.push(event);
    else this.#listener(event);
  };

  /** Replays past events, then passes on new ones. One listener; a later one replaces it. */
  listen(listener: (event: AgentEvent) => void): void {
    const early = this.#early;
    this.#early = [];
    for (const event of early) listener(event);
    this.#listener = listener;
  }

  notice(level: "info" | "warning" | "error", said: string | Notice): void {
    const { message, hint } = asNotice(said);
    this.emit({ type: "notice", level, message, ...(hint === undefined ? {} : { hint }) });
  }
}
