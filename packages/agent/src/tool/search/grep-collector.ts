/** Collects the lines of a search up to its limit. */
import { type GrepLine, type GrepOutcome, MAX_LINE_LENGTH } from "./grep-request.js";

/**
 * Lines arrive file by file and in order. The first match beyond the limit ends the search: only then is it known that
 * there are more, and that the context after the last match is complete.
 */
export class GrepCollector {
  readonly #limit: number;
  readonly #context: number;
  #lines: GrepLine[] = [];
  #matches = 0;
  #more = false;
  #fileStart = 0;
  #matchesBefore = 0;

  constructor({ limit, context }: { readonly limit: number; readonly context: number }) {
    this.#limit = limit;
    this.#context = context;
  }

  /** Whether the search can stop. */
  get full(): boolean {
    return this.#more;
  }

  beginFile(): void {
    this.#fileStart = this.#lines.length;
    this.#matchesBefore = this.#matches;
  }

  /** Discards the current file, which turned out to be binary. */
  dropFile(): void {
    this.#lines.length = this.#fileStart;
    this.#matches = this.#matchesBefore;
    this.#more = false;
  }

  add(line: GrepLine): void {
    if (this.#more) return;
    if (line.isMatch && this.#matches === this.#limit) {
      this.#more = true;
      return;
    }
    if (line.isMatch) this.#matches++;
    const { text } = line;
    this.#lines.push({ ...line, text: text.length > MAX_LINE_LENGTH ? `${text.slice(0, MAX_LINE_LENGTH)}...` : text });
  }

  outcome(notes: readonly string[]): GrepOutcome {
    const lines = this.#more ? this.#upToLastMatch() : this.#lines;
    return { lines, matches: this.#matches, more: this.#more, notes };
  }

  /** Drops the context before the first match beyond the limit. */
  #upToLastMatch(): readonly GrepLine[] {
    const at = this.#lines.findLastIndex((line) => line.isMatch);
    const last = this.#lines[at];
    if (last === undefined) return [];
    const after = this.#lines.slice(at + 1);
    const kept = after.filter((line) => line.file === last.file && line.line <= last.line + this.#context);
    return [...this.#lines.slice(0, at + 1), ...kept];
  }
}
