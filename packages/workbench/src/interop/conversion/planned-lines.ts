/**
 * Lines of a plan. A writer goes through a path twice: once for what is lost and how many lines there are, and once for
 * the lines, while they are written. What the first time finds out for the second are small facts, never entries.
 */
import type { PlannedLines } from "../contract.js";

/** `records` begins at the start each time. */
export function plannedLines(length: number, records: () => Iterable<unknown>): PlannedLines {
  return {
    length,
    *[Symbol.iterator]() {
      for (const record of records()) yield JSON.stringify(record);
    },
  };
}

/** How many there are; none of them is held. */
export function countOf(records: Iterable<unknown>): number {
  let count = 0;
  for (const _record of records) count += 1;
  return count;
}

/** New ids that are the same, in the same order, for each who asks for all of them. */
export class RepeatedIds {
  readonly #newId: () => string;
  readonly #made: string[] = [];

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** From the first id on. */
  again(): () => string {
    let next = 0;
    return () => {
      if (next === this.#made.length) this.#made.push(inOnePiece(this.#newId()));
      return this.#made[next++] as string;
    };
  }
}

/** `randomUUID` puts its text together from twenty pieces, and all of them are held with it. */
function inOnePiece(text: string): string {
  return Buffer.from(text).toString();
}
