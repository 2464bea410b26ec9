/** Compactions as Claude Code knows them: a boundary, a summary, and the names of the records that stay. */
import type { CompactionEntry, EntryId, SessionEntry } from "../../entry/index.js";
import { claudeOriginOf } from "./claude-origin.js";
import { type ClaudeTranscript, userRecord } from "./claude-transcript.js";

/**
 * The compactions that a later one goes back behind, as the model is shown neither them nor what they hid.
 *
 *     a  b  summary(keeps b)  c  summary(keeps b)   ->   a  b  c  summary(keeps b)
 *
 * The program follows the parents from the last kept record to the first, and a boundary has none: one in between would
 * cut off all before it. A boundary of the program's own goes back behind none.
 */
export function replacedCompactions(entries: readonly SessionEntry[]): ReadonlySet<EntryId> {
  const replaced = new Set<EntryId>();
  const places = new Map(entries.map(({ id }, at) => [id, at]));
  let keptFrom = entries.length;
  for (let at = entries.length - 1; at >= 0; at--) {
    const entry = entries[at];
    if (entry?.type !== "compaction") continue;
    if (at >= keptFrom) replaced.add(entry.id);
    if (claudeOriginOf(entry) !== undefined) continue;
    keptFrom = Math.min(keptFrom, places.get(entry.firstKeptEntryId ?? "") ?? at);
  }
  return replaced;
}

/** A boundary that starts the chain anew, and the summary below it; the records it keeps are named, not written again. */
export function addCompaction(transcript: ClaudeTranscript, entry: CompactionEntry): void {
  const last = transcript.last;
  const kept = entry.firstKeptEntryId === undefined ? [] : transcript.uuidsFrom(entry.firstKeptEntryId);
  const boundary = transcript.newId();
  const summary = transcript.newId();
  const head = kept[0];
  const preserved =
    head === undefined
      ? {}
      : {
          preservedSegment: { headUuid: head, anchorUuid: summary, tailUuid: kept.at(-1) },
          preservedMessages: { anchorUuid: summary, uuids: kept, allUuids: kept },
        };
  transcript.push(
    entry.id,
    {
      type: "system",
      subtype: "compact_boundary",
      content: "Conversation compacted",
      level: "info",
      isMeta: false,
      uuid: boundary,
      timestamp: entry.timestamp,
      ...(last === undefined ? {} : { logicalParentUuid: last }),
      compactMetadata: { trigger: "manual", preTokens: entry.tokensBefore, ...preserved },
    },
    null,
  );
  const record = userRecord(entry, entry.summary);
  transcript.push(
    entry.id,
    { ...record, uuid: summary, isCompactSummary: true, isVisibleInTranscriptOnly: true },
    boundary,
  );
}
