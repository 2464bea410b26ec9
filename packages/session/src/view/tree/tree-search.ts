/**
 * Searches a tree in slices: all text of entries, from the leaf up its path and then everything else, newest first. A
 * slice can end at any entry, so that a key press never waits.
 */
import { partsInLine } from "./line-check.js";
import type { SearchRequest } from "./search-text.js";
import type { TreeFilter } from "./tree-filter.js";
import type { TreeReader } from "./tree-reader.js";

export interface TreeSearchOptions {
  /** Bookkeeping can be found only if it has rows. Default: `default`. */
  readonly filter?: TreeFilter;
  /** The previous search. If this search can only find a subset of its matches, only those are searched again. */
  readonly before?: TreeSearch | undefined;
  /**
   * The text of an entry, in lower case; "" to skip it. Default: the reader's text of the entry, its row and its label.
   */
  readonly textOf?: (n: number, request: SearchRequest) => string;
}

/** A search through a tree in small steps, so that keys are handled in between. */
export class TreeSearch {
  readonly query: string;
  readonly filter: TreeFilter;
  /** In lower case; an entry must contain all of them. */
  readonly words: readonly string[];
  readonly parts: readonly string[];
  readonly #reader: TreeReader;
  readonly #textOf: TreeSearchOptions["textOf"];
  readonly #matches: number[] = [];
  readonly #found = new Set<number>();
  readonly #seen: Uint8Array;
  /** Matches of the previous search that must be checked again. */
  readonly #again: number[] = [];
  /** Entries from here on were added after the search started. */
  #known: number;
  #onPath: number;
  #next: number;
  #looked = 0;
  #counts = new PlaceCounts(0);
  #countsFor = "";
  #counted = 0;

  constructor(reader: TreeReader, query: string, { filter = "default", before, textOf }: TreeSearchOptions = {}) {
    this.query = query;
    this.filter = filter;
    this.#reader = reader;
    this.#textOf = textOf;
    this.words = query
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== "");
    this.parts = partsInLine(this.words);
    const { tree, leaf } = reader.source;
    if (before !== undefined && this.#isWithin(before)) {
      this.#known = before.#known;
      this.#seen = before.#seen.slice();
      this.#onPath = before.#onPath;
      this.#next = before.#next;
      this.#looked = before.#looked;
      this.#again = before.#matches.concat(before.#again.toReversed()).reverse();
    } else {
      this.#known = tree.count;
      this.#seen = new Uint8Array(tree.count);
      this.#onPath = leaf;
      this.#next = tree.count - 1;
    }
  }

  /** Entries that contain all words, in the order found. */
  get matches(): readonly number[] {
    return this.#matches;
  }

  /** Whether every entry has been searched. */
  get done(): boolean {
    if (this.words.length === 0) return true;
    const isThrough = this.#again.length === 0 && this.#onPath < 0 && this.#next < 0;
    return isThrough && this.#known >= this.#reader.source.tree.count;
  }

  /** The share of the session searched so far, from 0 to 1. */
  get progress(): number {
    return this.done ? 1 : Math.min(1, this.#looked / Math.max(1, this.#reader.source.tree.count));
  }

  has(n: number): boolean {
    return this.#found.has(n);
  }

  /** The number of matches in the subtree of an entry. */
  countInside(n: number): number {
    const { subtreeOrder } = this.#reader.branches;
    return this.#countsNow().between(subtreeOrder.placeOf(n), subtreeOrder.endOf(n));
  }

  /** Adds only the matches found since: a slice finds a few hundred, but a session may have a hundred thousand. */
  #countsNow(): PlaceCounts {
    const { tree } = this.#reader.source;
    const { subtreeOrder } = this.#reader.branches;
    const wanted = `${tree.count} ${tree.revision}`;
    if (wanted !== this.#countsFor) {
      this.#counts = new PlaceCounts(tree.count);
      this.#countsFor = wanted;
      this.#counted = 0;
    }
    while (this.#counted < this.#matches.length)
      this.#counts.add(subtreeOrder.placeOf(this.#matches[this.#counted++] as number));
    return this.#counts;
  }

  /** Searches entries until `isOver` returns true. */
  advance(isOver: () => boolean): "more" | "done" {
    const { tree } = this.#reader.source;
    while (!this.done) {
      const again = this.#again.pop();
      if (again !== undefined) this.#look(again);
      else if (this.#onPath >= 0) {
        const n = this.#onPath;
        this.#seen[n] = 1;
        this.#onPath = tree.parentOf(n);
        this.#lookFirst(n);
      } else if (this.#next >= 0) {
        const n = this.#next--;
        if (this.#seen[n] === 1) continue;
        this.#lookFirst(n);
      } else this.#lookFirst(this.#known++);
      if (isOver()) break;
    }
    return this.done ? "done" : "more";
  }

  /** Typing on: entries without the shorter words do not contain the longer ones. */
  #isWithin(before: TreeSearch): boolean {
    if (before.#reader !== this.#reader || before.#textOf !== this.#textOf) return false;
    if (before.filter !== this.filter || before.words.length === 0) return false;
    return before.words.every((word) => this.words.some((longer) => longer.includes(word)));
  }

  #lookFirst(n: number): void {
    this.#looked += 1;
    this.#look(n);
  }

  #look(n: number): void {
    // Nothing else has a row to mark.
    if (this.filter === "labeled-only" && !this.#reader.labelled.has(n)) return;
    const text = this.#textOf?.(n, this) ?? this.#reader.searchText(n, this);
    if (text === "" || !this.words.every((word) => text.includes(word))) return;
    this.#matches.push(n);
    this.#found.add(n);
  }
}

/** ", 37% searched" while a search continues. */
export function progressWords(search: TreeSearch | undefined): string {
  return search === undefined || search.done ? "" : `, ${Math.floor(search.progress * 100)}% searched`;
}

/** Counts positions within a range while positions are added: a binary indexed tree. */
export class PlaceCounts {
  readonly #sums: Int32Array;

  /** For positions from 0 to below `size`. */
  constructor(size: number) {
    this.#sums = new Int32Array(size + 1);
  }

  add(place: number): void {
    for (let at = place + 1; at < this.#sums.length; at += at & -at) this.#sums[at] = (this.#sums[at] as number) + 1;
  }

  /** The number of positions from `from` (inclusive) to `to` (exclusive). */
  between(from: number, to: number): number {
    return this.#before(to) - this.#before(from);
  }

  #before(place: number): number {
    let sum = 0;
    for (let at = place; at > 0; at -= at & -at) sum += this.#sums[at] as number;
    return sum;
  }
}
