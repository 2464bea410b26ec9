/** Opens a session once, read-only or for writing. */

/** @param {{ engine: string, path: string, mode: "read-only" | "writing" }} input */
export async function run({ engine, path, mode }) {
  const { SessionManager } = await import(engine);
  const start = performance.now();
  const session = SessionManager.open(path, undefined, mode === "read-only" ? { readOnly: true } : undefined);
  const ms = performance.now() - start;
  return { ms, check: session.getLeafId() };
}
