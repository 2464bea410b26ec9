/** The cost of all branches of a session, computed between keys; each entry counts once. */
import { UsageCounter } from "@bough/agent/agent/internal.js";
import type { SessionManager } from "@bough/session/session/index.js";
import type { PanelHost } from "../host/panel-host.js";

/** For longer sessions only new entries are counted, and the sum is marked as incomplete. */
const FAR = 20_000;

export class SessionCost {
  readonly #host: Pick<PanelHost, "inSlices" | "redraw">;
  #work: AbortController | undefined;
  #tree: unknown;
  #next = 0;
  #start = 0;
  #spent = new UsageCounter();

  constructor(host: Pick<PanelHost, "inSlices" | "redraw">) {
    this.#host = host;
  }

  get facts(): { readonly dollars: number; readonly complete: boolean } {
    const { dollars, unpriced } = this.#spent.total();
    return { dollars, complete: unpriced === 0 && this.#start === 0 };
  }

  /** Entries were added, or another session was opened. */
  look(session: SessionManager): void {
    this.stop();
    const { tree, entryAt } = session.getSource();
    if (tree !== this.#tree) {
      this.#tree = tree;
      this.#start = Math.max(0, tree.count - FAR);
      this.#next = this.#start;
      this.#spent = new UsageCounter();
    }
    if (this.#next >= tree.count) return;
    this.#work = new AbortController();
    this.#host.inSlices((deadline) => {
      if (session.getSource().tree !== tree) return "done";
      while (this.#next < tree.count) {
        this.#spent.add(entryAt(this.#next));
        this.#next += 1;
        if (deadline()) return "more";
      }
      this.#host.redraw();
      return "done";
    }, this.#work.signal);
  }

  stop(): void {
    this.#work?.abort();
    this.#work = undefined;
  }
}
