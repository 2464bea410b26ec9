/** A path with its context edits carried out, for agents that have no such thing. */
import { LEFT_OUT_RESULT } from "../context/index.js";
import type { ContextEditEntry, ContextReplacement, EntryId, SessionEntry } from "../entry/index.js";
import { isObject } from "./foreign-lines.js";

/**
 * The entries as the model is shown them: the latest edit of each applied, those that are left out gone. A result that is
 * left out leaves a note, because its call needs one. The records an edited entry came from no longer hold what it says,
 * so it loses its `origin`.
 */
export function editedEntries(entries: readonly SessionEntry[]): SessionEntry[] {
  const edits = new Map<EntryId, ContextReplacement>();
  for (const entry of entries) if (isEdit(entry)) edits.set(entry.targetId, entry.replacement);
  if (edits.size === 0) return [...entries];
  return entries.flatMap((entry) => {
    const replacement = edits.get(entry.id);
    return replacement === undefined ? [entry] : edited(entry, replacement);
  });
}

function isEdit(entry: SessionEntry): entry is ContextEditEntry {
  const replacement: unknown = (entry as { replacement?: unknown }).replacement;
  return (
    entry.type === "context_edit" &&
    (replacement === null || typeof replacement === "string" || Array.isArray(replacement))
  );
}

function edited(entry: SessionEntry, replacement: ContextReplacement): SessionEntry[] {
  const { origin: _origin, ...rest } = entry as SessionEntry & { origin?: unknown };
  if (rest.type === "message") {
    const role: unknown = isObject(rest.message) ? rest.message.role : undefined;
    if (replacement === null && role !== "toolResult") return [];
    const text = typeof replacement === "string" ? replacement : LEFT_OUT_RESULT;
    const content = Array.isArray(replacement) ? replacement : [{ type: "text", text }];
    return [{ ...rest, message: { ...rest.message, content } } as SessionEntry];
  }
  if (replacement === null) return [];
  return rest.type === "custom_message" ? [{ ...rest, content: replacement } as SessionEntry] : [entry];
}
