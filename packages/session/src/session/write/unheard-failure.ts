/** The failure of background work that nothing awaited. It is reported once, by the next operation. */
export class UnheardFailure {
  #error: unknown;

  /** Throws the failure, if there is one. */
  throwPending(): void {
    const error = this.#error;
    this.#error = undefined;
    if (error !== undefined) throw error;
  }

  /**
   * Starts work. If it fails, its promise rejects for those who await it; if nothing does, the failure is kept for
   * `throwPending` and is not an unhandled rejection.
   */
  watch(work: () => Promise<void>): Promise<void> {
    const promise = work();
    let isHeard = false;
    promise.catch((error: unknown) => {
      if (!isHeard) this.#error = error;
    });
    // `await`, `then` and `Promise.all` all read a promise's constructor first, which reveals that something waits.
    return Object.defineProperty(promise, "constructor", {
      get: () => {
        isHeard = true;
        return Promise;
      },
    });
  }
}
