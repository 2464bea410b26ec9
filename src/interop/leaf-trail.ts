/** Where the leaf is after each line of a session file, and which lines put it there. */
import { type EntryId, Kind, kindOf, LeafEffect, leafEffect, type SessionEntry } from "../entry/index.js";
import type { SessionManager } from "../session/index.js";
import { lastOriginId } from "./import/import-origin.js";

/** Follows the leaf over entries in the order of a file, as loading does (I4). */
export class LeafTrail {
  leaf: EntryId | null;

  constructor(leaf: EntryId | null = null) {
    this.leaf = leaf;
  }

  take(entry: SessionEntry): void {
    const effect = leafEffect(kindOf(entry));
    if (effect === LeafEffect.points) this.leaf = entry.parentId;
    else if (effect === LeafEffect.sets || (effect === LeafEffect.extends && entry.parentId === this.leaf)) {
      this.leaf = entry.id;
    }
  }
}

/**
 * The lines after the last import that say where the leaf is: the leaf itself, or a position below it. None if the
 * leaf is still where the last import left it. Lines of an import that was stopped are among them.
 */
export function leafLinesSinceImport(session: SessionManager): Set<EntryId> {
  const { tree } = session.getSource();
  const placeOf = (id: EntryId): number => tree.ids.findText(id);
  const origin = lastOriginId(session);
  const end = origin === undefined ? -1 : placeOf(origin);
  const leaf = session.getLeafId();
  const lines = new Set<EntryId>();
  if (leaf !== null && placeOf(leaf) > end) lines.add(leaf);
  for (const id of session.getChildIds(leaf)) {
    const place = placeOf(id);
    if (place > end && tree.kindOf(place) === Kind.position) lines.add(id);
  }
  return lines;
}
