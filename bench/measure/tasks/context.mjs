/** The context at the leaf: the first time after opening, and the median of later times. */
import { median } from "../samples.mjs";

const AGAIN = 30;

/** @param {{ engine: string, path: string }} input */
export async function run({ engine, path }) {
  const { SessionManager } = await import(engine);
  const session = SessionManager.open(path, undefined, { readOnly: true });
  const start = performance.now();
  const context = session.buildSessionContext();
  const ms = performance.now() - start;
  const later = [];
  for (let count = 0; count < AGAIN; count++) {
    const begin = performance.now();
    session.buildSessionContext();
    later.push(performance.now() - begin);
    if (performance.now() - start > 5000) break;
  }
  return { ms, check: context.messages.length, extra: { again: median(later) } };
}
