/** When entries were written, read only where it decides an order, and then kept. */
export class EntryTimes {
  /** Milliseconds; NaN where nothing can be read. */
  #read: ((n: number) => number) | undefined;
  /** By number; `UNREAD` where nobody has looked yet. Made when a time is first asked for. */
  #known = new Float64Array(0);
  #mattered = false;

  /** Says how a time is read. Without it, entries are as old as their places in the file. */
  readBy(read: (n: number) => number): void {
    this.#read = read;
    this.#known = new Float64Array(0);
  }

  /** The content of an entry was found elsewhere. */
  forget(n: number): void {
    if (n < this.#known.length) this.#known[n] = UNREAD;
  }

  /**
   * Siblings by their times; the same time, and a time that cannot be read, leave them in the order of the file. One
   * without a time stays behind the sibling that was written before it.
   */
  oldestFirst(siblings: readonly number[]): number[] {
    const inFile = isAscending(siblings) ? siblings.slice() : siblings.toSorted((a, b) => a - b);
    if (this.#read === undefined) return inFile;
    this.#makeRoom((inFile.at(-1) ?? 0) + 1);
    const times = new Float64Array(inFile.length);
    let latest = Number.NEGATIVE_INFINITY;
    // Plain loops: there may be a hundred thousand siblings, and somebody waits for the first rows of the tree.
    for (let place = 0; place < inFile.length; place++) {
      const own = this.#timeOf(inFile[place] as number);
      if (!Number.isNaN(own)) latest = own;
      times[place] = latest;
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
    const read: [n: number, time: number][] = [];
    if (!this.#mattered) return read;
    for (const [n, time] of this.#known.entries()) if (Number.isFinite(time)) read.push([n, time]);
    return read;
  }

  #timeOf(n: number): number {
    const known = this.#known[n] as number;
    if (known !== UNREAD) return known;
    const time = this.#read?.(n) ?? Number.NaN;
    this.#known[n] = time;
    return time;
  }

  #makeRoom(count: number): void {
    if (count <= this.#known.length) return;
    const larger = new Float64Array(Math.max(count, this.#known.length * 2)).fill(UNREAD);
    larger.set(this.#known);
    this.#known = larger;
  }
}

const UNREAD = Number.NEGATIVE_INFINITY;

/** Infinities are equal to themselves here. */
function difference(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

function isAscending(values: ArrayLike<number>): boolean {
  for (let i = 1; i < values.length; i++) if ((values[i] as number) < (values[i - 1] as number)) return false;
  return true;
}
