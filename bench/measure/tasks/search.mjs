/** Streams every hit of a query over a folder. */

/** @param {{ engine: string, dir: string, query: string, caseSensitive?: boolean }} input */
export async function run({ engine, dir, query, caseSensitive = false }) {
  const { searchSessions } = await import(engine);
  const start = performance.now();
  let hits = 0;
  let firstHit = 0;
  for await (const _hit of searchSessions(query, { dir, caseSensitive })) {
    if (hits++ === 0) firstHit = performance.now() - start;
  }
  return { ms: performance.now() - start, extra: { hits, firstHit } };
}
