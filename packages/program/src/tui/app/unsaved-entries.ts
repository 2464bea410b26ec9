/** Entries that could not be written and are only in memory: quitting now loses them. */
import type { SessionManager } from "@bough/session/session/index.js";
import { counted, type Notice } from "@bough/session/text/index.js";

/** Retries writing, and returns how many entries are still unsaved. */
export function unsavedEntries(session: SessionManager): number {
  if (session.getWaitingCount() === 0) return 0;
  try {
    session.sync();
  } catch {
    // Why it fails has been said; here only what is left counts.
  }
  return session.getWaitingCount();
}

export function unsavedNotice(count: number): Notice {
  const them = count === 1 ? "it" : "them";
  return {
    message: `${counted(count, "entry", "entries")} could not be saved.`,
    hint: `Free some disk space, or quit again to discard ${them}.`,
  };
}
