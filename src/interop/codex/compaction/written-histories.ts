/** Compactions of Codex's own that go back as the records they were. */
import type { CompactionEntry, SessionEntry } from "../../../entry/index.js";
import type { EntryPath } from "../../../session/index.js";
import { isRecord } from "../../../text/index.js";
import { originOf } from "../codex-origin.js";
import type { JsonObject } from "../rollout-record.js";
import { isKeptItem } from "./compacted-entries.js";
import { replacedHistory } from "./replaced-history.js";

/**
 * The places of the compactions whose record still says what their entries say, and of the entries below them that are
 * items of that record.
 *
 * Not so where the path leaves one of those entries out, and nowhere on a path with edits: the record repeats messages
 * that may have been changed since.
 */
export function verbatimHistories(path: EntryPath): ReadonlySet<number> {
  const verbatim = new Set<number>();
  let at = 0;
  for (const entry of path) {
    if (entry.type === "context_edit") return new Set();
    if (isOwnCompaction(entry)) for (const place of historyAt(path, at)) verbatim.add(place);
    at += 1;
  }
  return verbatim;
}

function historyAt(path: EntryPath, at: number): number[] {
  const compaction = path.at(at);
  if (compaction === undefined || !isOwnCompaction(compaction)) return [];
  const places = [at];
  let found = 0;
  for (let next = at + 1; ; next++) {
    const origin = originOf(path.at(next));
    if (origin?.kept !== true) break;
    places.push(next);
    found += origin.items.length;
  }
  const { items } = replacedHistory(compaction.details.codex);
  const wanted = items?.filter(isKeptItem).length;
  // Sessions that were imported before the items had entries have none at all.
  return wanted !== undefined && found !== wanted && found !== 0 ? [] : places;
}

/** A compaction that has Codex's record with it. */
export function isOwnCompaction(
  entry: SessionEntry,
): entry is CompactionEntry & { readonly details: { readonly codex: JsonObject } } {
  return entry.type === "compaction" && isRecord(entry.details) && isRecord(entry.details.codex);
}
