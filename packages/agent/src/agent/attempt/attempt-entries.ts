/** What the session says about attempts: what was tried, where each attempt's branch begins, and how it ended. */
import { type EntryId, Kind, type SessionEntry } from "@bough/session/entry/index.js";
import { ATTEMPT_TYPE } from "@bough/session/entry/internal.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { isRecord } from "@bough/session/text/index.js";

/** The `customType` of the entry that attempts branch from. */
export const TRY_TYPE = "bough.try";
export { ATTEMPT_TYPE };

/** The `customType` of the entry that says how an attempt ended, with the result of its check. */
export const ATTEMPT_END_TYPE = "bough.attempt-end";
/** The `customType` of the message that tells the model about its folder. */
export const ATTEMPT_NOTE_TYPE = "bough.attempt-folder";
/** The `customType` of the entry with the reason of a judge. */
export const JUDGED_TYPE = "bough.judged";

export interface TryData {
  readonly v: 1;
  readonly prompt: string;
  readonly check?: string;
  readonly count: number;
}

export interface AttemptData {
  readonly v: 1;
  readonly name: string;
  /** Among the attempts of one try, from 1. */
  readonly number: number;
  /** The agent that does the turns: `bough`, or another one. */
  readonly driver: string;
  readonly model?: string;
}

/** How the check ended. */
export interface CheckResult {
  readonly command: string;
  /** Null if it was stopped, or could not be started. */
  readonly exitCode: number | null;
  readonly passed: boolean;
  readonly durationMs: number;
  /** Its last lines. */
  readonly last: readonly string[];
  /** Of runners whose output is known. */
  readonly tests?: TestCounts;
  /** Why it has no exit code, or what else was wrong. */
  readonly problem?: string;
  /** Names the state of the files that it saw: a hash of all changes of the branch. */
  readonly state: string;
}

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
}

export interface AttemptEndData {
  readonly v: 1;
  readonly outcome: AttemptOutcome;
  readonly reason?: string;
  readonly durationMs: number;
  readonly check?: CheckResult;
  readonly files?: FileCounts;
}

/** `limit`: a limit stopped it. `interrupted`: its process was killed. */
export type AttemptOutcome = "done" | "failed" | "stopped" | "limit" | "interrupted";

export interface FileCounts {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

/** The beginning of an attempt's branch. */
export interface AttemptStart extends AttemptData {
  readonly entryId: EntryId;
  /** What was tried. */
  readonly tryId: EntryId;
  readonly timestamp: string;
}

/** The data of a record of one of these types; undefined for every other entry, and for newer versions. */
export function recordOf(entry: SessionEntry, customType: string): Readonly<Record<string, unknown>> | undefined {
  if (entry.type !== "custom" || entry.customType !== customType) return undefined;
  const { data } = entry;
  return isRecord(data) && data.v === 1 ? data : undefined;
}

/** Every attempt of a session, oldest first. */
export function attemptStarts(session: SessionManager): readonly AttemptStart[] {
  const { tree, entryAt } = session.getSource();
  const found: AttemptStart[] = [];
  for (let n = 0; n < tree.count; n++) {
    if (tree.kindOf(n) !== Kind.custom) continue;
    const entry = entryAt(n);
    const data = recordOf(entry, ATTEMPT_TYPE);
    if (data === undefined || entry.parentId === null) continue;
    const { name, number, driver, model } = data;
    if (typeof name !== "string" || typeof number !== "number" || typeof driver !== "string") continue;
    found.push({
      v: 1,
      ...{ name, number, driver, entryId: entry.id, tryId: entry.parentId, timestamp: entry.timestamp },
      ...(typeof model === "string" ? { model } : {}),
    });
  }
  return found;
}

/** Names that no attempt of the session has. */
export function newNames(session: SessionManager, count: number): readonly string[] {
  let last = 0;
  for (const { name } of attemptStarts(session)) last = Math.max(last, Number(/^attempt-(\d+)$/.exec(name)?.[1] ?? 0));
  return Array.from({ length: count }, (_, n) => `attempt-${last + n + 1}`);
}

/** What is tried at an entry; undefined if it is no such entry. */
export function tryAt(session: SessionManager, id: EntryId): TryData | undefined {
  const entry = session.getEntry(id);
  const data = entry && recordOf(entry, TRY_TYPE);
  if (data === undefined || typeof data.prompt !== "string" || typeof data.count !== "number") return undefined;
  const { prompt, count, check } = data;
  return { v: 1, prompt, count, ...(typeof check === "string" ? { check } : {}) };
}
