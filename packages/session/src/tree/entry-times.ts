/** The length of a plain time: `2026-11-16T09:30:00.000Z`. */
const LETTERS = 24;

/** When entries were written; read only if that decides an order, and then cached. */
export class EntryTimes {
  /** Returns milliseconds; NaN if the time cannot be read. */
  #read: ((n: number) => number) | undefined;
  /** By number; `UNREAD` if not read yet. Created when a time is first needed. */
  #known = new Float64Array(0);
  #mattered = false;
  /**
   * The time of the line loaded last, as six numbers that compare like its text, and whether all came in order so far.
   */
  readonly #lastLoaded = new Int32Array(LETTERS / 4);
  #loadsInOrder = true;
  /** Entries below this number are in time order in the file. */
  #inOrder = 0;

  /**
   * Records the time of the next line while a whole log is loaded; -1 if it is not plain. Nearly every log is in time
   * order, and then no time must be read again, not even for a hundred thousand siblings.
   */
  load(view: DataView, at: number): void {
    if (!this.#loadsInOrder) return;
    this.#loadsInOrder = at >= 0 && this.#comesNext(view, at);
  }

  finishLoading(count: number): void {
    this.#inOrder = this.#loadsInOrder ? count : 0;
  }

  /** The characters are ASCII, so four of them are a positive number that compares like their text. */
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

  /** Sets how a time is read. Without it, file order counts as time order. */
  readBy(read: (n: number) => number): void {
    this.#read = read;
    this.#known = new Float64Array(0);
  }

  /** The content of an entry was found elsewhere, so its time must be read again. */
  forget(n: number): void {
    this.#inOrder = 0;
    if (n < this.#known.length) this.#known[n] = UNREAD;
  }

  /** Whether entries up to this one are in time order in the file, so that siblings need no sorting. */
  areInFileOrder(upTo: number): boolean {
    return this.#read === undefined || upTo < this.#inOrder;
  }

  /**
   * Sorts siblings by time; equal times leave them in file order. A sibling whose time cannot be read stays after the
   * one written before it.
   */
  oldestFirst(siblings: readonly number[]): number[] {
    const inFile = isAscending(siblings) ? siblings.slice() : siblings.toSorted((a, b) => a - b);
    if (this.#read === undefined || this.#areInOrder(inFile)) return inFile;
    this.#makeRoom((inFile.at(-1) ?? 0) + 1);
    const times = new Float64Array(inFile.length);
    let latest = Number.NEGATIVE_INFINITY;
    // Plain loops: there may be a hundred thousand siblings, and drawing the tree waits for them.
    for (let place = 0; place < inFile.length; place++) {
      const own = this.#timeOf(inFile[place] as number);
      if (!Number.isNaN(own)) latest = own;
      times[place] = latest;
    }
    // The usual case, in which a hundred thousand siblings need no sorting.
    if (isAscending(times)) return inFile;
    const places = Array.from(inFile.keys());
    places.sort((a, b) => difference(times[a] as number, times[b] as number) || a - b);
    const sorted = places.map((place) => inFile[place] as number);
    this.#mattered ||= sorted.some((n, i) => n !== inFile[i]);
    return sorted;
  }

  /** Also for siblings added later: only their times are read, and that of the last one before them. */
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

  /** The times that were read, if any of them changed the order. */
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

/** Treats equal infinities as equal. */
function difference(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

function isAscending(values: ArrayLike<number>): boolean {
  for (let i = 1; i < values.length; i++) if ((values[i] as number) < (values[i - 1] as number)) return false;
  return true;
}
