/** A path whose entries are read one at a time, when asked for (keeps I8). */
import type { SessionEntry } from "../../entry/index.js";

/** Entries from the root down. Can be iterated repeatedly; an array is one, too. */
export interface EntryPath extends Iterable<SessionEntry> {
  readonly length: number;
  /** The entry at an index, with the root at 0; undefined past the end. */
  at(place: number): SessionEntry | undefined;
}

/** `entryAt` reads the entry with a number. Nothing read is held here. */
export function lazyPath(numbers: ArrayLike<number>, entryAt: (n: number) => SessionEntry): EntryPath {
  return {
    length: numbers.length,
    at(place) {
      const n = numbers[place];
      return n === undefined ? undefined : entryAt(n);
    },
    *[Symbol.iterator]() {
      for (let place = 0; place < numbers.length; place++) yield entryAt(numbers[place] as number);
    },
  };
}
