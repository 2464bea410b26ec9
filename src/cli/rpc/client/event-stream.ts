/** Events kept until a loop asks for them. */
export class EventStream<Item> {
  readonly #items: Item[] = [];
  readonly #onEnd: () => void;
  #wake: (() => void) | undefined;
  #ended = false;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  push(item: Item): void {
    this.#items.push(item);
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async *iterate(): AsyncGenerator<Item, void, undefined> {
    try {
      for (;;) {
        const item = this.#items.shift();
        if (item !== undefined) yield item;
        else if (this.#ended) return;
        else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      this.#onEnd();
    }
  }
}
