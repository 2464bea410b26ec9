/** Long work that yields wherever other work may run, for synchronous and asynchronous callers alike. */
export type Steps<Result> = Generator<void, Result, void>;

/** Runs all steps at once. */
export function inOneGo<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
