/** Which records make one entry, or one run of entries, and the ids those have. */
import type { EntryId } from "@bough/session/entry/index.js";
import { foreignId } from "../foreign-entry.js";
import type { RecordSketch } from "./claude-sketch.js";

export type UnitKind = "assistant" | "results" | "user" | "shell" | "compaction" | "title" | "note" | "subagent";

/**
 * One step of the tree. Most are one record and one entry; an answer is several records and one entry; a user record
 * with several results is one record and several entries, one below the other.
 */
export interface Unit {
  kind: UnitKind;
  /** What its ids are made of. */
  key: string;
  readonly records: RecordSketch[];
  readonly segment: number;
  readonly parts: number;
  parent: Unit | undefined;
  /** Why it does not hang where its record says. */
  reason: string | undefined;
  /** For a result: the results of the same answer, in the order of the file. */
  row: Unit[] | undefined;
  /** For a compaction: the unit from which on everything was kept. */
  keptFrom: Unit | undefined;
  /** For a compaction: the first and the last of the kept units that were written below its summary. */
  keptBelow: KeptBelow | undefined;
  /** For a sub-agent: who it is and what started it. */
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
  /** When its first record was written. */
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

/** The id of one of the unit's entries. */
export function unitEntryId(session: string, unit: Unit, part = 0): EntryId {
  return part === 0 ? foreignId(session, unit.key) : foreignId(session, unit.key, part);
}

/** The entry that whatever follows the unit hangs below. */
export function lastEntryId(session: string, unit: Unit): EntryId {
  return unitEntryId(session, unit, unit.parts - 1);
}

/**
 * Where a follower of `unit` hangs: behind all results of the same answer, so that parallel calls stay on one path.
 *
 *     answer ─ result 1 ─ result 2 ─ follower        whichever of the results the follower names
 *
 * Results that came after `segment` do not count: the follower was imported without them.
 */
export function attachPoint(unit: Unit, segment: number): Unit {
  let last = unit;
  for (const result of unit.row ?? []) if (result.segment <= segment) last = result;
  return last;
}
