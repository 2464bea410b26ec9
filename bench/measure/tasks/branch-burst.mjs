/** Going back and appending, a thousand times in a fresh process. */
import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { messages } from "../../generate/session-lines.mjs";
import { countLines } from "../read-pieces.mjs";

/** @param {{ engine: string, path: string, dir: string, from: readonly string[], count: number }} input */
export async function run({ engine, path, dir, from, count }) {
  const { SessionManager } = await import(engine);
  const said = messages({ text: "small", count });
  const copy = join(dir, `${process.pid}.jsonl`);
  copyFileSync(path, copy);
  const before = countLines(copy);
  const session = SessionManager.open(copy);
  const start = performance.now();
  for (let index = 0; index < count; index++) {
    session.branch(from[index % from.length]);
    session.appendMessage(said[index]);
  }
  const ms = performance.now() - start;
  const written = countLines(copy) - before;
  session.close?.();
  rmSync(copy);
  return { ms, check: written };
}
