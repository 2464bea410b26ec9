/** Which lines of a session put its leaf where it is. */
import { type EntryId, Kind } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { lastOriginId } from "./import/import-origin.js";

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
