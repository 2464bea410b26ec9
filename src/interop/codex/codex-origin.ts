/** What an entry keeps of the response items it was made of, beside what its message says. */
import { isObject } from "../foreign-lines.js";
import type { JsonObject, RolloutRecord } from "./rollout-record.js";

/** One record; `item` is its payload without the fields the entry's message already has. */
export interface OriginItem {
  readonly time?: string;
  readonly item: JsonObject;
  /** How many blocks of the message it gave. */
  readonly blocks: number;
  readonly metadata?: unknown;
}

export interface CodexOrigin {
  readonly agent: "codex";
  readonly items: readonly OriginItem[];
}

export function originItem(record: RolloutRecord, said: readonly string[], blocks: number): OriginItem {
  const item = Object.fromEntries(Object.entries(record.payload).filter(([key]) => !said.includes(key)));
  const { metadata } = record.whole;
  return {
    ...(record.time === undefined ? {} : { time: record.time }),
    item: record.kind === "message" && item.type === undefined ? { ...item, type: "message" } : item,
    blocks,
    // In the bare era the record is the item itself.
    ...(metadata === undefined || record.whole === record.payload ? {} : { metadata }),
  };
}

export function originOf(entry: unknown): CodexOrigin | undefined {
  const origin = isObject(entry) ? entry.origin : undefined;
  if (!isObject(origin) || origin.agent !== "codex" || !Array.isArray(origin.items)) return undefined;
  return origin.items.every((item) => isObject(item) && isObject(item.item)) ? (origin as unknown as CodexOrigin) : undefined;
}
