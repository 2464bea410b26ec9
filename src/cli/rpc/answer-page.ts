/** One page of a long list, small enough for one line. */

/** Characters of JSON that a page may have. A single item that is longer is sent alone. */
export const PAGE_LIMIT = 900_000;

interface AnswerPage<Item> {
  readonly total: number;
  readonly offset: number;
  readonly items: Item[];
}

/**
 * The items from `offset` on: at most `limit`, and fewer when they are long. Only the items of the page are read. The next
 * page starts at `offset` plus the number of items.
 */
export function answerPage<Key, Item>(
  keys: ArrayLike<Key>,
  read: (key: Key) => Item,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): AnswerPage<Item> {
  const items: Item[] = [];
  let size = 0;
  for (let i = offset; i < Math.min(keys.length, offset + limit); i++) {
    const item = read(keys[i] as Key);
    size += JSON.stringify(item)?.length ?? 0;
    if (size > PAGE_LIMIT && items.length > 0) break;
    items.push(item);
  }
  return { total: keys.length, offset, items };
}
