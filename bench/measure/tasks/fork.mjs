/** The path to the leaf as a new session file. */
import { statSync } from "node:fs";

/** @param {{ engine: string, path: string, dir: string, leaf: string }} input */
export async function run({ engine, path, dir, leaf }) {
  const { SessionManager } = await import(engine);
  const session = SessionManager.open(path, dir);
  const start = performance.now();
  const file = session.createBranchedSession(leaf);
  const ms = performance.now() - start;
  return { ms, check: file === undefined ? 0 : 1, extra: { bytes: file === undefined ? 0 : statSync(file).size } };
}
