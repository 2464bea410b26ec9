/**
 * The lines of a plan. A writer iterates over a path twice: first to find the losses and count the lines, then to
 * generate the lines while they are written. In between it keeps only small facts, never entries.
 */
import type { PlannedLines } from "../contract.js";

/** `records` must start from the beginning on every call. */
export function plannedLines(length: number, records: () => Iterable<unknown>): PlannedLines {
  return {
    length,
    *[Symbol.iterator]() {
      for (const record of records()) yield JSON.stringify(record);
    },
  };
}

/** Counts records without keeping them. */
export function countOf(records: Iterable<unknown>): number {
  let count = 0;
  for (const _record of records) count += 1;
  return count;
}

/** New IDs that can be replayed: every run gets the same ones in the same order. */
export class RepeatedIds {
  readonly #newId: () => string;
  readonly #made: string[] = [];

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** Starts a new run from the first ID. */
  replay(): () => string {
    let next = 0;
    return () => {
      if (next === this.#made.length) this.#made.push(flattened(this.#newId()));
      return this.#made[next++] as string;
    };
  }
}

/** Flattens a string: `randomUUID` concatenates twenty pieces, which would all stay in memory. */
function flattened(text: string): string {
  return Buffer.from(text).toString();
}
