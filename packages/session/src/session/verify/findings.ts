/** The findings of one reading, and the severity of each kind. */
import type { EntryId, Problem, ProblemCode } from "../../entry/index.js";

/**
 * - `damage`: something cannot be read or connected.
 * - `odd`: readable, but not as the format specifies.
 * - `note`: worth knowing, nothing is wrong.
 */
export type FindingLevel = "damage" | "odd" | "note";

const LEVELS: Readonly<Record<ProblemCode, FindingLevel>> = {
  "torn-tail": "damage",
  "unreadable-line": "damage",
  "unreadable-entry": "damage",
  "joined-records": "damage",
  "no-header": "damage",
  "empty-file": "odd",
  "late-header": "odd",
  "second-header": "odd",
  "bad-entry": "damage",
  "duplicate-id": "damage",
  "repeated-line": "odd",
  "missing-parent": "damage",
  cycle: "damage",
  "clock-backwards": "note",
  "missing-target": "odd",
  "bad-anchor": "odd",
  "unpaired-call": "note",
  "unpaired-result": "odd",
  "bad-encoding": "odd",
  "byte-order-mark": "note",
  "windows-lines": "note",
  "unknown-type": "note",
  "bad-shape": "odd",
  "old-version": "note",
  "future-version": "odd",
  "lost-bytes": "damage",
};

/** The severity of a finding of `verifySession`. */
export function findingLevel(code: ProblemCode): FindingLevel {
  return LEVELS[code];
}

/** Where something was found. */
export interface Place {
  readonly line: number;
  readonly offset: number;
  readonly length: number;
}

export const WHOLE_FILE: Place = { line: 0, offset: 0, length: 0 };

interface Words {
  readonly cause: string;
  readonly effect: string;
  readonly entryId?: EntryId;
}

export class Findings {
  readonly #all: Problem[] = [];

  /** Returns a number to pass to `replace`. */
  add(code: ProblemCode, place: Place, words: Words): number {
    this.#all.push(problem(code, place, words));
    return this.#all.length - 1;
  }

  /** Replaces an earlier finding with a better explanation. */
  replace(finding: number, { code, place, words }: { code: ProblemCode; place: Place; words: Words }): void {
    this.#all[finding] = problem(code, place, words);
  }

  /** By line; within a line, in the order found. */
  sorted(): Problem[] {
    return this.#all.toSorted((a, b) => a.line - b.line);
  }
}

function problem(code: ProblemCode, place: Place, words: Words): Problem {
  const { cause, effect, entryId } = words;
  const { line, offset, length } = place;
  return { code, line, offset, bytes: length, cause, effect, ...(entryId === undefined ? {} : { entryId }) };
}
