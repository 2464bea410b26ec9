/** Counts, tokens and cost of a session, bit by bit: a long session takes longer than a key may wait. */

import type { SessionStats, Totals } from "../../agent/index.js";
import { estimateEntryTokens, totalsOf } from "../../agent/internal.js";
import type { SessionManager } from "../../session/index.js";
import type { TreeSource } from "../../tree/index.js";
import { countedContext, shownNumbers, speaks } from "../context/context-size.js";

type Sums = { -readonly [Name in keyof Omit<Totals, "usage">]: number } & {
  readonly usage: { -readonly [Name in keyof Totals["usage"]]: number };
};

export class StatsCounter {
  readonly #session: SessionManager;
  readonly #source: TreeSource;
  /** 1 on the path to the leaf; 2 where it can be shown to the model as well. */
  readonly #places: Uint8Array;
  readonly #count: number;
  readonly #path = noSums();
  readonly #all = noSums();
  readonly #fixed: Pick<SessionStats, "sessionId" | "file" | "name" | "branches">;
  readonly #counted: SessionStats["context"] | undefined;
  #estimate = 0;
  #next = 0;

  constructor(session: SessionManager) {
    this.#session = session;
    this.#source = session.getSource();
    const { tree, leaf } = this.#source;
    this.#count = tree.count;
    this.#places = new Uint8Array(this.#count);
    for (let n = leaf; n >= 0; n = tree.parentOf(n)) this.#places[n] = 1;
    for (const n of shownNumbers(this.#source)) if (speaks(tree.kindOf(n))) this.#places[n] = 2;
    this.#counted = countedContext(this.#source);
    this.#fixed = {
      sessionId: session.getSessionId(),
      file: session.getSessionFile(),
      name: session.getSessionName(),
      branches: session.getCounts().branches,
    };
  }

  /** From 0 to 1. */
  get progress(): number {
    return this.#count === 0 ? 1 : this.#next / this.#count;
  }

  /** What is counted so far. */
  get stats(): SessionStats {
    const context = this.#counted ?? { tokens: this.#estimate, counted: 0 };
    return { ...this.#fixed, context, path: this.#path, session: this.#all };
  }

  advance(deadline: () => boolean): "more" | "done" {
    // Another session may have been opened meanwhile; its entries have nothing to do with these.
    if (this.#session.getSessionId() !== this.#fixed.sessionId) return "done";
    while (this.#next < this.#count) {
      const n = this.#next++;
      const entry = this.#source.entryAt(n);
      const totals = totalsOf([entry]);
      const place = this.#places[n] as number;
      add(this.#all, totals);
      if (place > 0) add(this.#path, totals);
      if (place > 1) this.#estimate += estimateEntryTokens(entry);
      if (deadline()) break;
    }
    return this.#next < this.#count ? "more" : "done";
  }
}

function noSums(): Sums {
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, tokens: 0, dollars: 0, unpriced: 0 };
  return { entries: 0, userMessages: 0, answers: 0, toolCalls: 0, errors: 0, compactions: 0, usage };
}

function add(sums: Sums, { usage, ...counts }: Totals): void {
  for (const [name, count] of Object.entries(counts)) sums[name as keyof typeof counts] += count;
  for (const [name, amount] of Object.entries(usage)) sums.usage[name as keyof typeof usage] += amount;
}
