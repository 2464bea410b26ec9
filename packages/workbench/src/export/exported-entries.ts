import { type EntryId, Kind, kindOf, type SessionEntry } from "@bough/session/entry/index.js";
import type { SessionManager, SessionTreeNode } from "@bough/session/session/index.js";
import { downwards, upwards } from "@bough/session/session/internal.js";

interface ExportedPart {
  readonly entryId: EntryId;
  readonly scope: "subtree" | "path";
}

/**
 * The entries of a part of a session, as they are in a session of their own: parents first, the first one a root, and
 * one label entry at the end for each label that still is on them.
 *
 *     a ─ b ─ [label of a] ─ c       the part from b:   b ─ c
 *          └─ d                                          └─ d
 *
 * Labels, positions and lines that cannot be read are omitted, and what hung below them hangs from the nearest entry
 * that is there.
 */
export function* exportedEntries(session: SessionManager, part: ExportedPart): Generator<SessionEntry> {
  /** For every entry met, the exported one at or above it. */
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

/** The node of one entry, found from its parent's children and not from the root down. */
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

/** A compaction keeps what it kept: the first exported entry at or below its anchor, on the way down to it. */
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

/** The wanted id, or one made of it where that is taken. */
export function freeId(wanted: string, isTaken: (id: EntryId) => boolean): EntryId {
  let id = wanted;
  for (let i = 2; isTaken(id); i++) id = `${wanted}-${i}`;
  return id;
}
