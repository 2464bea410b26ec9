/** One change at a time per file: tool calls run in parallel, and two edits that read the same text would lose one. */

const last = new Map<string, Promise<void>>();

/** Runs the work after all earlier work on the same real path, in the order in which this is called. A failure stops no one else. */
export async function inFileOrder<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const before = last.get(path) ?? Promise.resolve();
  const result = before.then(work);
  const settled = result.then(
    () => undefined,
    () => undefined,
  );
  last.set(path, settled);
  try {
    return await result;
  } finally {
    // Only the last in line clears the entry, so the map holds files in use and nothing else.
    if (last.get(path) === settled) last.delete(path);
  }
}
