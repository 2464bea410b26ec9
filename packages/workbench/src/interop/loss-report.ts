/** What became of every record of a source. Counts and line numbers, so that nothing is lost in silence. */

/**
 * - `kept`: an entry with the same meaning and content.
 * - `converted`: part of an entry of another shape: merged, split, or said in other words.
 * - `note`: a `custom` entry holds the original record; the model is not shown it.
 * - `reported`: not in the session. Damaged, or there twice.
 */
export type RecordFate = "kept" | "converted" | "note" | "reported";

export interface RecordCount {
  readonly fate: RecordFate;
  /** The record's own type, as its program calls it. */
  readonly type: string;
  /** Why, where the type alone does not say it. */
  readonly reason: string | undefined;
  /** Which of the source's files. */
  readonly file: string;
  readonly count: number;
  /** First and last line of each run, in order. First line is 1. At most `MAXIMUM_RUNS`; the count continues. */
  readonly lines: readonly (readonly [first: number, last: number])[];
}

export interface LossReport {
  readonly records: number;
  readonly kept: number;
  readonly converted: number;
  readonly notes: number;
  readonly reported: number;
  readonly counts: readonly RecordCount[];
  /** Types and versions no reader knows; their records are notes. */
  readonly unknown: readonly string[];
  /** Parts of the session that were not found, a sentence each: the session begins, or continues, without them. */
  readonly missing: readonly string[];
}

export interface RecordPlace {
  readonly file: string;
  /** Line, row or message number. First is 1. */
  readonly line: number;
  readonly type: string;
  readonly reason?: string;
}

const MAXIMUM_RUNS = 200;

/** The type of a whole line that cannot be read. */
export const UNREADABLE_LINE = "unreadable line";

/** The type to count a last line with that is cut off: it does not count as seen, since the rest may still come. */
export const TORN_LINE = "torn line";

interface OpenCount extends Omit<RecordCount, "count" | "lines"> {
  count: number;
  readonly lines: [number, number][];
}

/** Collects while a reader reads. One for each conversion. */
export class LossCollector {
  readonly #counts = new Map<string, OpenCount>();
  readonly #unknown = new Set<string>();
  readonly #missing = new Set<string>();
  readonly #totals: Record<RecordFate, number> = { kept: 0, converted: 0, note: 0, reported: 0 };

  /** Counts one record. Every record is counted exactly once. */
  count(fate: RecordFate, { file, line, type, reason }: RecordPlace): void {
    this.#totals[fate] += 1;
    const key = JSON.stringify([fate, file, type, reason]);
    let open = this.#counts.get(key);
    if (open === undefined) {
      open = { fate, type, reason, file, count: 0, lines: [] };
      this.#counts.set(key, open);
    }
    open.count += 1;
    const run = open.lines.at(-1);
    if (run !== undefined && run[1] + 1 === line) run[1] = line;
    else if (open.lines.length < MAXIMUM_RUNS) open.lines.push([line, line]);
  }

  /** Names a type or a version that no reader knows. */
  nameUnknown(what: string): void {
    this.#unknown.add(what);
  }

  /** Says, in a sentence, which part of the session was not found. */
  nameMissing(sentence: string): void {
    this.#missing.add(sentence);
  }

  report(): LossReport {
    const { kept, converted, note, reported } = this.#totals;
    const counts = [...this.#counts.values()].map((count) => ({
      ...count,
      lines: count.lines.map((run) => [...run] as const),
    }));
    const unknown = [...this.#unknown].sort();
    const records = kept + converted + note + reported;
    const missing = [...this.#missing];
    return { records, kept, converted, notes: note, reported, counts, unknown, missing };
  }
}
