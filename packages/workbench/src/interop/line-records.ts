/** The records in some lines of a transcript. Lines that are not JSON objects are skipped. */
import { objectIn } from "./foreign-lines.js";

export type LineRecord = Readonly<Record<string, unknown>>;

/** Each is parsed when it is reached, and once: most questions are answered by the first few of hundreds. */
export class LineRecords implements Iterable<LineRecord> {
  readonly #lines: readonly string[];
  readonly #parsed: (LineRecord | undefined)[] = [];

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  get isEmpty(): boolean {
    return this.first(1).length === 0;
  }

  *[Symbol.iterator](): Generator<LineRecord> {
    for (let at = 0; at < this.#lines.length; at++) {
      const record = this.#at(at);
      if (record !== undefined) yield record;
    }
  }

  /** At most so many. */
  first(most: number): LineRecord[] {
    const some: LineRecord[] = [];
    for (const record of this) {
      some.push(record);
      if (some.length === most) break;
    }
    return some;
  }

  /** The answer of the last record that gives one. Only lines that may contain one of the words are parsed. */
  last<Answer>(words: readonly string[], answer: (record: LineRecord) => Answer | undefined): Answer | undefined {
    for (let at = this.#lines.length - 1; at >= 0; at--) {
      const line = this.#lines[at] ?? "";
      // An escape may hide a letter of a word.
      if (!line.includes("\\u") && !words.some((word) => line.includes(word))) continue;
      const record = this.#at(at);
      const given = record === undefined ? undefined : answer(record);
      if (given !== undefined) return given;
    }
    return undefined;
  }

  #at(place: number): LineRecord | undefined {
    if (!(place in this.#parsed)) this.#parsed[place] = objectIn(this.#lines[place] ?? "");
    return this.#parsed[place];
  }
}
