import { type EntryId, Kind, kindOf, type SessionEntry } from "@bough/session/entry/index.js";
import type { SessionManager, SessionTreeNode } from "@bough/session/session/index.js";
import { downwards, upwards } from "@bough/session/session/internal.js";

interface ExportedPart {
  readonly entryId: EntryId;
  readonly scope: "subtree" | "path";
}

/**
 * The entries of a part of a session as a session of their own: parents first, starting with a root, and at the end a
 * label entry for each current label on them.
 *
 *     a ─ b ─ [label of a] ─ c       the part from b:   b ─ c
 *          └─ d                                          └─ d
 *
 * Labels, positions and unreadable lines are omitted; their children are attached to the nearest exported ancestor.
 */
export function* exportedEntries(session: SessionManager, part: ExportedPart): Generator<SessionEntry> {
  /** Maps each visited entry to the nearest exported entry at or above it. */
  const standsFor = new Map<EntryId, EntryId | null>();
  const labels: { readonly targetId: EntryId; readonly label: string; readonly timestamp: string }[] = [];
  let last: EntryId | null = null;
  for (const entry of entriesOf(session, part)) {
    const parentId: EntryId | null = entry.parentId === null ? null : (standsFor.get(entry.parentId) ?? null);
    if (!isExported(entry)) {
      standsFor.set(entry.id, parentId);
      continue;
    }
    standsFor.set(entry.id, entry.id);
    last = entry.id;
    const placed = parentId === entry.parentId ? entry : { ...entry, parentId };
    yield placed.type === "compaction" ? { ...placed, ...anchorOf(session, entry, standsFor) } : placed;
    const label = session.getLabel(entry.id);
    if (label !== undefined) labels.push({ targetId: entry.id, label, timestamp: entry.timestamp });
  }
  for (const { targetId, label, timestamp } of labels) {
    const id = freeId(`label-${targetId}`, (taken) => standsFor.has(taken));
    standsFor.set(id, id);
    yield { type: "label", id, parentId: last, timestamp, targetId, label };
    last = id;
  }
}

function* entriesOf(session: SessionManager, { entryId, scope }: ExportedPart): Generator<SessionEntry> {
  if (scope === "path") yield* session.readBranch(entryId);
  else for (const node of downwards([nodeOf(session, entryId)])) yield node.entry;
}

/** A tree node that loads its children on demand, without walking down from the root. */
function nodeOf(session: SessionManager, entryId: EntryId): SessionTreeNode {
  const entry = session.getEntry(entryId) as SessionEntry;
  return {
    id: entryId,
    entry,
    get children(): readonly SessionTreeNode[] {
      return session.getChildren(entryId).map(({ id }) => nodeOf(session, id));
    },
  };
}

/** The new anchor of a compaction: the first exported entry at or below the old one on the path to the compaction. */
function anchorOf(
  session: SessionManager,
  compaction: SessionEntry,
  standsFor: ReadonlyMap<EntryId, EntryId | null>,
): { readonly firstKeptEntryId?: EntryId } {
  const anchor = compaction.type === "compaction" ? compaction.firstKeptEntryId : undefined;
  if (anchor === undefined || session.getEntry(anchor) === undefined) return {};
  let first: EntryId | undefined;
  for (const { id } of upwards(session, compaction.parentId)) {
    if (standsFor.get(id) === id) first = id;
    if (id === anchor) return first === undefined ? {} : { firstKeptEntryId: first };
  }
  return {};
}

function isExported(entry: SessionEntry): boolean {
  const kind = kindOf(entry);
  return kind !== Kind.label && kind !== Kind.position && kind !== Kind.unreadable;
}

/** The wanted ID, with a number appended if it is taken. */
export function freeId(wanted: string, isTaken: (id: EntryId) => boolean): EntryId {
  let id = wanted;
  for (let i = 2; isTaken(id); i++) id = `${wanted}-${i}`;
  return id;
}
