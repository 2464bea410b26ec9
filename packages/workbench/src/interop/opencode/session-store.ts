/** What the three ways opencode keeps sessions have in common: a session, its messages, their parts. */
import { isRecord } from "@bough/session/text/index.js";
import { stringIn } from "../foreign-lines.js";

export type JsonObject = Readonly<Record<string, unknown>>;

/** A row, a file, or an object inside one. */
export interface StoredRecord {
  readonly file: string;
  /** Line, row or message number. First is 1. */
  readonly line: number;
  /** Undefined if it is not a JSON object. */
  readonly value: JsonObject | undefined;
}

export interface StoredMessage extends StoredRecord {
  readonly id: string;
  /** In their order. */
  readonly parts: readonly StoredPart[];
}

export interface StoredPart extends StoredRecord {
  readonly id: string;
  /** It is inside the record of its message, and is not counted apart. */
  readonly inside?: boolean;
}

export interface StoredRow extends StoredRecord {
  readonly id: string;
  readonly type: string;
}

export interface SessionStore {
  /** All sessions, those of sub-agents too. */
  sessions(): readonly StoredRecord[];
  /** In their order, one at a time: a session may be large. */
  messages(sessionId: string): Iterable<StoredMessage>;
  /** Messages as a newer model keeps them, each whole in one row with a type. */
  rows(sessionId: string): Iterable<StoredRow>;
  close(): void;
}

export function sessionIdOf(record: StoredRecord): string {
  return stringIn(record.value?.id) ?? "";
}

/** The latest date there can be; `new Date` is invalid beyond it. */
const LAST_TIME = 8.64e15;

export function timeOf(value: JsonObject | undefined, key: string): number | undefined {
  const time = isRecord(value?.time) ? value.time[key] : undefined;
  return typeof time === "number" && Math.abs(time) <= LAST_TIME ? time : undefined;
}

/** Ids sort as text; the times of messages come first. */
export function inOrder(a: StoredMessage, b: StoredMessage): number {
  const byTime = (timeOf(a.value, "created") ?? 0) - (timeOf(b.value, "created") ?? 0);
  return byTime !== 0 ? byTime : compareText(a.id, b.id);
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
