/** Keeps the most recently used values, up to a total size. */
export class LruCache<Key, Value> {
  readonly #items = new Map<Key, { readonly value: Value; readonly size: number }>();
  readonly #most: number;
  #size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: Key, make: () => { readonly value: Value; readonly size: number }): Value {
    const known = this.#items.get(key);
    const item = known ?? make();
    if (known === undefined) this.#size += item.size;
    else this.#items.delete(key);
    this.#items.set(key, item);
    for (const [oldest, { size }] of this.#items) {
      if (this.#size <= this.#most || oldest === key) break;
      this.#items.delete(oldest);
      this.#size -= size;
    }
    return item.value;
  }
}
