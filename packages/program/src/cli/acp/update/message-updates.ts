/** Converts messages to updates, with the entry they are in. */
import type { ContentBlock, SessionUpdate } from "@agentclientprotocol/sdk/unstable";
import type { EntryId, UserContent } from "@bough/session/entry/index.js";

type Speaker = "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk";

/** `_meta.bough`: lets a client refer to an entry, for example to fork there. */
export function entryMeta(entryId: EntryId, more: Readonly<Record<string, unknown>> = {}) {
  return { _meta: { bough: { entryId, ...more } } };
}

export interface Said {
  readonly as: Speaker;
  readonly messageId: string;
  readonly entryId?: EntryId;
}

export function textUpdate(text: string, { as, messageId, entryId }: Said): SessionUpdate {
  return chunk({ type: "text", text }, { as, messageId, entryId });
}

/** A prompt or an extension's message, block by block. */
export function contentUpdates(content: UserContent, said: Said): readonly SessionUpdate[] {
  if (typeof content === "string") return content === "" ? [] : [textUpdate(content, said)];
  if (!Array.isArray(content)) return [];
  return content.flatMap((block) => {
    if (block?.type === "text") return [textUpdate(String(block.text), said)];
    if (block?.type !== "image") return [];
    return [chunk({ type: "image", data: String(block.data), mimeType: String(block.mimeType) }, said)];
  });
}

function chunk(content: ContentBlock, { as, messageId, entryId }: Said): SessionUpdate {
  return { sessionUpdate: as, content, messageId, ...(entryId === undefined ? {} : entryMeta(entryId)) };
}
