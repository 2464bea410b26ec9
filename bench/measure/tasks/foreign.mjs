/** Opens another agent's session until its tree is available, as commands that show one do. */

/** @param {{ interop: string, path: string }} input */
export async function run({ interop, path }) {
  const { openForeign } = await import(interop);
  const start = performance.now();
  const opened = await openForeign(path, { originals: "leave-out" });
  const [first] = opened.session.getTree();
  const children = first?.children.length ?? 0;
  const ms = performance.now() - start;
  const { records } = opened.report;
  opened.close();
  return { ms, check: records, extra: { children } };
}
