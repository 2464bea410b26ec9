/** Lists the sessions of a folder, and counts the bytes the process read for that where the system reports them. */
import { readFileSync } from "node:fs";

/** @param {{ engine: string, dir: string, cwd: string }} input */
export async function run({ engine, dir, cwd }) {
  const { SessionManager } = await import(engine);
  const before = bytesRead();
  const start = performance.now();
  const sessions = await SessionManager.list(cwd, dir);
  const ms = performance.now() - start;
  const after = bytesRead();
  return { ms, check: sessions.length, extra: { bytes: after - before } };
}

/** NaN without /proc; the bytes are then not reported. */
function bytesRead() {
  try {
    return Number(/rchar: (\d+)/.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
  } catch {
    return Number.NaN;
  }
}
