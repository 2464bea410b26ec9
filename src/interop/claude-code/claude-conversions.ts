/** Entries that came from anywhere else, as the smallest records Claude Code resumes. */
import { entryMessage, toModelInput } from "../../context/index.js";
import type { AssistantMessage, CompactionEntry, SessionEntry, ToolResultMessage } from "../../entry/index.js";
import { toAssistantContent, toResultBlock, toUsage, toUserContent } from "./claude-blocks.js";
import type { JsonObject } from "./claude-record.js";
import type { ClaudeTranscript } from "./claude-transcript.js";

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
      transcript.lose(entry.id, entry.type, "left out; it is not part of what was said");
      return;
    case "custom":
      if (!entry.customType.startsWith("bough."))
        transcript.lose(entry.id, entry.customType, "left out: state of an extension");
      return;
    case "context_edit":
      transcript.lose(entry.id, "an edit of the context", "written as it was shown to the model");
      return;
    case "unreadable":
      transcript.lose(entry.id, "an entry that cannot be read", "left out");
      return;
    default:
      transcript.lose((entry as SessionEntry).id, (entry as SessionEntry).type, "left out: a type nobody knows here");
  }
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

function userRecord(entry: SessionEntry, content: string | JsonObject[]): JsonObject {
  return { type: "user", userType: "external", timestamp: entry.timestamp, message: { role: "user", content } };
}

function addAnswer(transcript: ClaudeTranscript, entry: SessionEntry, message: AssistantMessage): void {
  const isOwn = message.provider === "anthropic";
  const blocks = message.content.filter((block) => {
    if (block.type === "text") return block.text.trim() !== "";
    if (block.type !== "thinking") return true;
    // The provider checks the signature, and refuses thinking that it did not sign.
    return isOwn && block.thinkingSignature !== undefined;
  });
  if (message.content.some((block) => block.type === "thinking" && !blocks.includes(block))) {
    transcript.lose(entry.id, "reasoning without a signature of Anthropic", "left out");
  }
  const says = blocks.some((block) => block.type !== "thinking");
  if (!says) {
    transcript.lose(entry.id, `an answer that says nothing (${message.stopReason})`, "left out");
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
      model: message.model,
      content: toAssistantContent(blocks),
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
  const caller = transcript.recordOfCall(message.toolCallId);
  if (caller === undefined) {
    transcript.lose(entry.id, "a result without its call", "left out; a provider refuses it");
    return;
  }
  const record = userRecord(entry, [toResultBlock(message)]);
  transcript.push(entry.id, { ...record, sourceToolAssistantUUID: caller });
}

/** What is shown to the model as the user's words, as the model is shown it. */
function addText(transcript: ClaudeTranscript, entry: SessionEntry): void {
  const message = entryMessage(entry);
  const inputs = message === null ? [] : toModelInput([message], { provider: "anthropic" });
  for (const input of inputs) {
    if (input.role === "user") transcript.push(entry.id, userRecord(entry, toUserContent(input.content)));
  }
  transcript.lose(
    entry.id,
    nameOf(entry),
    inputs.length === 0 ? "left out: it is not shown to the model" : "written as words of the user",
  );
}

function nameOf(entry: SessionEntry): string {
  return entry.type === "message" ? entry.message.role : entry.type;
}

/** A boundary that starts the chain anew, and the summary below it; the records it keeps are named, not written again. */
function addCompaction(transcript: ClaudeTranscript, entry: CompactionEntry): void {
  const last = transcript.last;
  const kept = entry.firstKeptEntryId === undefined ? [] : transcript.uuidsFrom(entry.firstKeptEntryId);
  const boundary = transcript.newId();
  const summary = transcript.newId();
  const head = kept[0];
  const preserved =
    head === undefined
      ? {}
      : {
          preservedSegment: { headUuid: head, anchorUuid: summary, tailUuid: kept.at(-1) },
          preservedMessages: { anchorUuid: summary, uuids: kept, allUuids: kept },
        };
  transcript.push(
    entry.id,
    {
      type: "system",
      subtype: "compact_boundary",
      content: "Conversation compacted",
      level: "info",
      isMeta: false,
      uuid: boundary,
      timestamp: entry.timestamp,
      ...(last === undefined ? {} : { logicalParentUuid: last }),
      compactMetadata: { trigger: "manual", preTokens: entry.tokensBefore, ...preserved },
    },
    null,
  );
  const record = userRecord(entry, entry.summary);
  transcript.push(
    entry.id,
    { ...record, uuid: summary, isCompactSummary: true, isVisibleInTranscriptOnly: true },
    boundary,
  );
}
