import { type EntryId, Kind } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { lastOriginId } from "./import/import-origin.js";

/**
 * Entries after the last import that determine where the leaf is: the leaf itself, and positions below it. Empty if the
 * leaf has not moved since the import. May include entries of an import that was stopped.
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
