/** Joins calls into groups: those made while a group is worked on become the next one, at the price of one call. */

export interface JoinedCallsOptions<Item, Result> {
  /** Does all of a group at once. An error as a result rejects only the call of that item. */
  readonly work: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>;
  /** Items with the same key never share a group. */
  readonly keyOf?: (item: Item) => string;
  readonly weightOf?: (item: Item) => number;
  /** How much a group may weigh, unless a single item weighs more. */
  readonly heaviest?: number;
}

export class JoinedCalls<Item, Result> {
  readonly #options: JoinedCallsOptions<Item, Result>;
  readonly #waiting: Call<Item, Result>[] = [];
  #isRunning = false;

  constructor(options: JoinedCallsOptions<Item, Result>) {
    this.#options = options;
  }

  call(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    // Calls of the same moment join.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const group = this.#nextGroup();
      try {
        const results = await this.#options.work(group.map(({ item }) => item));
        for (const [index, { resolve, reject }] of group.entries()) {
          const result = results[index];
          if (result instanceof Error) reject(result);
          else resolve(result as Result);
        }
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#isRunning = false;
  }

  /** In the order of the calls. */
  #nextGroup(): readonly Call<Item, Result>[] {
    const { keyOf, weightOf = () => 1, heaviest = Number.POSITIVE_INFINITY } = this.#options;
    const keys = new Set<string>();
    let weight = 0;
    let count = 0;
    for (const { item } of this.#waiting) {
      const key = keyOf?.(item);
      weight += weightOf(item);
      if (count > 0 && (weight > heaviest || (key !== undefined && keys.has(key)))) break;
      if (key !== undefined) keys.add(key);
      count++;
    }
    return this.#waiting.splice(0, count);
  }
}

interface Call<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}
