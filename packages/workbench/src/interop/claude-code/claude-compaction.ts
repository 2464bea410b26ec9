/** Writes compactions in Claude Code's form: a boundary, a summary, and the uuids of the kept records. */
import type { CompactionEntry, EntryId } from "@bough/session/entry/index.js";
import { defined, isRecord } from "@bough/session/text/index.js";
import type { PathSteps } from "../conversion/path-steps.js";
import { stringIn } from "../foreign-lines.js";
import { claudeOriginOf } from "./claude-origin.js";
import { type JsonObject, preservedIn } from "./claude-record.js";
import { type ClaudeTranscript, userRecord } from "./claude-transcript.js";

/**
 * Compactions that a later one supersedes because it keeps entries from before them. The model does not see them.
 *
 *     a  b  summary(keeps b)  c  summary(keeps b)   ->   a  b  c  summary(keeps b)
 *
 * Claude Code follows parents from the last kept record to the first. A boundary has no parent, so one in between would
 * cut off everything before it. Compactions made by Claude Code itself never supersede others.
 */
export function replacedCompactions(steps: PathSteps): ReadonlySet<EntryId> {
  const replaced = new Set<EntryId>();
  const places = new Map(steps.facts.map(({ id }, at) => [id, at]));
  let keptFrom = steps.length;
  for (let at = steps.length - 1; at >= 0; at--) {
    const entry = steps.facts[at]?.type === "compaction" ? steps.at(at)?.entry : undefined;
    if (entry?.type !== "compaction") continue;
    if (at >= keptFrom) replaced.add(entry.id);
    if (claudeOriginOf(entry) !== undefined) continue;
    keptFrom = Math.min(keptFrom, places.get(entry.firstKeptEntryId ?? "") ?? at);
  }
  return replaced;
}

/** Adds a boundary that starts a new chain, and the summary below it. Kept records are named, not written again. */
export function addCompaction(transcript: ClaudeTranscript, entry: CompactionEntry): void {
  const last = transcript.last;
  const kept = entry.firstKeptEntryId === undefined ? [] : transcript.uuidsFrom(entry.firstKeptEntryId);
  const boundary = transcript.newId();
  const summary = transcript.newId();
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
      ...defined({ logicalParentUuid: last }),
      compactMetadata: { trigger: "manual", preTokens: entry.tokensBefore, ...preservedFields(kept, summary) },
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

/** What is known about one of Claude Code's own boundaries once its summary is written. */
export interface BoundaryLinks {
  /** The last record before the boundary. */
  readonly last: string | undefined;
  /** The records before the boundary that its compaction keeps. */
  readonly kept: readonly string[];
  readonly summary: string;
  readonly isWritten: (uuid: string | undefined) => boolean;
}

/**
 * Removes from a boundary the names of records that are not written, such as attachments: Claude Code keeps nothing at
 * all if one is missing. Returns the record itself if none is missing.
 */
export function withWrittenNames(record: JsonObject, links: BoundaryLinks): JsonObject {
  const { last, kept, summary, isWritten } = links;
  const logical = stringIn(record.logicalParentUuid);
  const linked = logical === undefined || isWritten(logical) ? record : { ...record, logicalParentUuid: last ?? null };
  const named = namedIn(record);
  if (!isRecord(record.compactMetadata) || named.every(isWritten)) return linked;
  const { preservedSegment: _segment, preservedMessages: _messages, ...rest } = record.compactMetadata;
  const names = [...new Set([...kept, ...named.filter(isWritten)])];
  return { ...linked, compactMetadata: { ...rest, ...preservedFields(names, summary) } };
}

function namedIn(record: JsonObject): string[] {
  const { head, listed, all, tail } = preservedIn(record);
  return [head, ...listed, ...all, tail].filter((uuid) => uuid !== undefined);
}

function preservedFields(uuids: readonly string[], anchorUuid: string): JsonObject {
  const head = uuids[0];
  if (head === undefined) return {};
  return {
    preservedSegment: { headUuid: head, anchorUuid, tailUuid: uuids.at(-1) },
    preservedMessages: { anchorUuid, uuids, allUuids: uuids },
  };
}
