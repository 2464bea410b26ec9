/** What an entry keeps of the response items it was made of, next to what its message says. */
import { defined, isRecord } from "@bough/session/text/index.js";
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
  /** The items are in the new history of a compaction, and not in lines of their own. */
  readonly kept?: true;
}

export function originFor<Items extends readonly OriginItem[]>(record: RolloutRecord, items: Items) {
  return { agent: "codex" as const, items, ...(record.within === undefined ? {} : { kept: true as const }) };
}

interface OriginFacts {
  /** The blocks of the entry say the content, or the output, part by part. */
  readonly whole?: boolean;
  /** Other fields of the item that the entry says. */
  readonly said?: readonly string[];
  readonly blocks: number;
}

export function originItem(record: RolloutRecord, { whole = false, said = [], blocks }: OriginFacts): OriginItem {
  const item: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(record.payload)) {
    if (said.includes(key)) continue;
    if (!whole || (key !== "content" && key !== "output")) item[key] = value;
    // Of a list of parts the frames stay, so that the way back knows their kinds; a plain string is the block's.
    else if (Array.isArray(value)) item[key] = value.map(frameOf);
  }
  if (record.kind === "message") item.type = "message";
  const { metadata } = record.whole;
  return {
    ...defined({ time: record.time }),
    item,
    blocks,
    // In the bare era the record is the item itself.
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
