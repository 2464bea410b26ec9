/** Counts, tokens and cost of a session, computed step by step: a long session takes longer than a key may wait. */
import type { SessionStats } from "@bough/agent/agent/index.js";
import { estimateEntryTokens, TotalsCounter } from "@bough/agent/agent/internal.js";
import { Role } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { isConversation, type TreeSource } from "@bough/session/tree/index.js";
import { countedContext, shownNumbers } from "../context/context-size.js";

export class StatsCounter {
  readonly #session: SessionManager;
  readonly #source: TreeSource;
  /** 1: on the path to the leaf. 2: can also be visible to the model. */
  readonly #places: Uint8Array;
  readonly #count: number;
  readonly #path = new TotalsCounter();
  readonly #all = new TotalsCounter();
  readonly #subAgents = new TotalsCounter();
  /** Entries of sub-agents. */
  readonly #theirs = new Set<number>();
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
    for (const n of shownNumbers(this.#source)) if (isConversation(tree.kindOf(n))) this.#places[n] = 2;
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

  /** The totals so far. */
  get stats(): SessionStats {
    const context = this.#counted ?? { tokens: this.#estimate, counted: 0 };
    const subAgents = this.#theirs.size === 0 ? {} : { subAgents: this.#subAgents.totals() };
    return { ...this.#fixed, context, path: this.#path.totals(), session: this.#all.totals(), ...subAgents };
  }

  /** A child comes after its parent in the file. */
  #isTheirs(n: number): boolean {
    const { tree } = this.#source;
    const isTheirs = tree.roleOf(n) === Role.subagent || (this.#theirs.size > 0 && this.#theirs.has(tree.parentOf(n)));
    if (isTheirs) this.#theirs.add(n);
    return isTheirs;
  }

  advance(deadline: () => boolean): "more" | "done" {
    // Another session may have been opened in the meantime.
    if (this.#session.getSessionId() !== this.#fixed.sessionId) return "done";
    while (this.#next < this.#count) {
      const n = this.#next++;
      const entry = this.#source.entryAt(n);
      const place = this.#places[n] as number;
      this.#all.add(entry);
      if (this.#isTheirs(n)) this.#subAgents.add(entry);
      if (place > 0) this.#path.add(entry);
      if (place > 1) this.#estimate += estimateEntryTokens(entry);
      if (deadline()) break;
    }
    return this.#next < this.#count ? "more" : "done";
  }
}
