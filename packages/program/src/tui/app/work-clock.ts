/** The clock of running work: it stops while the work waits for a user's answer. */
export class WorkClock {
  readonly #now: () => number;
  #waited = 0;
  #waiting = 0;
  #since = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Milliseconds on the underlying clock, minus the time questions were open. */
  readonly now = (): number => this.#now() - this.#waited - (this.#waiting > 0 ? this.#now() - this.#since : 0);

  /** Several questions may be open at once; the clock resumes after the last answer. */
  async during<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    if (this.#waiting === 0) this.#since = this.#now();
    this.#waiting += 1;
    try {
      return await question();
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#waited += this.#now() - this.#since;
    }
  }
}
