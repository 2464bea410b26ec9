/** Groups of records that become one entry or a chain of entries, and the IDs of those. */
import type { EntryId } from "@bough/session/entry/index.js";
import { foreignId } from "../foreign-entry.js";
import type { RecordSketch } from "./claude-sketch.js";

export type UnitKind = "assistant" | "results" | "user" | "shell" | "compaction" | "title" | "note" | "subagent";

/**
 * One step of the tree. Most units are one record and one entry; an answer is several records and one entry; a user
 * record with several results is one record and a chain of entries.
 */
export interface Unit {
  kind: UnitKind;
  /** The entry IDs are derived from this. */
  key: string;
  readonly records: RecordSketch[];
  readonly segment: number;
  readonly parts: number;
  parent: Unit | undefined;
  /** Why its parent is not the one that its record names. */
  reason: string | undefined;
  /** For a result: all results of the same answer, in file order. */
  row: Unit[] | undefined;
  /** For a compaction: the first kept unit before its boundary. */
  keptFrom: Unit | undefined;
  /** For a compaction: the first and last kept units below its summary. */
  keptBelow: KeptBelow | undefined;
  /** For a sub-agent: its ID and what started it. */
  readonly agent: AgentLink | undefined;
  emitted: boolean;
}

export interface KeptBelow {
  readonly first: Unit;
  readonly last: Unit;
}

interface AgentLink {
  readonly agentId: string;
  readonly toolCallId: string | undefined;
  readonly call: Unit | undefined;
  readonly meta: unknown;
  /** Time of its first record. */
  readonly time: string;
}

export function unitOf(kind: UnitKind, record: RecordSketch): Unit {
  return {
    kind,
    key: record.key,
    records: [record],
    segment: record.segment,
    parts: Math.max(1, record.parts),
    parent: undefined,
    reason: undefined,
    row: undefined,
    keptFrom: undefined,
    keptBelow: undefined,
    agent: undefined,
    emitted: false,
  };
}

export function agentUnit(segment: number, agent: AgentLink): Unit {
  const key = `subagent ${agent.agentId}`;
  const unit = { kind: "subagent" as const, key, records: [], segment, parts: 1, parent: undefined };
  return {
    ...unit,
    reason: undefined,
    row: undefined,
    keptFrom: undefined,
    keptBelow: undefined,
    agent,
    emitted: false,
  };
}

/** The ID of one of the unit's entries. */
export function unitEntryId(session: string, unit: Unit, part = 0): EntryId {
  return part === 0 ? foreignId(session, unit.key) : foreignId(session, unit.key, part);
}

/** The last entry of the unit, which is the parent of what follows. */
export function lastEntryId(session: string, unit: Unit): EntryId {
  return unitEntryId(session, unit, unit.parts - 1);
}

/**
 * The actual parent of a unit that names `unit`: the last result of the same answer, so that parallel calls stay on one
 * path.
 *
 *     answer ─ result 1 ─ result 2 ─ follower        whichever result the follower names
 *
 * Results of later segments do not count, because the follower was imported without them.
 */
export function attachPoint(unit: Unit, segment: number): Unit {
  let last = unit;
  for (const result of unit.row ?? []) if (result.segment <= segment) last = result;
  return last;
}
