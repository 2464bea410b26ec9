/** One page of a long list, small enough for one line. */
import { WorkTurns } from "@bough/session/log/index.js";
import { CUT_TO, shortened, sizeOf } from "../line-limit.js";

/** Bytes of JSON for a page's items; the rest of the line is for what surrounds them. */
export const PAGE_LIMIT = 900_000;

interface AnswerPage<Item> {
  readonly total: number;
  readonly offset: number;
  /** Where the next page starts; null on the last one. */
  readonly next: number | null;
  readonly items: Item[];
}

interface PageRequest {
  readonly offset: number;
  readonly limit: number;
}

/**
 * The items starting at `offset`: at most `limit`, fewer if they are long. Reads only the items of the page, in slices
 * that let others run. An item too long for a page is shortened: see `shortened`.
 */
export async function answerPage<Key, Item>(
  keys: ArrayLike<Key>,
  read: (key: Key, at: number) => Item,
  { offset, limit }: PageRequest,
): Promise<AnswerPage<Item>> {
  const turns = new WorkTurns();
  const items: Item[] = [];
  const end = Math.min(keys.length, offset + limit);
  let size = 0;
  for (let i = offset; i < end; i++) {
    const item = shortened(read(keys[i] as Key, i), { most: PAGE_LIMIT, to: CUT_TO });
    size += sizeOf(item) + 1;
    if (size > PAGE_LIMIT && items.length > 0) break;
    items.push(item);
    if (turns.isDue) await turns.yieldNow();
  }
  const next = offset + items.length;
  return { total: keys.length, offset, next: next < keys.length && items.length > 0 ? next : null, items };
}
