import { type EntryId, Kind, kindOf } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { upwards } from "@bough/session/session/internal.js";

/** The last entry that is part of what the model knows; records of files, labels and the like are not. */
export function conversationEnd(session: SessionManager, from: EntryId | null = session.getLeafId()): EntryId | null {
  for (const entry of upwards(session, from)) {
    const kind = kindOf(entry);
    const isState = kind === Kind.modelChange || kind === Kind.thinkingLevelChange;
    if (kind < Kind.custom && !isState) return entry.id;
  }
  return null;
}
