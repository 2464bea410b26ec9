/** Accounts for every record of a source by count and line number, so that nothing is lost silently. */
import { defined } from "@bough/session/text/index.js";

/**
 * - `kept`: became an entry with the same meaning and content.
 * - `converted`: became part of an entry of another form: merged, split, or reworded.
 * - `note`: stored as the original record in a `custom` entry, which the model does not see.
 * - `reported`: not in the session, because it is damaged or a duplicate.
 */
export type RecordFate = "kept" | "converted" | "note" | "reported";

export interface RecordCount {
  readonly fate: RecordFate;
  /** The type of the record in its own program. */
  readonly type: string;
  /** Why, if the type alone does not explain it. */
  readonly reason?: string;
  /** The file of the source that contains it. */
  readonly file: string;
  readonly count: number;
  /** First and last line (1-based) of each run, in order. At most `MAXIMUM_RUNS`; the count includes all. */
  readonly lines: readonly (readonly [first: number, last: number])[];
}

export interface LossReport {
  readonly records: number;
  readonly kept: number;
  readonly converted: number;
  readonly notes: number;
  readonly reported: number;
  readonly counts: readonly RecordCount[];
  /** Types and versions that no reader knows; their records become notes. */
  readonly unknown: readonly string[];
  /** One sentence for each part of the session that was not found. The session is read without them. */
  readonly missing: readonly string[];
}

export interface RecordPlace {
  readonly file: string;
  /** Line, row or message number, 1-based. */
  readonly line: number;
  readonly type: string;
  readonly reason?: string;
}

const MAXIMUM_RUNS = 200;

/** The type under which a complete but unreadable line is counted. */
export const UNREADABLE_LINE = "unreadable line";

/** The type of an incomplete last line. It does not count as seen, since the rest may still be written. */
export const TORN_LINE = "torn line";

interface OpenCount extends Omit<RecordCount, "count" | "lines"> {
  count: number;
  readonly lines: [number, number][];
}

/** Collects counts while a reader reads. Create one per conversion. */
export class LossCollector {
  readonly #counts = new Map<string, OpenCount>();
  readonly #unknown = new Set<string>();
  readonly #missing = new Set<string>();
  readonly #totals: Record<RecordFate, number> = { kept: 0, converted: 0, note: 0, reported: 0 };

  /** Counts one record. Must be called exactly once per record. */
  count(fate: RecordFate, { file, line, type, reason }: RecordPlace): void {
    this.#totals[fate] += 1;
    const key = JSON.stringify([fate, file, type, reason]);
    let open = this.#counts.get(key);
    if (open === undefined) {
      open = { fate, type, ...defined({ reason }), file, count: 0, lines: [] };
      this.#counts.set(key, open);
    }
    open.count += 1;
    const run = open.lines.at(-1);
    if (run !== undefined && run[1] + 1 === line) run[1] = line;
    else if (open.lines.length < MAXIMUM_RUNS) open.lines.push([line, line]);
  }

  /** Adds a type or version that no reader knows. */
  nameUnknown(what: string): void {
    this.#unknown.add(what);
  }

  /** Adds a sentence about a part of the session that was not found. */
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
