/**
 * What a person does with a session every day: open it, build the context, append a few messages. Then the context again
 * after each of a few more appends, which is what an agent does at every step.
 */
import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { messages } from "../../generate/session-lines.mjs";
import { countLines } from "../read-pieces.mjs";
import { median } from "../samples.mjs";

const APPENDS = 20;
const AGAIN = 30;

/** @param {{ engine: string, path: string, dir: string }} input */
export async function run({ engine, path, dir }) {
  const { SessionManager } = await import(engine);
  // Counted from the start of the process.
  const imported = performance.now();
  const said = messages({ text: "real", count: APPENDS + AGAIN });
  // Another implementation may rewrite the file it opens, but every repeat must find the same one.
  const copy = join(dir, `${process.pid}.jsonl`);
  copyFileSync(path, copy);
  const before = countLines(copy);

  const start = performance.now();
  const session = SessionManager.open(copy);
  const opened = performance.now();
  const shown = session.buildSessionContext().messages.length;
  const built = performance.now();
  for (const message of said.slice(0, APPENDS)) session.appendMessage(message);
  const appended = performance.now();

  session.buildSessionContext();
  const unchanged = [];
  const afterAppend = [];
  for (const message of said.slice(APPENDS)) {
    const again = performance.now();
    session.buildSessionContext();
    unchanged.push(performance.now() - again);
    session.appendMessage(message);
    const next = performance.now();
    session.buildSessionContext();
    afterAppend.push(performance.now() - next);
  }
  const written = countLines(copy) - before;
  session.close?.();
  rmSync(copy);
  return {
    ms: appended - start,
    check: written,
    extra: {
      shown,
      open: opened - start,
      context: built - opened,
      openContext: built - start,
      // Without making the messages and the copy.
      fromStart: imported + built - start,
      appends: appended - built,
      again: median(unchanged),
      afterAppend: median(afterAppend),
    },
  };
}
