/** What a rollout has no place for, next to what no program without a tree has a place for. */
import type { SessionEntry } from "@bough/session/entry/index.js";
import { type Loss, type Program, pathLoss } from "../../conversion/path-losses.js";
import { originOf } from "../codex-origin.js";

const CODEX: Program = { title: "Codex", names: "not-kept" };

export const NAME_LOSS: Loss = {
  what: "the name of the session",
  effect: "not written; Codex keeps names in a file of its own",
};

/** Undefined if the rollout says what the entry says. */
export function lossOf(entry: SessionEntry): Loss | undefined {
  if (entry.type === "session_info") return NAME_LOSS;
  // What came from Codex goes back as it was.
  if ((entry.type === "message" || entry.type === "custom_message") && originOf(entry) !== undefined) return undefined;
  return (entry.type === "message" ? messageLoss(entry) : undefined) ?? pathLoss(entry, CODEX);
}

function messageLoss({ message }: Extract<SessionEntry, { type: "message" }>): Loss | undefined {
  if (message.role === "toolResult" && message.isError) {
    return { what: "that a result is an error", effect: "only its text says so: Codex has no such mark" };
  }
  if (message.role !== "assistant") return undefined;
  const signed = message.content.some(
    (block) => block.type === "thinking" && isForeignSignature(block.thinkingSignature),
  );
  if (!signed) return undefined;
  return { what: "the signature of thinking", effect: "its text is written as a summary of reasoning" };
}

function isForeignSignature(signature: string | undefined): boolean {
  return signature !== undefined && !signature.startsWith('{"type":"reasoning"');
}
