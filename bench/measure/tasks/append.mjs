/**
 * Appending against `JSON.stringify` plus a bare `write` of the same line, round by round in one process.
 *
 * With `from` the append happens under entries all over an existing session: each is preceded by a `branch`.
 * The ratio is taken per round and its median reported, so that a moment of writeback by the system costs one round.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import { messages } from "../../generate/session-lines.mjs";
import { countLines } from "../read-pieces.mjs";
import { median } from "../samples.mjs";

export const ROUNDS = 21;
/** The compiler needs about ten thousand appends to optimize the engine, and fewer for the bare write. */
export const WARM_UP_ROUNDS = 30;

/**
 * @param {{
 *   engine: string, dir: string, bare: string, text: "small" | "real", perRound: number,
 *   path?: string, from?: readonly string[],
 * }} input
 */
export async function run({ engine, dir, bare, text, perRound, path, from = [] }) {
  const { SessionManager } = await import(engine);
  // A new session also gets a header, which is not an append.
  const before = path === undefined ? 1 : countLines(path);
  const said = messages({ text, count: perRound });
  const session = path === undefined ? SessionManager.create("/home/dev/project", dir) : SessionManager.open(path, dir);
  const file = openSync(bare, "a", 0o600);
  let parentId = "0".repeat(12);
  let count = 0;

  const append = (/** @type {object} */ message) => {
    if (from.length > 0) session.branch(from[count++ % from.length]);
    parentId = session.appendMessage(message);
  };
  const write = (/** @type {object} */ message) => {
    const id = parentId;
    const timestamp = new Date().toISOString();
    writeSync(file, `${JSON.stringify({ type: "message", id, parentId, timestamp, message })}\n`);
  };
  const timed = (/** @type {(message: object) => void} */ act) => {
    const start = performance.now();
    for (const message of said) act(message);
    return performance.now() - start;
  };

  const rounds = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    const spent = { append: 0, write: 0 };
    // Whichever runs second finds the messages in the processor's caches, so they alternate.
    const first = round % 2 === 0;
    if (first) spent.append = timed(append);
    spent.write = timed(write);
    if (!first) spent.append = timed(append);
    if (round >= WARM_UP_ROUNDS) rounds.push(spent);
  }
  closeSync(file);
  const lines = countLines(session.getSessionFile()) - before;
  session.close?.();
  return {
    ms: median(rounds.map((spent) => spent.append / said.length)),
    check: lines,
    extra: {
      write: median(rounds.map((spent) => spent.write / said.length)),
      ratio: median(rounds.map((spent) => spent.append / spent.write)),
    },
  };
}
