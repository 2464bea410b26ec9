/** Entries that only memory has, because the disk did not take them: who quits now loses them. */

import type { SessionManager } from "../../session/index.js";
import { counted } from "../../text/index.js";

/** How many still wait after one more attempt to write them. */
export function unsavedEntries(session: SessionManager): number {
  if (session.getWaitingCount() === 0) return 0;
  try {
    session.sync();
  } catch {
    // Why it fails has been said; here only what is left counts.
  }
  return session.getWaitingCount();
}

export function unsavedSentence(count: number): string {
  const are = count === 1 ? "is" : "are";
  return `${counted(count, "entry", "entries")} ${are} not saved: the disk did not take them. Make room, or quit again to go without.`;
}
