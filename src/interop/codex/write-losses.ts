/** What a rollout has no place for. */
import type { SessionEntry } from "../../entry/index.js";
import { originOf } from "./codex-origin.js";

interface Loss {
  readonly what: string;
  readonly effect: string;
}

export const NAME_LOSS: Loss = {
  what: "the name of the session",
  effect: "not written; Codex keeps names in a file of its own",
};

const NOT_TOLD = "not written; the model was never shown it";

/** Undefined where the rollout says what the entry says. */
export function lossOf(entry: SessionEntry): Loss | undefined {
  switch (entry.type) {
    case "message":
      return messageLoss(entry);
    case "custom_message":
      if (originOf(entry) !== undefined) return undefined;
      return { what: `a message of kind ${entry.customType}`, effect: "becomes a message of the user" };
    case "branch_summary":
      return { what: "a branch summary", effect: "becomes a message of the user" };
    case "compaction":
    case "context_edit":
      return undefined;
    case "model_change":
    case "thinking_level_change":
    case "mode_change":
      return { what: "a change of settings", effect: "not written; Codex goes on with its own settings" };
    case "custom":
      return customLoss(entry.customType);
    case "label":
      return { what: "a label", effect: NOT_TOLD };
    case "session_info":
      return NAME_LOSS;
    case "usage":
      return { what: "a record of tokens", effect: NOT_TOLD };
    default:
      return { what: `an entry of type ${entry.type}`, effect: NOT_TOLD };
  }
}

/** Notes about the import, positions and the like are Bough's own bookkeeping. */
function customLoss(customType: string): Loss | undefined {
  if (customType.startsWith("bough.")) return undefined;
  return { what: `extension state ${customType}`, effect: NOT_TOLD };
}

function messageLoss(entry: Extract<SessionEntry, { type: "message" }>): Loss | undefined {
  const { message } = entry;
  const fromCodex = originOf(entry) !== undefined;
  if (message.role === "toolResult") {
    if (!message.isError || fromCodex) return undefined;
    return { what: "that a result is an error", effect: "only its text says so: Codex has no such mark" };
  }
  if (message.role === "bashExecution" && !fromCodex) {
    return { what: "a command the user ran", effect: "becomes a message of the user" };
  }
  if (message.role !== "assistant" || fromCodex) return undefined;
  const signed = message.content.some(
    (block) => block.type === "thinking" && isForeignSignature(block.thinkingSignature),
  );
  if (signed) return { what: "the signature of thinking", effect: "its text is written as a summary of reasoning" };
  return message.content.length === 0 ? { what: "an answer without content", effect: NOT_TOLD } : undefined;
}

function isForeignSignature(signature: string | undefined): boolean {
  return signature !== undefined && !signature.startsWith('{"type":"reasoning"');
}
