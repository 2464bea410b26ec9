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
    const inFile = isAscending(siblings) ? siblings.slice() : siblings.toSorted((a, b) => a - b);
    if (this.#read === undefined) return inFile;
    const times = Float64Array.from(inFile, (n) => this.#timeOf(n));
    let latest = Number.NEGATIVE_INFINITY;
    for (const [place, own] of times.entries()) {
      if (Number.isNaN(own)) times[place] = latest;
      else latest = own;
    }
    // The usual case, and a hundred thousand siblings need no sorting then.
    if (isAscending(times)) return inFile;
    const places = Array.from(inFile.keys());
    places.sort((a, b) => difference(times[a] as number, times[b] as number) || a - b);
    const sorted = places.map((place) => inFile[place] as number);
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

function isAscending(values: ArrayLike<number>): boolean {
  for (let i = 1; i < values.length; i++) if ((values[i] as number) < (values[i - 1] as number)) return false;
  return true;
}
