/**
 * Searching a tree in slices: over what rows say, from the leaf up its path and then through everything else, newest
 * first. A slice can end at any entry, so that a key never waits.
 */
import { lowerBound, placesOf } from "./subtree-places.js";
import type { TreeReader } from "./tree-reader.js";

export class TreeSearch {
  readonly query: string;
  readonly #reader: TreeReader;
  /** In lower case; all of them have to be in an entry. */
  readonly words: readonly string[];
  readonly #matches: number[] = [];
  readonly #found = new Set<number>();
  readonly #seen: Uint8Array;
  /** Entries from here on came after the search began. */
  #known: number;
  #onPath: number;
  #next: number;
  #places: Int32Array = new Int32Array(0);
  #placesFor = "";

  constructor(reader: TreeReader, query: string) {
    this.query = query;
    this.#reader = reader;
    this.words = query
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== "");
    const { tree, leaf } = reader.source;
    this.#known = tree.count;
    this.#seen = new Uint8Array(tree.count);
    this.#onPath = leaf;
    this.#next = tree.count - 1;
  }

  /** Entries that hold all words, in the order they were found. */
  get matches(): readonly number[] {
    return this.#matches;
  }

  /** Whether every entry there is has been looked at. */
  get done(): boolean {
    if (this.words.length === 0) return true;
    return this.#onPath < 0 && this.#next < 0 && this.#known >= this.#reader.source.tree.count;
  }

  has(n: number): boolean {
    return this.#found.has(n);
  }

  /** How many matches are in the subtree of an entry. */
  countInside(n: number): number {
    const { subtreeOrder } = this.#reader.branches;
    const { places } = this;
    return lowerBound(places, subtreeOrder.endOf(n)) - lowerBound(places, subtreeOrder.placeOf(n));
  }

  /** Places of the matches in the walk over the whole tree, ascending. */
  get places(): Int32Array {
    const { tree } = this.#reader.source;
    const wanted = `${this.#matches.length} ${tree.count} ${tree.revision}`;
    if (wanted !== this.#placesFor) {
      this.#places = placesOf(this.#reader, this.#matches);
      this.#placesFor = wanted;
    }
    return this.#places;
  }

  /** Looks at entries until `isOver` says that the time is. */
  advance(isOver: () => boolean): "more" | "done" {
    const { tree } = this.#reader.source;
    while (!this.done) {
      if (this.#onPath >= 0) {
        const n = this.#onPath;
        this.#seen[n] = 1;
        this.#look(n);
        this.#onPath = tree.parentOf(n);
      } else if (this.#next >= 0) {
        const n = this.#next--;
        if (this.#seen[n] === 1) continue;
        this.#look(n);
      } else this.#look(this.#known++);
      if (isOver()) break;
    }
    return this.done ? "done" : "more";
  }

  #look(n: number): void {
    const text = this.#reader.preview(n);
    if (text === "" || !this.words.every((word) => text.includes(word))) return;
    this.#matches.push(n);
    this.#found.add(n);
  }
}
