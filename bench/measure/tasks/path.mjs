/** Reads the path to the leaf, with every entry on it. */

/** @param {{ engine: string, path: string }} input */
export async function run({ engine, path }) {
  const { SessionManager } = await import(engine);
  const session = SessionManager.open(path, undefined, { readOnly: true });
  const start = performance.now();
  const entries = session.getBranch();
  const ms = performance.now() - start;
  const again = performance.now();
  session.getBranch();
  return { ms, check: entries.length, extra: { again: performance.now() - again } };
}
