/** Edits of the context for every version of pi: only newer ones carry them out themselves. */
import type { ContextEditEntry, EntryId, SessionEntry } from "../../entry/index.js";
import type { EntryPath } from "../../session/index.js";
import { editedEntries } from "../import/edited-entries.js";

interface CarriedOut {
  readonly entries: EntryPath;
  /** Whether an entry is an edit that is carried out in `entries`, and need not be written. */
  readonly isCarriedOut: (entry: SessionEntry) => boolean;
}

/**
 * A path with its edits carried out, since an older pi would show the model what was taken out. Newer versions take out
 * each answer that failed, which no version sends: those edits stay edits, and the path the lines it was.
 */
export function carriedOut(path: EntryPath): CarriedOut {
  let unsent: ReadonlySet<EntryId> | undefined;
  const isKept = ({ targetId }: ContextEditEntry): boolean => {
    unsent ??= unsentIn(path);
    return unsent.has(targetId);
  };
  const isCarriedOut = (entry: SessionEntry): boolean => entry.type === "context_edit" && !isKept(entry);
  return { entries: editedEntries(path, isKept), isCarriedOut };
}

function unsentIn(path: EntryPath): ReadonlySet<EntryId> {
  const ids = new Set<EntryId>();
  for (const entry of path) if (isUnsent(entry)) ids.add(entry.id);
  return ids;
}

function isUnsent(entry: SessionEntry): boolean {
  if (entry.type !== "message" || entry.message.role !== "assistant") return false;
  const { stopReason, content } = entry.message;
  const hasCalls = Array.isArray(content) && content.some(({ type }) => type === "toolCall");
  return (stopReason === "error" || stopReason === "aborted") && !hasCalls;
}
