/** What went wrong in work that nothing waited for. It is reported once, by whatever asks next. */
export class UnheardFailure {
  #error: unknown;

  /** Throws it, if there is one. */
  tell(): void {
    const error = this.#error;
    this.#error = undefined;
    if (error !== undefined) throw error;
  }

  /**
   * Starts work. If it fails, its promise rejects for those who wait for it; if nothing does, the failure is kept for
   * `tell` and is not an unhandled rejection.
   */
  watch(work: () => Promise<void>): Promise<void> {
    const promise = work();
    let isHeard = false;
    promise.catch((error: unknown) => {
      if (!isHeard) this.#error = error;
    });
    // `await`, `then` and `Promise.all` all look at the constructor of a promise first: that tells that something waits.
    return Object.defineProperty(promise, "constructor", {
      get: () => {
        isHeard = true;
        return Promise;
      },
    });
  }
}
