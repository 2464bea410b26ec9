import type { TreeIndex } from "./tree-index.js";

/**
 * Entries in the order of one walk over the whole tree: every entry has a position, and every subtree is one range of
 * positions.
 */
export class SubtreeOrder {
  readonly #places: Int32Array;
  readonly #ends: Int32Array;

  /** Goes down and up along child links, without a stack (keeps I9). */
  constructor(tree: TreeIndex) {
    this.#places = new Int32Array(tree.count);
    this.#ends = new Int32Array(tree.count);
    let next = 0;
    let at = tree.firstChildOf(-1);
    while (at >= 0) {
      this.#places[at] = next++;
      const child = tree.firstChildOf(at);
      if (child >= 0) {
        at = child;
        continue;
      }
      while (at >= 0) {
        this.#ends[at] = next;
        const sibling = tree.nextSiblingOf(at);
        if (sibling >= 0) {
          at = sibling;
          break;
        }
        at = tree.parentOf(at);
      }
    }
  }

  /** Parents come before their children, and older children before younger ones. */
  placeOf(n: number): number {
    return this.#places[n] as number;
  }

  /** The position after the last entry of the subtree of `n`. */
  endOf(n: number): number {
    return this.#ends[n] as number;
  }

  /** Whether `ancestor` is `n` or above it. */
  contains(ancestor: number, n: number): boolean {
    const place = this.placeOf(n);
    return place >= this.placeOf(ancestor) && place < this.endOf(ancestor);
  }
}
