import { isRecord } from "@bough/session/text/index.js";
import type { Speaker } from "./doubled-texts.js";
import type { RolloutRecord } from "./rollout-record.js";

/** The message text that an event repeats; undefined if the event is not about a message. */
export function spokenIn({ kind, payload }: RolloutRecord): { speaker: Speaker; text: string } | undefined {
  if (kind === "user_message") return spoken("user", payload.message);
  if (kind === "agent_message") return spoken("assistant", payload.message);
  if (kind === "agent_reasoning" || kind === "agent_reasoning_raw_content") return spoken("reasoning", payload.text);
  if (kind !== "item_completed" || !isRecord(payload.item)) return undefined;
  const { item } = payload;
  const texts = Array.isArray(item.content) ? item.content.flatMap((part) => (isRecord(part) ? [part.text] : [])) : [];
  const content = texts.filter((text) => typeof text === "string").join("\n");
  if (item.type === "UserMessage") return spoken("user", content);
  if (item.type === "AgentMessage") return spoken("assistant", content);
  if (item.type !== "Reasoning") return undefined;
  const summary = Array.isArray(item.summary_text) ? item.summary_text.filter((text) => typeof text === "string") : [];
  return spoken("reasoning", summary.join("\n\n"));
}

function spoken(speaker: Speaker, text: unknown): { speaker: Speaker; text: string } | undefined {
  return typeof text === "string" && text !== "" ? { speaker, text } : undefined;
}
