/** Buffers events until a loop asks for them. */
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

  /**
   * The buffered events and all later ones. Leaving the loop ends the stream, even before it asked for the first event.
   */
  iterate(): AsyncGenerator<Item, void, undefined> {
    const items = this.#take();
    const leave = items.return.bind(items);
    // A generator that was never started ends without running its `finally`, and a waiting one ends only when it is
    // woken.
    items.return = (value) => {
      this.#onEnd();
      this.end();
      return leave(value);
    };
    return items;
  }

  async *#take(): AsyncGenerator<Item, void, undefined> {
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
