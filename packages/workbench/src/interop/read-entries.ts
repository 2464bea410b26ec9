/** Reads the entries of a session, yielding regularly so that the caller can abort. */
import type { SessionEntry } from "@bough/session/entry/index.js";
import { WorkTurns } from "@bough/session/log/index.js";
import { readerFor } from "./agents.js";
import type { ForeignSession, ReadOptions } from "./contract.js";
import { checkReadable } from "./source-problem.js";

export async function* readEntries(source: ForeignSession, options: ReadOptions): AsyncGenerator<SessionEntry> {
  checkReadable(source);
  const turns = new WorkTurns();
  for await (const entry of readerFor(source.agent).read(source, options)) {
    yield entry;
    if (!turns.isDue) continue;
    await turns.yieldNow();
    options.signal?.throwIfAborted();
  }
}
