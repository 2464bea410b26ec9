/** The common interface of opencode's three storage formats: sessions, messages, parts. */
import { isRecord } from "@bough/session/text/index.js";
import { stringIn } from "../foreign-lines.js";

export type JsonObject = Readonly<Record<string, unknown>>;

/** A row, a file, or an object inside one. */
export interface StoredRecord {
  readonly file: string;
  /** Line, row or message number, 1-based. */
  readonly line: number;
  /** Undefined if it is not a JSON object. */
  readonly value: JsonObject | undefined;
}

export interface StoredMessage extends StoredRecord {
  readonly id: string;
  readonly parts: readonly StoredPart[];
}

export interface StoredPart extends StoredRecord {
  readonly id: string;
  /** True if it is inside the record of its message, and must not be counted separately. */
  readonly inside?: boolean;
}

export interface StoredRow extends StoredRecord {
  readonly id: string;
  readonly type: string;
}

export interface SessionStore {
  /** All sessions, including those of sub-agents. */
  sessions(): readonly StoredRecord[];
  /** Messages in order, one at a time, since a session can be large. */
  messages(sessionId: string): Iterable<StoredMessage>;
  /** Messages in the newer data model, each in a single row with a type. */
  rows(sessionId: string): Iterable<StoredRow>;
  close(): void;
}

export function sessionIdOf(record: StoredRecord): string {
  return stringIn(record.value?.id) ?? "";
}

/** The latest valid time of a `Date`. */
const LAST_TIME = 8.64e15;

export function timeOf(value: JsonObject | undefined, key: string): number | undefined {
  const time = isRecord(value?.time) ? value.time[key] : undefined;
  return typeof time === "number" && Math.abs(time) <= LAST_TIME ? time : undefined;
}

/** Sorts by time, then by ID as text. */
export function inOrder(a: StoredMessage, b: StoredMessage): number {
  const byTime = (timeOf(a.value, "created") ?? 0) - (timeOf(b.value, "created") ?? 0);
  return byTime !== 0 ? byTime : compareText(a.id, b.id);
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
