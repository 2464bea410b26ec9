/** Of a plain time: `2026-11-16T09:30:00.000Z`. */
const LETTERS = 24;

/** When entries were written, read only if it decides an order, and then kept. */
export class EntryTimes {
  /** Milliseconds; NaN if nothing can be read. */
  #read: ((n: number) => number) | undefined;
  /** By number; `UNREAD` if not read yet. Made when a time is first asked for. */
  #known = new Float64Array(0);
  #mattered = false;
  /** The time of the line loaded last, as six numbers that compare like its text; whether all came in order so far. */
  readonly #lastLoaded = new Int32Array(LETTERS / 4);
  #loadsInOrder = true;
  /** Entries below this number are as old as their places in the file. */
  #inOrder = 0;

  /**
   * Takes in the time of the next line when a whole log is read; -1 if it is not plain. Nearly every log is in the
   * order of its times, and then no time has to be read again, not of a hundred thousand siblings.
   */
  load(view: DataView, at: number): void {
    if (!this.#loadsInOrder) return;
    this.#loadsInOrder = at >= 0 && this.#comesNext(view, at);
  }

  finishLoading(count: number): void {
    this.#inOrder = this.#loadsInOrder ? count : 0;
  }

  /** Letters are ASCII, so four of them are a positive number that compares like their text. */
  #comesNext(view: DataView, at: number): boolean {
    const last = this.#lastLoaded;
    for (let i = 0; i < LETTERS; i += 4) {
      const word = view.getInt32(at + i);
      const before = last[i >> 2] as number;
      if (word === before) continue;
      if (word < before) return false;
      for (let rest = i; rest < LETTERS; rest += 4) last[rest >> 2] = view.getInt32(at + rest);
      return true;
    }
    return true;
  }

  /** Says how a time is read. Without it, entries are as old as their places in the file. */
  readBy(read: (n: number) => number): void {
    this.#read = read;
    this.#known = new Float64Array(0);
  }

  /** The content of an entry was found elsewhere. */
  forget(n: number): void {
    this.#inOrder = 0;
    if (n < this.#known.length) this.#known[n] = UNREAD;
  }

  /** Whether entries up to this one are as old as their places in the file, so that siblings need no second look. */
  areInFileOrder(upTo: number): boolean {
    return this.#read === undefined || upTo < this.#inOrder;
  }

  /**
   * Siblings by their times; the same time, and a time that cannot be read, leave them in the order of the file. One
   * without a time stays after the sibling that was written before it.
   */
  oldestFirst(siblings: readonly number[]): number[] {
    const inFile = isAscending(siblings) ? siblings.slice() : siblings.toSorted((a, b) => a - b);
    if (this.#read === undefined || this.#areInOrder(inFile)) return inFile;
    this.#makeRoom((inFile.at(-1) ?? 0) + 1);
    const times = new Float64Array(inFile.length);
    let latest = Number.NEGATIVE_INFINITY;
    // Plain loops: there may be a hundred thousand siblings, and the first rows of the tree wait for them.
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

  /** Even if some were added later: only their times are looked at, and that of the last one before them. */
  #areInOrder(inFile: readonly number[]): boolean {
    let place = inFile.length;
    while (place > 0 && (inFile[place - 1] as number) >= this.#inOrder) place -= 1;
    if (place === inFile.length) return true;
    if (place === 0) return false;
    this.#makeRoom((inFile.at(-1) as number) + 1);
    for (let latest = this.#timeOf(inFile[place - 1] as number); place < inFile.length; place++) {
      const own = this.#timeOf(inFile[place] as number);
      if (!(own >= latest)) return false;
      latest = own;
    }
    return true;
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
