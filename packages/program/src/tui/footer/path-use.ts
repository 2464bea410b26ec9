/** Context usage and cost of the path, computed between keys and never twice. */
import {
  type CachedPrompt,
  cachedPrompt,
  contextTokens,
  estimateEntryTokens,
  UsageCounter,
} from "@bough/agent/agent/internal.js";
import { Kind, kindOf, roleIn } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { countIn } from "../context/context-size.js";
import type { PanelHost } from "../host/panel-host.js";

interface PathUseFacts {
  /** Undefined until it is known. */
  readonly tokens: number | undefined;
  readonly cost: { readonly dollars: number; readonly complete: boolean } | undefined;
  /** Of the last request on the path. */
  readonly cached?: CachedPrompt | undefined;
}

/** How far back to search for a token count. Providers send one with every answer. */
const FAR_FOR_TOKENS = 4000;
/** Longer paths are not added up; for them, only the cost since opening is shown. */
const FAR_FOR_COST = 20_000;

export class PathUse {
  readonly #host: Pick<PanelHost, "inSlices" | "redraw">;
  #work: AbortController | undefined;
  #known:
    | { readonly session: SessionManager; readonly leaf: number; readonly dollars: number; readonly complete: boolean }
    | undefined;
  #facts: PathUseFacts = { tokens: undefined, cost: undefined };

  constructor(host: Pick<PanelHost, "inSlices" | "redraw">) {
    this.#host = host;
  }

  get facts(): PathUseFacts {
    return this.#facts;
  }

  /** The leaf moved or entries were added. */
  look(session: SessionManager): void {
    this.stop();
    const work = new AbortController();
    this.#work = work;
    const source = session.getSource();
    const leaf = source.leaf;
    const known = this.#known?.session === session ? this.#known : undefined;
    const spent = new UsageCounter();
    let tokens: number | undefined;
    let cached: CachedPrompt | undefined;
    let after = 0;
    let steps = 0;
    let at = leaf;
    const finish = (dollars: number, complete: boolean): "done" => {
      this.#known = { session, leaf, dollars, complete };
      const cost = { dollars, complete };
      this.#facts = { tokens: tokens ?? (steps <= FAR_FOR_TOKENS ? after : undefined), cost, cached };
      this.#host.redraw();
      return "done";
    };
    this.#host.inSlices((deadline) => {
      // Between two slices the agent may have switched to another session and closed this one.
      if (session.getSource().tree !== source.tree) return "done";
      while (at >= 0) {
        if (at === known?.leaf && tokens !== undefined) {
          const { dollars, unpriced } = spent.total();
          return finish(known.dollars + dollars, known.complete && unpriced === 0);
        }
        if (steps > FAR_FOR_COST) return finish(spent.total().dollars, false);
        const entry = source.entryAt(at);
        spent.add(entry);
        if (tokens === undefined && steps <= FAR_FOR_TOKENS) {
          const counted = roleIn(entry) === "assistant" ? countIn(entry) : 0;
          if (counted > 0) {
            tokens = counted + after;
            cached = cachedPrompt(entry);
          } else if (kindOf(entry) === Kind.compaction || entry.type === "context_edit")
            tokens = contextTokens(session).tokens;
          else after += estimateEntryTokens(entry);
        }
        steps += 1;
        at = source.tree.parentOf(at);
        if (deadline()) return "more";
      }
      const { dollars, unpriced } = spent.total();
      return finish(dollars, unpriced === 0);
    }, work.signal);
  }

  stop(): void {
    this.#work?.abort();
    this.#work = undefined;
  }
}
