import type { ContextReplacement, EntryId, SessionEntry } from "@bough/session/entry/index.js";
import { replacementOf } from "@bough/session/entry/internal.js";

/** The latest edit of each entry on a path, oldest entry first. An edit changes only what is above it. */
export function editsOn(path: readonly SessionEntry[]): Map<EntryId, ContextReplacement> {
  // On a long path, only entries that an edit names are noted.
  const targets = new Set<unknown>();
  for (const entry of path) if (entry.type === "context_edit") targets.add(entry.targetId);
  const above = new Set<EntryId>();
  const edits = new Map<EntryId, ContextReplacement>();
  if (targets.size === 0) return edits;
  for (const entry of path) {
    if (entry.type === "context_edit" && above.has(entry.targetId)) {
      const replacement = replacementOf(entry);
      if (replacement !== undefined) edits.set(entry.targetId, replacement);
    }
    if (targets.has(entry.id)) above.add(entry.id);
  }
  return edits;
}
