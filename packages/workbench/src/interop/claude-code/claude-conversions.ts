/** Writes entries that did not come from Claude Code as minimal records that it can resume. */
import { entryMessage, toModelInput } from "@bough/session/context/index.js";
import type {
  AssistantBlock,
  AssistantMessage,
  ContextEditEntry,
  SessionEntry,
  ToolResultMessage,
} from "@bough/session/entry/index.js";
import { UNKNOWN_EDIT } from "../conversion/path-losses.js";
import { stringIn } from "../foreign-lines.js";
import { isEdit } from "../import/edited-entries.js";
import { toAssistantContent, toResultBlock, toUsage, toUserContent } from "./claude-blocks.js";
import { addCompaction } from "./claude-compaction.js";
import { type ClaudeTranscript, userRecord } from "./claude-transcript.js";

export function addConverted(transcript: ClaudeTranscript, entry: SessionEntry): void {
  switch (entry.type) {
    case "message":
      addMessage(transcript, entry);
      return;
    case "compaction":
      addCompaction(transcript, entry);
      return;
    case "branch_summary":
    case "custom_message":
      addText(transcript, entry);
      return;
    case "session_info":
      if (typeof entry.name === "string" && entry.name.trim() !== "") transcript.name(entry.name);
      return;
    case "model_change":
    case "thinking_level_change":
    case "mode_change":
    case "ttsr_injection":
    case "usage":
    case "label":
      transcript.lose(entry.id, nameOf(entry), "left out; not part of the conversation");
      return;
    case "custom":
      if (!entry.customType.startsWith("bough."))
        transcript.lose(entry.id, entry.customType, "left out: state of an extension");
      return;
    case "context_edit":
      addEditLoss(transcript, entry);
      return;
    case "unreadable":
      transcript.lose(entry.id, "an entry that cannot be read", "left out");
      return;
    default:
      transcript.lose((entry as SessionEntry).id, (entry as SessionEntry).type, "left out: unknown type");
  }
}

function addEditLoss(transcript: ClaudeTranscript, edit: ContextEditEntry): void {
  const { id } = edit;
  if (isEdit(edit)) transcript.lose(id, "a context edit", "written as the model saw it");
  else transcript.lose(id, UNKNOWN_EDIT.what, UNKNOWN_EDIT.effect);
}

function addMessage(transcript: ClaudeTranscript, entry: Extract<SessionEntry, { type: "message" }>): void {
  const { message } = entry;
  switch (message.role) {
    case "user": {
      const content = toUserContent(message.content);
      if (content.length > 0) transcript.push(entry.id, userRecord(entry, content));
      return;
    }
    case "assistant":
      addAnswer(transcript, entry, message);
      return;
    case "toolResult":
      addResult(transcript, entry, message);
      return;
    case "system":
      transcript.lose(entry.id, "a system message", "left out; the program has its own");
      return;
    default:
      addText(transcript, entry);
  }
}

function addAnswer(transcript: ClaudeTranscript, entry: SessionEntry, message: AssistantMessage): void {
  const isOwn = message.provider === "anthropic";
  const blocks = message.content.filter((block) => {
    if (block.type === "text") return block.text.trim() !== "";
    if (block.type !== "thinking") return true;
    // The provider verifies signatures and rejects thinking that it did not sign.
    return isOwn && block.thinkingSignature !== undefined;
  });
  if (message.content.some((block) => block.type === "thinking" && !blocks.includes(block))) {
    transcript.lose(entry.id, "thinking not signed by Anthropic", "left out");
  }
  const says = blocks.some((block) => block.type !== "thinking");
  if (!says) {
    transcript.lose(
      entry.id,
      message.stopReason === "error" ? "a failed answer" : `an empty answer (${message.stopReason})`,
      "left out",
    );
    return;
  }
  const id = message.responseId ?? `msg_${transcript.newId().replace(/-/g, "")}`;
  transcript.push(entry.id, {
    type: "assistant",
    userType: "external",
    timestamp: entry.timestamp,
    message: {
      id,
      type: "message",
      role: "assistant",
      // Other programs' sessions may lack it, and version 2.1.197 does not start if an answer has none.
      model: stringIn(message.model) ?? "unknown",
      content: toAssistantContent(blocks.map(withPlainNames)),
      stop_reason: stopReason(message),
      stop_sequence: null,
      usage: toUsage(message.usage),
    },
  });
}

function stopReason({ stopReason: reason }: AssistantMessage): string {
  if (reason === "toolUse") return "tool_use";
  return reason === "length" ? "max_tokens" : "end_turn";
}

function addResult(transcript: ClaudeTranscript, entry: SessionEntry, message: ToolResultMessage): void {
  const call = writtenCall(transcript, message);
  if (call === undefined) {
    transcript.lose(entry.id, "a tool result without its call", "left out; providers reject it");
    return;
  }
  const record = userRecord(entry, [toResultBlock({ ...message, toolCallId: call.id })]);
  transcript.push(entry.id, { ...record, sourceToolAssistantUUID: call.uuid });
}

/**
 * Adds a result for a call that never got one, below the record with the call. A record that already has that parent
 * becomes its sibling, as with results of parallel calls; Claude Code finds both.
 */
export function addMadeResult(transcript: ClaudeTranscript, entry: SessionEntry): void {
  if (entry.type !== "message" || entry.message.role !== "toolResult") return;
  const call = writtenCall(transcript, entry.message);
  // The answer was not written, so no result is needed.
  if (call === undefined) return;
  const record = userRecord(entry, [toResultBlock({ ...entry.message, toolCallId: call.id })]);
  transcript.push(entry.id, { ...record, sourceToolAssistantUUID: call.uuid }, call.uuid);
  transcript.lose(entry.id, "a call without a result", "written with a result that says it was interrupted");
}

/** The record that contains a call, and the call's ID there: the original one in Claude Code's own records. */
function writtenCall(transcript: ClaudeTranscript, { toolCallId }: ToolResultMessage) {
  for (const id of [toolCallId, plainName(toolCallId, LONGEST_ID)]) {
    const uuid = transcript.recordOfCall(id);
    if (uuid !== undefined) return { id, uuid };
  }
  return undefined;
}

const LONGEST_ID = 64;
const LONGEST_NAME = 128;

/** The provider rejects call IDs and tool names with other characters, and Claude Code sends them unchanged. */
function withPlainNames(block: AssistantBlock): AssistantBlock {
  if (block.type !== "toolCall") return block;
  return { ...block, id: plainName(block.id, LONGEST_ID), name: plainName(block.name, LONGEST_NAME) };
}

function plainName(word: string, longest: number): string {
  return word.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, longest);
}

/** Adds an entry that the model sees as a user message, with the text that the model sees. */
function addText(transcript: ClaudeTranscript, entry: SessionEntry): void {
  const message = entryMessage(entry);
  const inputs = message === null ? [] : toModelInput([message], { provider: "anthropic" });
  // Hidden messages stay hidden: with `isMeta`, Claude Code sends them to the model without treating them as prompts.
  const isHidden = entry.type === "custom_message" && entry.display === false;
  for (const input of inputs) {
    if (input.role !== "user") continue;
    const record = userRecord(entry, toUserContent(input.content));
    transcript.push(entry.id, isHidden ? { ...record, isMeta: true } : record);
  }
  const written = isHidden ? "written as a hidden message" : "written as a user message";
  transcript.lose(entry.id, nameOf(entry), inputs.length === 0 ? "left out; the model does not see it" : written);
}

/** Readable names of entry types. */
const NAMES: Readonly<Partial<Record<SessionEntry["type"], string>>> = {
  model_change: "a settings change",
  thinking_level_change: "a settings change",
  mode_change: "a settings change",
  usage: "a token-usage record",
  label: "a label",
  branch_summary: "a branch summary",
};

function nameOf(entry: SessionEntry): string {
  if (entry.type === "custom_message") return `a message of type ${entry.customType}`;
  if (entry.type !== "message") return NAMES[entry.type] ?? entry.type;
  return entry.message.role === "bashExecution" ? "a command the user ran" : entry.message.role;
}
