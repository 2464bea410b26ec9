/** The todo list of the path, looked up between keys when the position changes. */
import { type TodoItem, todoIn } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import type { PanelHost } from "../host/panel-host.js";

/** How many entries back to search for a list. */
const FAR = 20_000;

export class PathTodo {
  readonly #host: Pick<PanelHost, "inSlices" | "redraw">;
  #work: AbortController | undefined;
  #known: { readonly session: SessionManager; readonly leaf: number; readonly items: readonly TodoItem[] } | undefined;

  constructor(host: Pick<PanelHost, "inSlices" | "redraw">) {
    this.#host = host;
  }

  get items(): readonly TodoItem[] {
    return this.#known?.items ?? [];
  }

  look(session: SessionManager): void {
    this.stop();
    const work = new AbortController();
    this.#work = work;
    const { tree, leaf, entryAt } = session.getSource();
    const known = this.#known?.session === session ? this.#known : undefined;
    let at = leaf;
    let steps = 0;
    const finish = (items: readonly TodoItem[]): "done" => {
      this.#known = { session, leaf, items };
      this.#host.redraw();
      return "done";
    };
    this.#host.inSlices((deadline) => {
      // Between two slices the agent may have switched to another session and closed this one.
      if (session.getSource().tree !== tree) return "done";
      while (at >= 0 && steps <= FAR) {
        if (at === known?.leaf) return finish(known.items);
        const items = todoIn(entryAt(at));
        if (items !== undefined) return finish(items);
        steps += 1;
        at = tree.parentOf(at);
        if (deadline()) return "more";
      }
      return finish([]);
    }, work.signal);
  }

  stop(): void {
    this.#work?.abort();
    this.#work = undefined;
  }
}
