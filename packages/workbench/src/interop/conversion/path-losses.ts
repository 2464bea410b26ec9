/** What programs without a tree cannot store. */
import type { SessionEntry } from "@bough/session/entry/index.js";
import { isEdit } from "../import/edited-entries.js";

/** The target program of a written path. */
export interface Program {
  /** Its display name. */
  readonly title: string;
  /** The provider whose thinking signatures it sends back. Undefined: each provider's own. */
  readonly signs?: string;
  /** Whether it stores session names. */
  readonly names: "kept" | "not-kept";
}

export interface Loss {
  readonly what: string;
  readonly effect: string;
}

/** Reported for every program, since the edit may have been meant to remove something confidential. */
export const UNKNOWN_EDIT: Loss = {
  what: "an unknown kind of context edit",
  effect: "not applied; its target is written unchanged",
};

const NOT_SHOWN = "not written; the model never saw it";
const AS_USER = "written as a user message";

/** Undefined if the program can store the contents of the entry. */
export function pathLoss(entry: SessionEntry, program: Program): Loss | undefined {
  switch (entry.type) {
    case "message":
      return messageLoss(entry, program);
    case "custom_message":
      return { what: `a message of type ${entry.customType}`, effect: AS_USER };
    case "branch_summary":
      return { what: "a branch summary", effect: AS_USER };
    case "compaction":
      return undefined;
    case "context_edit":
      return isEdit(entry) ? undefined : UNKNOWN_EDIT;
    case "model_change":
    case "thinking_level_change":
    case "mode_change":
      return { what: "a settings change", effect: `not written; ${program.title} uses its own settings` };
    case "custom":
      // Import notes, positions and the like are Bough's own bookkeeping.
      if (entry.customType.startsWith("bough.")) return undefined;
      return { what: `extension state ${entry.customType}`, effect: NOT_SHOWN };
    case "label":
      return { what: "a label", effect: NOT_SHOWN };
    case "session_info":
      return program.names === "kept" ? undefined : { what: "the session name", effect: "not written" };
    case "usage":
      return { what: "a token-usage record", effect: NOT_SHOWN };
    default:
      return { what: `an entry of type ${entry.type}`, effect: NOT_SHOWN };
  }
}

function messageLoss({ message }: Extract<SessionEntry, { type: "message" }>, { signs }: Program): Loss | undefined {
  if (message.role === "bashExecution") {
    if (message.excludeFromContext === true) return { what: "a command the user ran", effect: NOT_SHOWN };
    return { what: "a command the user ran", effect: AS_USER };
  }
  if (message.role !== "assistant" || !Array.isArray(message.content)) return undefined;
  if (message.content.length === 0) {
    return { what: message.stopReason === "error" ? "a failed answer" : "an empty answer", effect: NOT_SHOWN };
  }
  const isSigned = message.content.some((block) => block.type === "thinking" && block.thinkingSignature !== undefined);
  if (!isSigned || signs === undefined || message.provider === signs) return undefined;
  return { what: "a thinking signature", effect: "the thinking is written without it" };
}
