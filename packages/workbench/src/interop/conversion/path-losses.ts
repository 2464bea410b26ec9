/** What programs without a tree have no place for. */
import type { SessionEntry } from "@bough/session/entry/index.js";
import { isEdit } from "../import/edited-entries.js";

/** The program a path is written for. */
export interface Program {
  /** What people call it. */
  readonly title: string;
  /** Whose signatures of thinking it sends back. Undefined: of every provider, to that provider. */
  readonly signs?: string;
  /** Whether it keeps the session's name. */
  readonly names: "kept" | "not-kept";
}

export interface Loss {
  readonly what: string;
  readonly effect: string;
}

/** What it would have taken out may be what nobody should read: that is said for every program. */
export const UNKNOWN_EDIT: Loss = {
  what: "a context edit of unknown form",
  effect: "not carried out; what it would change is written as it was",
};

const NOT_SHOWN = "not written; the model was never shown it";
const AS_USER = "becomes a message of the user";

/** Undefined if the program can hold what the entry says. */
export function pathLoss(entry: SessionEntry, program: Program): Loss | undefined {
  switch (entry.type) {
    case "message":
      return messageLoss(entry, program);
    case "custom_message":
      return { what: `a message of kind ${entry.customType}`, effect: AS_USER };
    case "branch_summary":
      return { what: "a branch summary", effect: AS_USER };
    case "compaction":
      return undefined;
    case "context_edit":
      return isEdit(entry) ? undefined : UNKNOWN_EDIT;
    case "model_change":
    case "thinking_level_change":
    case "mode_change":
      return { what: "a change of settings", effect: `not written; ${program.title} uses its own settings` };
    case "custom":
      // Notes about the import, positions and the like are Bough's own bookkeeping.
      if (entry.customType.startsWith("bough.")) return undefined;
      return { what: `extension state ${entry.customType}`, effect: NOT_SHOWN };
    case "label":
      return { what: "a label", effect: NOT_SHOWN };
    case "session_info":
      return program.names === "kept" ? undefined : { what: "the name of the session", effect: "not written" };
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
  if (message.content.length === 0) return { what: "an answer without content", effect: NOT_SHOWN };
  const isSigned = message.content.some((block) => block.type === "thinking" && block.thinkingSignature !== undefined);
  if (!isSigned || signs === undefined || message.provider === signs) return undefined;
  return { what: "the signature of thinking", effect: "its text is written without it" };
}
