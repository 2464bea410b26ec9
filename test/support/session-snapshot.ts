import { buildSessionContext, type SessionContext } from "@bough/session/context/index.js";
import { type EntryId, POSITION_TYPE, type SessionEntry } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";

/** Everything a session says about itself, as plain values that can be compared. */
export interface SessionSnapshot {
  readonly entries: readonly SessionEntry[];
  readonly leafId: EntryId | null;
  readonly children: Readonly<Record<string, readonly EntryId[]>>;
  readonly labels: Readonly<Record<EntryId, string>>;
  readonly name: string | undefined;
  readonly context: SessionContext;
}

export function snapshotOf(session: SessionManager): SessionSnapshot {
  const entries = session.getEntries();
  const children: Record<string, EntryId[]> = { "": session.getChildren(null).map(({ id }) => id) };
  const labels: Record<EntryId, string> = {};
  for (const { id } of entries) {
    const below = session.getChildren(id);
    if (below.length > 0) children[id] = below.map((child) => child.id);
    const label = session.getLabel(id);
    if (label !== undefined) labels[id] = label;
  }
  return {
    entries,
    leafId: session.getLeafId(),
    children,
    labels,
    name: session.getSessionName(),
    context: session.buildSessionContext(),
  };
}

/**
 * What a session with these entries must say, worked out the plain way: one pass, maps and nothing else. Stands against
 * the index in property tests. Entries must be whole and in order.
 */
export function expectedSnapshot(entries: readonly SessionEntry[]): SessionSnapshot {
  const children: Record<string, EntryId[]> = { "": [] };
  const labels: Record<EntryId, string> = {};
  let name: string | undefined;
  let leafId: EntryId | null = null;
  for (const entry of entries) {
    const siblings = children[entry.parentId ?? ""] ?? [];
    siblings.push(entry.id);
    children[entry.parentId ?? ""] = siblings;
    leafId = leafAfter(entry, leafId);
    if (entry.type === "session_info" && entry.name) name = entry.name;
    if (entry.type !== "label") continue;
    if (entry.label) labels[entry.targetId] = entry.label;
    else delete labels[entry.targetId];
  }
  return { entries, leafId, children, labels, name, context: buildSessionContext(entries, leafId) };
}

/** Rule I4, spelled out. */
function leafAfter(entry: SessionEntry, leafId: EntryId | null): EntryId | null {
  switch (entry.type) {
    case "message":
    case "compaction":
    case "branch_summary":
    case "custom_message":
    case "model_change":
    case "thinking_level_change":
    case "mode_change":
    case "ttsr_injection":
    case "context_edit":
      return entry.id;
    case "custom":
      if (entry.customType === POSITION_TYPE) return entry.parentId;
      return entry.parentId === leafId ? entry.id : leafId;
    default:
      return entry.parentId === leafId ? entry.id : leafId;
  }
}

/** Ids met when the tree is walked from its roots, without recursion. */
export function reachableIds(session: SessionManager): EntryId[] {
  const ids: EntryId[] = [];
  const open = [...session.getTree()];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    ids.push(node.id);
    for (const child of node.children) open.push(child);
  }
  return ids;
}
