/** A path with its context edits carried out, for agents that have no such thing. */
import { LEFT_OUT_RESULT } from "../../context/index.js";
import type { ContextEditEntry, ContextReplacement, EntryId, SessionEntry } from "../../entry/index.js";
import type { EntryPath } from "../../session/index.js";
import { isRecord } from "../../text/index.js";
import { pickedPath, placesWhere } from "../conversion/picked-path.js";

/**
 * The entries as the model is shown them: the latest edit of each applied, those that are omitted gone. A result that
 * is omitted leaves a note, because its call needs one. The records an edited entry came from no longer hold what it
 * says, so it loses its `origin`. Edits that `isKept` holds for are not carried out and stay as they are.
 */
export function editedEntries(path: EntryPath, isKept: (edit: ContextEditEntry) => boolean = () => false): EntryPath {
  /** Where the latest edit of an entry is. */
  const edits = new Map<EntryId, number>();
  for (const place of placesWhere(path, (entry) => isEdit(entry) && !isKept(entry))) {
    edits.set((path.at(place) as ContextEditEntry).targetId, place);
  }
  if (edits.size === 0) return path;
  const change = (entry: SessionEntry): SessionEntry | undefined => {
    const place = edits.get(entry.id);
    if (place === undefined || (entry.type === "context_edit" && isKept(entry))) return entry;
    return edited(entry, (path.at(place) as ContextEditEntry).replacement);
  };
  const shown = placesWhere(path, (entry) => change(entry) !== undefined);
  return pickedPath(path, shown, (entry) => change(entry) ?? entry);
}

function isEdit(entry: SessionEntry): entry is ContextEditEntry {
  const replacement: unknown = (entry as { replacement?: unknown }).replacement;
  return (
    entry.type === "context_edit" &&
    (replacement === null || typeof replacement === "string" || Array.isArray(replacement))
  );
}

/** Undefined if it is omitted. */
function edited(entry: SessionEntry, replacement: ContextReplacement): SessionEntry | undefined {
  const { origin: _origin, ...rest } = entry as SessionEntry & { origin?: unknown };
  if (rest.type === "message") {
    const role: unknown = isRecord(rest.message) ? rest.message.role : undefined;
    if (replacement === null && role !== "toolResult") return undefined;
    const text = typeof replacement === "string" ? replacement : LEFT_OUT_RESULT;
    const content = Array.isArray(replacement) ? replacement : [{ type: "text", text }];
    return { ...rest, message: { ...rest.message, content } } as SessionEntry;
  }
  if (replacement === null) return undefined;
  return rest.type === "custom_message" ? ({ ...rest, content: replacement } as SessionEntry) : entry;
}
