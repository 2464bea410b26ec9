/** The entries of one session held in memory: the recently read ones and the last context built (keeps I8). */
import { GrowingContext, type PathSource, type SessionContext } from "../../context/index.js";
import type { SessionEntry } from "../../entry/index.js";
import type { TreeIndex } from "../../tree/index.js";
import { EntryCache } from "../entry-reader.js";
import { type MemoryBudget, sessionMemory } from "./memory-budget.js";

/** Entries get at most this much, however large the budget is: the context is what will be needed again. */
const MOST_ENTRIES = 32 << 20;

interface KeptContext {
  readonly context: GrowingContext;
  /** The index it was built from, and its revision: damage found since then changes what is shown. */
  readonly tree: TreeIndex;
  readonly revision: number;
}

interface EntryMemoryOptions {
  /** Bytes this session may hold, within the budget. */
  readonly most?: number | undefined;
  readonly budget?: MemoryBudget;
}

export class EntryMemory {
  readonly #cap: number;
  readonly #budget: MemoryBudget;
  readonly #cache: EntryCache;
  readonly #share;
  #kept: KeptContext | undefined;

  constructor({ most = Number.POSITIVE_INFINITY, budget = sessionMemory }: EntryMemoryOptions = {}) {
    this.#cap = most;
    this.#budget = budget;
    this.#cache = new EntryCache(Math.min(this.#most, MOST_ENTRIES));
    this.#share = budget.share(() => this.#forget());
  }

  get #most(): number {
    return Math.min(this.#cap, this.#budget.limit);
  }

  get(n: number, bytes: number): SessionEntry | undefined {
    return this.#cache.get(n, bytes);
  }

  set(n: number, entry: SessionEntry, bytes: number): void {
    this.#cache.set(n, entry, bytes);
    this.#count();
  }

  /**
   * The context at the leaf of `source`. The last one built is kept and extended if the path continues from it, so that
   * asking again costs only what was appended. Its messages are frozen; the array is the caller's own.
   */
  context(source: PathSource, tree: TreeIndex): SessionContext {
    const { revision } = tree;
    return this.#keep(this.#continued(source, tree) ?? new GrowingContext(source, { freeze: true }), tree, revision);
  }

  /** Like `context`, built in slices: `rest` is awaited in between. */
  async contextInSlices(
    source: PathSource,
    tree: TreeIndex,
    rest: () => Promise<void> | undefined,
  ): Promise<SessionContext> {
    const { revision } = tree;
    const known = this.#continued(source, tree);
    return this.#keep(known ?? (await GrowingContext.inSlices(source, { freeze: true, rest })), tree, revision);
  }

  /** The last context built, if the path continues from it. */
  #continued(source: PathSource, tree: TreeIndex): GrowingContext | undefined {
    const kept = this.#kept;
    const goesOn = kept?.tree === tree && kept.revision === tree.revision && kept.context.extend(source);
    return goesOn ? kept.context : undefined;
  }

  #keep(context: GrowingContext, tree: TreeIndex, revision: number): SessionContext {
    // Reading can reveal damage, which moves entries: the answer still holds, but must not be continued.
    const isKept = tree.revision === revision && context.bytes <= this.#most;
    this.#kept = isKept ? { context, tree, revision } : undefined;
    this.#count();
    return context.context();
  }

  clear(): void {
    this.#forget();
    this.#count();
  }

  #forget(): void {
    this.#cache.clear();
    this.#kept = undefined;
  }

  #count(): void {
    const kept = this.#kept?.context.bytes ?? 0;
    // The context holds the same messages, so the entries can be spared.
    if (kept + this.#cache.bytes > this.#most) this.#cache.clear();
    this.#share.resize(kept + this.#cache.bytes);
  }
}
