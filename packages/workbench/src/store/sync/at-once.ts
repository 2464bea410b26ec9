/** Works on several items of a list at the same time. */
import { StoreError } from "../store-error.js";

export interface AtOnceOptions<Item> {
  /** How many items at most. */
  readonly most: number;
  /** How much they may weigh together, unless a single one weighs more. */
  readonly heaviest: number;
  readonly weightOf: (item: Item) => number;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the results in the order of the items. After the first failure no other item is started, the signal given to
 * the running ones is aborted, and when they have ended this rejects with that failure.
 */
export async function eachAtOnce<Item, Result>(
  items: readonly Item[],
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
  { most, heaviest, weightOf, onProgress, signal }: AtOnceOptions<Item>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const stop = new AbortController();
  const inner = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
  let failure: { readonly error: unknown } | undefined;
  let [running, weight, done] = [0, 0, 0];
  let wake = () => {};
  const run = async (index: number, item: Item) => {
    const own = weightOf(item);
    running++;
    weight += own;
    try {
      results[index] = await work(item, inner);
      onProgress?.(++done, items.length);
    } catch (error) {
      failure ??= { error };
      stop.abort();
    } finally {
      running--;
      weight -= own;
      wake();
    }
  };
  const oneHasEnded = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  onProgress?.(0, items.length);
  for (const [index, item] of items.entries()) {
    while (running > 0 && (running >= most || weight + weightOf(item) > heaviest)) await oneHasEnded();
    if (signal?.aborted === true) failure ??= { error: new StoreError("sync-aborted", "The sync was stopped") };
    if (failure !== undefined) break;
    void run(index, item);
  }
  while (running > 0) await oneHasEnded();
  if (failure !== undefined) throw failure.error;
  return results;
}

/** Runs calls of a function one after the other. */
export function oneAtATime<Args extends readonly unknown[], Result>(
  work: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (...args) => {
    const next = last.then(() => work(...args));
    last = next.catch(() => {});
    return next;
  };
}
