/** The result of `work`, or undefined if it throws. Only for failures whose reason does not matter. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
