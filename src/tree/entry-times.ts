/** When entries were written, read only where it decides an order, and then kept. */
export class EntryTimes {
  /** Milliseconds; NaN where nothing can be read. */
  #read: ((n: number) => number) | undefined;
  readonly #known = new Map<number, number>();
  #mattered = false;

  /** Says how a time is read. Without it, entries are as old as their places in the file. */
  readBy(read: (n: number) => number): void {
    this.#read = read;
    this.#known.clear();
  }

  /** The content of an entry was found elsewhere. */
  forget(n: number): void {
    this.#known.delete(n);
  }

  /**
   * Siblings by their times; the same time, and a time that cannot be read, leave them in the order of the file. One
   * without a time stays behind the sibling that was written before it.
   */
  oldestFirst(siblings: readonly number[]): number[] {
    const inFile = [...siblings].sort((a, b) => a - b);
    if (this.#read === undefined) return inFile;
    const times = new Map<number, number>();
    let time = Number.NEGATIVE_INFINITY;
    for (const n of inFile) {
      const own = this.#timeOf(n);
      if (!Number.isNaN(own)) time = own;
      times.set(n, time);
    }
    const sorted = inFile.toSorted((a, b) => difference(times.get(a) as number, times.get(b) as number) || a - b);
    this.#mattered ||= sorted.some((n, i) => n !== inFile[i]);
    return sorted;
  }

  /** The times that were read, where any of them gave another order than the file. */
  whatMattered(): [n: number, time: number][] {
    return this.#mattered ? [...this.#known].filter(([, time]) => !Number.isNaN(time)) : [];
  }

  #timeOf(n: number): number {
    const known = this.#known.get(n);
    if (known !== undefined) return known;
    const time = this.#read?.(n) ?? Number.NaN;
    this.#known.set(n, time);
    return time;
  }
}

/** Infinities are equal to themselves here. */
function difference(a: number, b: number): number {
  return a === b ? 0 : a - b;
}
