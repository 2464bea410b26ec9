/** Entries that all readers create in the same way: stable IDs, notes, positions, sub-agents. */
import { createHash } from "node:crypto";
import {
  type CustomEntry,
  type EntryBase,
  type EntryId,
  kindOf,
  POSITION_TYPE,
  type SessionEntry,
} from "@bough/session/entry/index.js";
import { SUBAGENT_PROMPT_TYPE, SUBAGENT_TYPE } from "@bough/session/entry/internal.js";
import { isRecord } from "@bough/session/text/index.js";
import { isConversation } from "@bough/session/tree/index.js";
import type { AgentName } from "./contract.js";

/** The `customType` of a record without an equivalent in Bough. */
export const NOTE_TYPE = "bough.import";

export { SUBAGENT_TYPE };

/** A stable entry ID, derived from what identifies the record: pass the session's ID and the record's own. */
export function foreignId(...parts: readonly (string | number)[]): EntryId {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 12);
}

/** A stable UUID for the header of an imported session. */
export function foreignSessionId(agent: AgentName, id: string): string {
  const hex = createHash("sha256")
    .update(JSON.stringify([agent, id]))
    .digest("hex");
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export type Place = Omit<EntryBase, "type">;

export interface NoteData {
  readonly agent: AgentName;
  /** The record's own type. */
  readonly type: string;
  readonly line: number;
  /** The original record; a string if it is not JSON. */
  readonly record: unknown;
}

export function noteEntry(place: Place, data: NoteData): CustomEntry<NoteData> {
  return { type: "custom", ...place, customType: NOTE_TYPE, data };
}

/** Whether an entry holds a record without an equivalent in Bough. */
export function isNote(entry: SessionEntry): entry is CustomEntry<NoteData> & { readonly data: NoteData } {
  return entry.type === "custom" && entry.customType === NOTE_TYPE && isRecord(entry.data);
}

export interface SubagentData {
  readonly agent: AgentName;
  /** The sub-agent's ID in its own program. */
  readonly agentId: string;
  /**
   * The call that started it, and the entry of that call. The call's result refers to this entry in `details.subagent`.
   */
  readonly toolCallId: string | undefined;
  readonly callEntryId: EntryId | undefined;
  /** Other data that the program recorded about it. */
  readonly meta?: unknown;
}

export function subagentEntry(place: Place, data: SubagentData): CustomEntry<SubagentData> {
  return { type: "custom", ...place, customType: SUBAGENT_TYPE, data };
}

/** Marks prompts in a sub-agent's conversation, which are not the user's and do not count as turns. */
export function subagentTalk<Entry extends SessionEntry>(entry: Entry): SessionEntry {
  if (entry.type !== "message" || entry.message.role !== "user") return entry;
  const { message, type: _type, ...rest } = entry;
  const { content } = message;
  // `type` comes first, as in every line of a session.
  return { type: "custom_message", ...rest, customType: SUBAGENT_PROMPT_TYPE, content, display: true };
}

/** Records where the leaf is. `seed` makes the ID unique among positions of a source: its ID and record count. */
export function positionEntry(parentId: EntryId | null, timestamp: string, seed: string): CustomEntry {
  return {
    type: "custom",
    id: foreignId("position", seed, parentId ?? ""),
    parentId,
    timestamp,
    customType: POSITION_TYPE,
  };
}

/** Whether an entry is part of the conversation, so that loading a session moves the leaf there. */
export function isConversationEntry(entry: SessionEntry): boolean {
  return isConversation(kindOf(entry));
}
