/** Applies the context edits of a path, for agents that do not support them. */
import { editMessage } from "@bough/session/context/internal.js";
import {
  type ContextEditEntry,
  type ContextReplacement,
  contentText,
  type EntryId,
  type SessionEntry,
} from "@bough/session/entry/index.js";
import { replacementOf } from "@bough/session/entry/internal.js";
import type { EntryPath } from "@bough/session/session/index.js";
import { pickedPath, placesWhere } from "../conversion/picked-path.js";

/**
 * The entries as the model sees them: with the latest edit of each applied, and without omitted ones. An omitted result
 * becomes a note, because its call needs a result, and a compaction with an omitted summary still limits the context.
 * An edited entry loses its `origin`, which no longer matches. Edits for which `isKept` is true are not applied, and
 * stay on the path.
 */
export function editedEntries(path: EntryPath, isKept: (edit: ContextEditEntry) => boolean = () => false): EntryPath {
  /** Place of the latest edit of each entry. */
  const edits = new Map<EntryId, number>();
  for (const place of placesWhere(path, (entry) => isEdit(entry) && !isKept(entry))) {
    edits.set((path.at(place) as ContextEditEntry).targetId, place);
  }
  if (edits.size === 0) return path;
  const change = (entry: SessionEntry): SessionEntry | undefined => {
    const place = edits.get(entry.id);
    if (place === undefined || (entry.type === "context_edit" && isKept(entry))) return entry;
    return edited(entry, replacementOf(path.at(place) as ContextEditEntry) ?? null);
  };
  const shown = placesWhere(path, (entry) => change(entry) !== undefined);
  return pickedPath(path, shown, (entry) => change(entry) ?? entry);
}

/** Whether an entry is an edit that can be applied. */
export function isEdit(entry: SessionEntry): entry is ContextEditEntry {
  return entry.type === "context_edit" && replacementOf(entry) !== undefined;
}

/** Undefined if the entry is omitted. Follows the same rules as for messages in a context. */
function edited(entry: SessionEntry, replacement: ContextReplacement): SessionEntry | undefined {
  const { origin: _origin, ...rest } = entry as SessionEntry & { origin?: unknown };
  switch (rest.type) {
    case "message": {
      const blocks = typeof replacement === "string" ? [{ type: "text", text: replacement }] : replacement;
      const message = editMessage(rest.message, blocks);
      return message === null ? undefined : ({ ...rest, message } as SessionEntry);
    }
    case "custom_message":
      return replacement === null ? undefined : ({ ...rest, content: replacement } as SessionEntry);
    case "compaction":
      return { ...rest, summary: replacement === null ? "" : contentText(replacement) };
    case "branch_summary":
      return replacement === null ? undefined : { ...rest, summary: contentText(replacement) };
    default:
      return entry;
  }
}
