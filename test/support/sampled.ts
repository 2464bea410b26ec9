/** Exhaustive tests look at every case with BOUGH_RUNS=all, and at a sample of them otherwise. A number is one of runs. */
const ALL = process.env.BOUGH_RUNS === "all";

/** The step between cases: 1 where all of them are wanted. Give a prime, so that a sample meets every kind of case. */
export function sampledStep(step: number): number {
  return ALL ? 1 : step;
}

/** How many random runs: `all` where all are wanted, as many as were asked for, `some` otherwise. */
export function sampledRuns({ all, some }: { readonly all: number; readonly some: number }): number {
  const asked = Number(process.env.BOUGH_RUNS);
  return ALL ? all : asked > 0 ? Math.min(asked, all) : some;
}

/** All of the cases, or the one for this number, so that tests with different numbers use each of them. */
export function sampledCases<Case>(cases: readonly Case[], number: number): readonly Case[] {
  return ALL ? cases : cases.slice(number % cases.length).slice(0, 1);
}
