/** Pasted images: `[image 1]` in a text refers to the first one, which is sent with the text. */
import type { ImageBlock } from "@bough/session/entry/index.js";

/** Older ones are dropped; their placeholders stay as text. */
const MOST_KEPT = 20;
const MARK = /\[image (\d+)\]/g;

export class PastedImages {
  readonly #images = new Map<number, ImageBlock>();
  #count = 0;

  /** Stores the image and returns its placeholder. */
  add(image: ImageBlock): string {
    this.#count += 1;
    this.#images.set(this.#count, image);
    this.#images.delete(this.#count - MOST_KEPT);
    return `[image ${this.#count}]`;
  }

  /** The images whose placeholders the text contains, in order. Also works for a text that is sent again. */
  in(text: string): readonly ImageBlock[] {
    const numbers = new Set([...text.matchAll(MARK)].map((match) => Number(match[1])));
    return [...numbers].flatMap((number) => this.#images.get(number) ?? []);
  }
}
