/** The parts of the original response items that an entry keeps besides its message. */
import { defined, isRecord } from "@bough/session/text/index.js";
import type { JsonObject, RolloutRecord } from "./rollout-record.js";

/** One record; `item` is its payload without the fields that the message already contains. */
export interface OriginItem {
  readonly time?: string;
  readonly item: JsonObject;
  /** Number of message blocks that came from it. */
  readonly blocks: number;
  readonly metadata?: unknown;
}

export interface CodexOrigin {
  readonly agent: "codex";
  readonly items: readonly OriginItem[];
  /** The items come from the new history of a compaction, not from lines of their own. */
  readonly kept?: true;
}

export function originFor<Items extends readonly OriginItem[]>(record: RolloutRecord, items: Items) {
  return { agent: "codex" as const, items, ...(record.within === undefined ? {} : { kept: true as const }) };
}

interface OriginFacts {
  /** Whether the entry's blocks represent every part of the content or output. */
  readonly whole?: boolean;
  /** Other fields of the item that the entry already contains. */
  readonly said?: readonly string[];
  readonly blocks: number;
}

export function originItem(record: RolloutRecord, { whole = false, said = [], blocks }: OriginFacts): OriginItem {
  const item: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(record.payload)) {
    if (said.includes(key)) continue;
    if (!whole || (key !== "content" && key !== "output")) item[key] = value;
    // Keep each part without its text, so that writing it back knows its type. A plain string needs nothing.
    else if (Array.isArray(value)) item[key] = value.map(frameOf);
  }
  if (record.kind === "message") item.type = "message";
  const { metadata } = record.whole;
  return {
    ...defined({ time: record.time }),
    item,
    blocks,
    // In the oldest format, the record is the item itself.
    ...(metadata === undefined || record.whole === record.payload ? {} : { metadata }),
  };
}

function frameOf(part: unknown): unknown {
  if (!isRecord(part)) return part;
  const { text: _text, image_url: _image, ...frame } = part;
  return frame;
}

export function originOf(entry: unknown): CodexOrigin | undefined {
  const origin = isRecord(entry) ? entry.origin : undefined;
  if (!isRecord(origin) || origin.agent !== "codex" || !Array.isArray(origin.items)) return undefined;
  return origin.items.every((item) => isRecord(item) && isRecord(item.item))
    ? (origin as unknown as CodexOrigin)
    : undefined;
}
