/** Lines that a user types, one at a time. The terminal does the editing, so nothing is redrawn. */
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

interface Asked {
  readonly question: string;
  readonly resolve: (line: string | undefined) => void;
}

export class LineInput {
  readonly #output: Writable;
  readonly #waiting: string[] = [];
  readonly #close: () => void;
  /** Questions waiting for a line. The last one gets the next line; then the one before it is asked again. */
  readonly #asked: Asked[] = [];
  #ended = false;

  constructor({ input, output }: { readonly input: Readable; readonly output: Writable }) {
    this.#output = output;
    const lines = createInterface({ input, terminal: false });
    this.#close = () => lines.close();
    lines.on("line", (line) => {
      const asked = this.#asked.at(-1);
      if (asked === undefined) this.#waiting.push(line);
      else this.#answer(asked, line);
    });
    lines.on("close", () => {
      this.#ended = true;
      for (const { resolve } of this.#asked.splice(0)) resolve(undefined);
    });
  }

  /**
   * Writes the question and returns the next line, without its newline; undefined at the end of the input or when the
   * signal aborts.
   */
  async ask(question: string, signal?: AbortSignal): Promise<string | undefined> {
    if (signal?.aborted === true) return undefined;
    this.#output.write(question);
    const ready = this.#waiting.shift();
    if (ready !== undefined) return ready;
    if (this.#ended) return undefined;
    let close = () => {};
    const answered = new Promise<string | undefined>((resolve) => {
      const asked = { question, resolve };
      this.#asked.push(asked);
      close = () => {
        this.#output.write("\n");
        this.#answer(asked, undefined);
      };
    });
    signal?.addEventListener("abort", close, { once: true });
    try {
      return await answered;
    } finally {
      signal?.removeEventListener("abort", close);
    }
  }

  /** Pending reads get no line. */
  cancel(): boolean {
    const asked = this.#asked.at(-1);
    if (asked !== undefined) this.#answer(asked, undefined);
    return asked !== undefined;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Start a new line, so that what the shell writes next is not appended. */
  close(): void {
    if (this.#asked.length > 0) this.#output.write("\n");
    this.#close();
  }

  #answer(asked: Asked, line: string | undefined): void {
    const isLast = this.#asked.at(-1) === asked;
    this.#asked.splice(this.#asked.indexOf(asked), 1);
    asked.resolve(line);
    const before = this.#asked.at(-1);
    if (isLast && before !== undefined) this.#output.write(before.question);
  }
}
