/** Makes call IDs unique: some local servers name every call `call_0`, which other agents take for a single call. */
import type { AssistantMessage, SessionEntry, ToolResultMessage } from "@bough/session/entry/index.js";
import type { EntryPath } from "@bough/session/session/index.js";
import { pickedPath } from "./picked-path.js";

/** Providers accept IDs of up to 64 characters; this leaves room for a number. */
const LONGEST_START = 56;

/** If several answers use an ID, later ones and their results get a number. Otherwise returns the same path. */
export function withOwnCallIds(path: EntryPath): EntryPath {
  const renamed = renamedIds(path);
  if (renamed.size === 0) return path;
  const places = Array.from({ length: path.length }, (_, place) => place);
  return pickedPath(path, places, (entry) => withIds(entry, renamed.get(entry.id)));
}

/** For each entry, the new names of its call IDs. */
function renamedIds(path: EntryPath): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const renamed = new Map<string, ReadonlyMap<string, string>>();
  /** The answer that uses each ID. */
  const owners = new Map<string, string>();
  const latest = new Map<string, string>();
  for (const entry of path) {
    const own = new Map<string, string>();
    for (const { id } of callsOf(entry)) {
      let free = id;
      for (let number = 2; (owners.get(free) ?? entry.id) !== entry.id; number++) free = numbered(id, number);
      owners.set(free, entry.id);
      latest.set(id, free);
      if (free !== id) own.set(id, free);
    }
    const answered = resultOf(entry)?.toolCallId;
    const given = answered === undefined ? undefined : latest.get(answered);
    if (answered !== undefined && given !== undefined && given !== answered) own.set(answered, given);
    if (own.size > 0) renamed.set(entry.id, own);
  }
  return renamed;
}

/** Keeps the part after `|`, which is the provider's own ID of the item. */
function numbered(id: string, number: number): string {
  const [start = "", ...rest] = id.split("|");
  return [`${start.slice(0, LONGEST_START)}_${number}`, ...rest].join("|");
}

function withIds(entry: SessionEntry, ids: ReadonlyMap<string, string> | undefined): SessionEntry {
  if (ids === undefined || entry.type !== "message") return entry;
  const result = resultOf(entry);
  if (result !== undefined) {
    return { ...entry, message: { ...result, toolCallId: ids.get(result.toolCallId) ?? result.toolCallId } };
  }
  const message = entry.message as AssistantMessage;
  const content = message.content.map((block) =>
    block.type === "toolCall" ? { ...block, id: ids.get(block.id) ?? block.id } : block,
  );
  return { ...entry, message: { ...message, content } };
}

function callsOf(entry: SessionEntry): readonly { readonly id: string }[] {
  if (entry.type !== "message" || entry.message.role !== "assistant") return [];
  const { content } = entry.message as AssistantMessage;
  if (!Array.isArray(content)) return [];
  return content.flatMap((block) => (block?.type === "toolCall" && typeof block.id === "string" ? [block] : []));
}

function resultOf(entry: SessionEntry): ToolResultMessage | undefined {
  if (entry.type !== "message" || entry.message.role !== "toolResult") return undefined;
  const result = entry.message as ToolResultMessage;
  return typeof result.toolCallId === "string" ? result : undefined;
}
