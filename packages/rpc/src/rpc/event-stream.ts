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

  /** The events so far and those to come. Leaving the loop ends the stream, also before the first event was asked for. */
  iterate(): AsyncGenerator<Item, void, undefined> {
    const items = this.#take();
    const leave = items.return.bind(items);
    // A generator that was never started ends without its `finally`, and one that waits ends when it is woken.
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
