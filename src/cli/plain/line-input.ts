/** Lines a user types, one at a time. The terminal itself does the editing, so nothing is ever drawn again. */
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

export class LineInput {
  readonly #output: Writable;
  readonly #waiting: string[] = [];
  readonly #close: () => void;
  #asked: ((line: string | undefined) => void) | undefined;
  #ended = false;

  constructor({ input, output }: { readonly input: Readable; readonly output: Writable }) {
    this.#output = output;
    const lines = createInterface({ input, terminal: false });
    this.#close = () => lines.close();
    lines.on("line", (line) => {
      if (this.#asked === undefined) this.#waiting.push(line);
      else this.#answer(line);
    });
    lines.on("close", () => {
      this.#ended = true;
      this.#answer(undefined);
    });
  }

  /** Writes the question and gives the next line, without its newline; undefined at the end of the input. */
  ask(question: string): Promise<string | undefined> {
    this.#output.write(question);
    const ready = this.#waiting.shift();
    if (ready !== undefined) return Promise.resolve(ready);
    if (this.#ended) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#asked = resolve;
    });
  }

  /** Pending reads get no line. */
  cancel(): boolean {
    if (this.#asked === undefined) return false;
    this.#answer(undefined);
    return true;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Whatever the shell writes next begins its own line. */
  close(): void {
    if (this.#asked !== undefined) this.#output.write("\n");
    this.#close();
  }

  #answer(line: string | undefined): void {
    const asked = this.#asked;
    this.#asked = undefined;
    asked?.(line);
  }
}
