/** What `work` returns, or undefined if it throws. Only for failures whose reason no one needs. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
