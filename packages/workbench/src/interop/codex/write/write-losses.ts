/** What a rollout cannot store, in addition to what no program without a tree can store. */
import type { SessionEntry } from "@bough/session/entry/index.js";
import { type Loss, type Program, pathLoss } from "../../conversion/path-losses.js";
import { originOf } from "../codex-origin.js";

const CODEX: Program = { title: "Codex", names: "not-kept" };

export const NAME_LOSS: Loss = {
  what: "the session name",
  effect: "not written; Codex keeps names in a file of its own",
};

/** Undefined if the rollout can store the entry completely. */
export function lossOf(entry: SessionEntry): Loss | undefined {
  if (entry.type === "session_info") return NAME_LOSS;
  // Entries from Codex are written back unchanged.
  if ((entry.type === "message" || entry.type === "custom_message") && originOf(entry) !== undefined) return undefined;
  return (entry.type === "message" ? messageLoss(entry) : undefined) ?? pathLoss(entry, CODEX);
}

function messageLoss({ message }: Extract<SessionEntry, { type: "message" }>): Loss | undefined {
  if (message.role === "toolResult" && message.isError) {
    return { what: "the error flag of a result", effect: "not written; Codex has no such flag" };
  }
  if (message.role !== "assistant") return undefined;
  const signed = message.content.some(
    (block) => block.type === "thinking" && isForeignSignature(block.thinkingSignature),
  );
  if (!signed) return undefined;
  return { what: "a thinking signature", effect: "the thinking is written as a reasoning summary" };
}

function isForeignSignature(signature: string | undefined): boolean {
  return signature !== undefined && !signature.startsWith('{"type":"reasoning"');
}
