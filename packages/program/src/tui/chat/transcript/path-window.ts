/**
 * The path to the leaf as stable places, read upwards only as far as someone looks. Numbers only: no entry is read here,
 * so a path of 200,000 entries costs nothing until someone scrolls there.
 *
 *     place   -3  -2  -1   0   1   2
 *     entry    …   .   .  base .  leaf       what is appended gets the next place; nothing ever shifts
 */
import type { TreeSource } from "@bough/session/tree/index.js";

/** How far above the new leaf the old one may be to count as growth; anything further is a move. */
const NEAR = 10_000;

export class PathWindow {
  readonly #source: TreeSource;
  /** Entries above the base, nearest first. */
  #older: number[] = [];
  /** Entries below the base, oldest first. */
  #newer: number[] = [];
  #base: number;
  #leaf: number;
  #reachedRoot = false;
  #moves = 0;

  constructor(source: TreeSource) {
    this.#source = source;
    this.#base = source.leaf;
    this.#leaf = source.leaf;
  }

  /** The position of the leaf. An empty path has none: then `entryAt` returns -1. */
  get last(): number {
    return this.#newer.length;
  }

  /** How often the path changed to another one, which makes anything drawn before possibly obsolete. */
  get moves(): number {
    return this.#moves;
  }

  /**
   * Updates to the current leaf. `same`: nothing changed. `grown`: positions are unchanged and there are new ones.
   * `moved`: all positions changed.
   */
  refresh(): "same" | "grown" | "moved" {
    const leaf = this.#source.leaf;
    if (leaf === this.#leaf) return "same";
    const added: number[] = [];
    const { tree } = this.#source;
    let at = leaf;
    // Parents precede their children except in damaged files; the limit ends every walk.
    while (at >= 0 && at !== this.#leaf && added.length < NEAR) {
      added.push(at);
      at = tree.parentOf(at);
    }
    if (this.#leaf < 0 || at !== this.#leaf) {
      this.#restart(leaf);
      return "moved";
    }
    for (let i = added.length - 1; i >= 0; i--) this.#newer.push(added[i] as number);
    this.#leaf = leaf;
    return "grown";
  }

  /** The number of the entry at a position; -1 above the root and below the leaf. */
  entryAt(place: number): number {
    if (place > 0) return this.#newer[place - 1] ?? -1;
    if (place === 0) return this.#base;
    while (this.#older.length < -place && !this.#reachedRoot) this.#readOne();
    return this.#older[-place - 1] ?? -1;
  }

  /** The position of an entry; undefined if it is not on the path. Walks up to it, at worst to the root. */
  placeOf(entry: number): number | undefined {
    if (entry < 0) return undefined;
    for (let place = this.last; ; place--) {
      const at = this.entryAt(place);
      if (at < 0) return undefined;
      if (at === entry) return place;
    }
  }

  /** The position of the root. Walks all the way up, so only for jumps to the top. */
  first(): number {
    let place = 0;
    while (this.entryAt(place - 1) >= 0) place--;
    return place;
  }

  #readOne(): void {
    const below = this.#older.at(-1) ?? this.#base;
    const above = below < 0 ? -1 : this.#source.tree.parentOf(below);
    if (above < 0) this.#reachedRoot = true;
    else this.#older.push(above);
  }

  #restart(leaf: number): void {
    this.#base = leaf;
    this.#leaf = leaf;
    this.#older = [];
    this.#newer = [];
    this.#reachedRoot = false;
    this.#moves += 1;
  }
}
