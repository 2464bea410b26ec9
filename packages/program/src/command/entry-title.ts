/** What an entry is called in a sentence. */
import { callsIn, type EntryId, entryText, resultIn, roleIn, type SessionEntry } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { titleOf } from "@bough/session/text/index.js";

/** Its first words, or its type if it has none. */
export function titleOfEntry(session: Pick<SessionManager, "getEntry">, id: EntryId | null): string {
  if (id === null) return "the start";
  const entry = session.getEntry(id);
  if (entry === undefined) return id;
  if (entry.type === "compaction") return "compaction";
  if (entry.type === "reset_boundary") return "cleared context";
  if (entry.type === "branch_summary") return "branch summary";
  return titleOf(titleText(entry)) || titleOf(whatItIs(entry));
}

function titleText(entry: SessionEntry): string {
  // The first words of a tool result say little.
  if (roleIn(entry) === "toolResult") return "";
  if (entry.type === "message" && entry.message?.role === "bashExecution") return String(entry.message.command ?? "");
  return entryText(entry);
}

function whatItIs(entry: SessionEntry): string {
  if (entry.type !== "message") return entry.type.replaceAll("_", " ");
  if (roleIn(entry) === "toolResult") return `result of ${resultIn(entry)?.toolName || "a tool"}`;
  const calls = callsIn(entry);
  return calls.length === 0 ? "message" : `call of ${calls.map(({ name }) => name).join(", ")}`;
}
