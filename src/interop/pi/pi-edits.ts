/** Edits of the context for every version of pi: only newer ones carry them out themselves. */
import type { SessionEntry } from "../../entry/index.js";
import { editedEntries } from "../edited-entries.js";

export interface CarriedOut {
  readonly entries: readonly SessionEntry[];
  /** The edits that are carried out in `entries`, and need not be written. */
  readonly edits: ReadonlySet<SessionEntry>;
}

/**
 * A path with its edits carried out, since an older pi would show the model what was taken out. Newer versions take out
 * each answer that failed, which no version sends: those edits stay edits, and the path the lines it was.
 */
export function carriedOut(path: readonly SessionEntry[]): CarriedOut {
  const unsent = new Set(path.filter(isUnsent).map(({ id }) => id));
  const isKept = (entry: SessionEntry): boolean => entry.type === "context_edit" && unsent.has(entry.targetId);
  const edited = new Map(editedEntries(path.filter((entry) => !isKept(entry))).map((entry) => [entry.id, entry]));
  const entries = path.flatMap((entry) => (isKept(entry) ? [entry] : (edited.get(entry.id) ?? [])));
  return { entries, edits: new Set(entries.filter((entry) => entry.type === "context_edit" && !isKept(entry))) };
}

function isUnsent(entry: SessionEntry): boolean {
  if (entry.type !== "message" || entry.message.role !== "assistant") return false;
  const { stopReason, content } = entry.message;
  const hasCalls = Array.isArray(content) && content.some(({ type }) => type === "toolCall");
  return (stopReason === "error" || stopReason === "aborted") && !hasCalls;
}
