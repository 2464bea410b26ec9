/** Walks over a session by ID: up from an entry, or down from nodes. Nothing here recurses (keeps I9). */
import type { EntryId, SessionEntry } from "../entry/index.js";
import type { SessionManager } from "./session-manager.js";
import type { SessionTreeNode } from "./tree-node.js";

/** What walking needs of a session. */
export type WalkedSession = Pick<SessionManager, "getEntry">;

/**
 * The entry and its ancestors, nearest first. Ends at a root, at a missing parent, or where the parent chain of a
 * damaged file loops.
 */
export function* upwards(session: WalkedSession, fromId: EntryId | null): Generator<SessionEntry> {
  const seen = new Set<EntryId>();
  for (let id = fromId; id !== null && !seen.has(id); ) {
    const entry = session.getEntry(id);
    if (entry === undefined) return;
    seen.add(id);
    yield entry;
    id = entry.parentId;
  }
}

/** The entries below `ancestorId` down to `fromId`, oldest first; the whole path if `ancestorId` is not on it. */
export function pathBelow(session: WalkedSession, fromId: EntryId | null, ancestorId: EntryId | null): SessionEntry[] {
  const entries: SessionEntry[] = [];
  for (const entry of upwards(session, fromId)) {
    if (entry.id === ancestorId) break;
    entries.push(entry);
  }
  return entries.reverse();
}

/** These nodes and every entry below them: parents before children, older branches first. */
export function* downwards(nodes: readonly SessionTreeNode[]): Generator<SessionTreeNode> {
  const stack = nodes.toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    yield node;
    const { children } = node;
    for (let i = children.length - 1; i >= 0; i--) stack.push(children[i] as SessionTreeNode);
  }
}
