import type { FileStep } from "./search-hit.js";

export interface OrderedStep {
  readonly file: number;
  readonly step: FileStep;
  /** No step of this file follows. */
  readonly last: boolean;
}

/** Steps of later files that may wait for their turn. */
const MOST_WAITING = 64;
/** Steps of the current file that may wait for the reader. */
const MOST_UNREAD = 8;

/**
 * Puts the steps of files that are searched concurrently into the order of the files. Steps of the current file pass
 * through immediately. Holds a limited number: writers wait for room.
 */
export class OrderedSteps {
  readonly #files: number;
  readonly #steps = new Map<number, OrderedStep[]>();
  #turn = 0;
  #held = 0;
  #failure: unknown;
  #closed = false;
  /** Wakes everyone waiting for a change, reader and writers. */
  #waiting: (() => void)[] = [];

  constructor(files: number) {
    this.#files = files;
  }

  /** Resolves when the step is accepted; false if the reader has stopped. */
  async put(step: OrderedStep): Promise<boolean> {
    while (!this.#closed && !this.#hasRoom(step.file)) await this.#change();
    if (this.#closed) return false;
    const steps = this.#steps.get(step.file);
    if (steps === undefined) this.#steps.set(step.file, [step]);
    else steps.push(step);
    this.#held += 1;
    this.#changed();
    return true;
  }

  /** All steps in order. Throws the error passed to `fail`. */
  async *read(): AsyncGenerator<OrderedStep, void, undefined> {
    while (this.#turn < this.#files) {
      if (this.#failure !== undefined) throw this.#failure;
      const step = this.#steps.get(this.#turn)?.shift();
      if (step === undefined) {
        await this.#change();
        continue;
      }
      this.#held -= 1;
      if (step.last) {
        this.#steps.delete(this.#turn);
        this.#turn += 1;
      }
      this.#changed();
      yield step;
    }
  }

  fail(error: unknown): void {
    this.#failure ??= error;
    this.close();
  }

  close(): void {
    this.#closed = true;
    this.#changed();
  }

  #hasRoom(file: number): boolean {
    if (file === this.#turn) return (this.#steps.get(file)?.length ?? 0) < MOST_UNREAD;
    return this.#held < MOST_WAITING;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #changed(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}
