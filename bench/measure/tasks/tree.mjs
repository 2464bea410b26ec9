/** The tree: returning it with its first level read, and a walk over every node that reads no entry. */

/** @param {{ engine: string, path: string }} input */
export async function run({ engine, path }) {
  const { SessionManager } = await import(engine);
  const session = SessionManager.open(path, undefined, { readOnly: true });
  const start = performance.now();
  const roots = session.getTree();
  let firstLevel = 0;
  for (const root of roots) firstLevel += root.entry.id.length > 0 ? root.children.length : 0;
  const ms = performance.now() - start;

  const begin = performance.now();
  let nodes = 0;
  const waiting = [];
  for (const root of session.getTree()) waiting.push(root);
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    nodes++;
    for (const child of node.children) waiting.push(child);
  }
  return { ms, check: nodes, extra: { walk: performance.now() - begin, firstLevel } };
}
