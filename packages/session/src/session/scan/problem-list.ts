/** The problems of one log. Line numbers are counted on demand, in one pass for all problems. */
import type { Problem } from "../../entry/index.js";
import type { Log } from "../../log/index.js";

/** The bytes of a line in the log. */
export interface Span {
  readonly offset: number;
  readonly length: number;
}

export interface ProblemReport extends Span, Omit<Problem, "line" | "offset" | "bytes"> {
  /** If the line number is known; 0 for the whole file. */
  readonly line?: number;
}

const UNCOUNTED = -1;

export class ProblemList {
  readonly #log: Log;
  #problems: Problem[] = [];
  #uncounted = false;

  constructor(log: Log) {
    this.#log = log;
  }

  report({ offset, length, line, ...rest }: ProblemReport): void {
    this.#problems.push({ ...rest, line: line ?? UNCOUNTED, offset, bytes: length });
    if (line === undefined) this.#uncounted = true;
  }

  /** In the order found. */
  list(): readonly Problem[] {
    if (this.#uncounted) this.#countLines();
    return this.#problems;
  }

  /** Removes and returns the problems of the log from `offset` on, because that part is read again. */
  removeFrom(offset: number): Problem[] {
    const taken = this.#problems.filter((problem) => problem.offset >= offset);
    if (taken.length > 0) this.#problems = this.#problems.filter((problem) => problem.offset < offset);
    return taken;
  }

  #countLines(): void {
    const waiting: number[] = [];
    for (const [i, problem] of this.#problems.entries()) if (problem.line === UNCOUNTED) waiting.push(i);
    waiting.sort((a, b) => (this.#problems[a] as Problem).offset - (this.#problems[b] as Problem).offset);
    let next = 0;
    let count = 0;
    this.#log.scan(0, (line) => {
      count += 1;
      for (; next < waiting.length; next++) {
        const i = waiting[next] as number;
        const problem = this.#problems[i] as Problem;
        if (problem.offset > line.offset + line.length) break;
        this.#problems[i] = { ...problem, line: count };
      }
    });
    this.#uncounted = false;
  }
}

/** Drops all other properties. */
export function spanOf({ offset, length }: Span): Span {
  return { offset, length };
}
