/** Counts another agent's session as Bough would after importing it. */
import { dirname } from "node:path";
import { listSessions, type SessionCounts } from "@bough/session/session/index.js";
import { countBytes, countSession } from "@bough/session/session/internal.js";
import type { ForeignSession } from "./contract.js";

/** A larger session is converted to a file. A conversion takes up to twice the bytes of its source. */
const MOST_IN_MEMORY = 32 << 20;

export async function countForeign(
  source: ForeignSession,
  { signal }: { readonly signal: AbortSignal },
): Promise<SessionCounts> {
  if (source.title === undefined || source.size > MOST_IN_MEMORY) return countConverted(source, signal);
  // Loaded lazily, so that readers do not slow down the start of the program.
  const { convertedBytes } = await import("./import/import-session.js");
  return countBytes(await convertedBytes(source, { originals: "leave-out", signal }));
}

async function countConverted(source: ForeignSession, signal: AbortSignal): Promise<SessionCounts> {
  const { openSource } = await import("./open-foreign.js");
  const opened = await openSource(source, { originals: "leave-out", signal });
  try {
    const counts = countSession(opened.file);
    if (counts.name !== undefined || source.title !== undefined) return counts;
    // Nothing else tells what it is about.
    const [info] = await listSessions(dirname(opened.file));
    return { ...counts, name: info?.firstMessage === "" ? undefined : info?.firstMessage };
  } finally {
    opened.close();
  }
}
