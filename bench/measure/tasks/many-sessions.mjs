/**
 * Memory of many sessions that are open at once: each is written to, then each builds its context, then all are closed.
 *
 * All figures are resident bytes (RSS) beyond what the process had when the engine was loaded. While sessions are open
 * the largest figure counts and nothing is collected by force; after closing the collector runs, because memory that is
 * free and not yet collected is not held by anything.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { messages } from "../../generate/session-lines.mjs";

/** `collections`: how often memory is collected. @param {{ engine: string, dir: string, sessions: number, bytes: number, collections: number }} input */
export async function run({ engine, dir, sessions, bytes, collections }) {
  const { SessionManager } = await import(engine);
  const said = messages({ text: "real", count: 400 });
  const sizes = said.map((message) => Buffer.byteLength(JSON.stringify(message)) + 120);
  await collected(collections);
  const start = process.memoryUsage.rss();
  const above = () => process.memoryUsage.rss() - start;
  const began = performance.now();
  let written = 0;
  let withContexts = 0;
  let total = 0;
  const open = [];
  for (let index = 0; index < sessions; index++) {
    const folder = join(dir, String(index));
    mkdirSync(folder);
    const session = SessionManager.create("/home/dev/project", folder);
    for (let at = 0, size = 0; size < bytes; at++) {
      session.appendMessage(said[(index + at) % said.length]);
      size += sizes[(index + at) % said.length] ?? 0;
      total += 1;
    }
    open.push(session);
    written = Math.max(written, above());
  }
  let complete = 0;
  for (const session of open) {
    // Call IDs repeat in these messages, so some results have no call and are not shown.
    if (session.buildSessionContext().messages.length > total / sessions / 2) complete += 1;
    withContexts = Math.max(withContexts, above());
  }
  for (const session of open) session.close?.();
  const ms = performance.now() - began;
  await collected(collections);
  // Keep references to the sessions: this measures what closing them frees, not what dropping them frees.
  const closed = above() + (open.length - sessions);
  rmSync(dir, { recursive: true, force: true });
  return { ms, check: complete, extra: { written, withContexts, closed } };
}

/** @param {number} times */
async function collected(times) {
  // Node frees memory step by step, over several collections.
  for (let round = 0; round < times; round++) {
    globalThis.gc?.();
    await new Promise((done) => setTimeout(done, 100));
  }
}
