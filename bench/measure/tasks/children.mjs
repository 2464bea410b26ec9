/** All children of one entry. */

/** @param {{ engine: string, path: string, parent: string }} input */
export async function run({ engine, path, parent }) {
  const { SessionManager } = await import(engine);
  const session = SessionManager.open(path, undefined, { readOnly: true });
  const start = performance.now();
  const children = session.getChildren(parent);
  return { ms: performance.now() - start, check: children.length };
}
