/** Compactions of Codex's own that go back as the records they were. */
import type { SessionEntry } from "../../../entry/index.js";
import { isObject } from "../../foreign-lines.js";
import { originOf } from "../codex-origin.js";
import { isKeptItem } from "./compacted-entries.js";
import { replacedHistory } from "./replaced-history.js";

/**
 * The compactions whose record still says what their entries say, and the entries below them that are items of that record.
 *
 * Not so where the path leaves one of those entries out, and nowhere on a path with edits: the record repeats messages
 * that may have been changed since.
 */
export function verbatimHistories(entries: readonly SessionEntry[]): ReadonlySet<SessionEntry> {
  const verbatim = new Set<SessionEntry>();
  if (entries.some(({ type }) => type === "context_edit")) return verbatim;
  for (const [at, entry] of entries.entries()) {
    if (entry.type !== "compaction" || !isObject(entry.details) || !isObject(entry.details.codex)) continue;
    const kept: SessionEntry[] = [];
    for (let next = at + 1; originOf(entries[next])?.kept === true; next++) kept.push(entries[next] as SessionEntry);
    const { items } = replacedHistory(entry.details.codex);
    const wanted = items?.filter(isKeptItem).length;
    const found = kept.reduce((sum, each) => sum + (originOf(each)?.items.length ?? 0), 0);
    // Sessions that were imported before the items had entries have none at all.
    if (wanted !== undefined && found !== wanted && found !== 0) continue;
    for (const each of [entry, ...kept]) verbatim.add(each);
  }
  return verbatim;
}
