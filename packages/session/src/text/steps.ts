/** Long work that says with each `yield` where other work may run. One form for those who wait and those who cannot. */
export type Steps<Result> = Generator<void, Result, void>;

/** Does all the steps at once. */
export function inOneGo<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
