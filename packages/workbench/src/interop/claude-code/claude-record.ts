/** Classifies lines of Claude Code transcripts. There is no published schema, so any field can have any value. */
import { isRecord } from "@bough/session/text/index.js";
import { stringIn } from "../foreign-lines.js";

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * - `assistant`: one or more blocks of an answer
 * - `results`: a user record with tool results
 * - `user`: any other user record
 * - `shell`, `output`: a command that the user ran, and its output
 * - `boundary`, `summary`: the two records of a compaction
 * - `title`: a name for the session
 * - `note`: everything else
 */
export type ClaudeKind =
  | "assistant"
  | "results"
  | "user"
  | "shell"
  | "output"
  | "boundary"
  | "summary"
  | "title"
  | "note";

export function kindOfRecord(record: JsonObject): ClaudeKind {
  const message = isRecord(record.message) ? record.message : undefined;
  switch (record.type) {
    case "assistant":
      return Array.isArray(message?.content) || typeof message?.content === "string" ? "assistant" : "note";
    case "user":
      if (message === undefined) return "note";
      if (record.isCompactSummary === true) return "summary";
      if (resultIdsIn(message.content).length > 0) return "results";
      if (typeof message.content === "string") return kindOfText(message.content);
      return Array.isArray(message.content) ? "user" : "note";
    case "system":
      return record.subtype === "compact_boundary" ? "boundary" : "note";
    case "custom-title":
    case "ai-title":
    case "summary":
      return titleIn(record) === undefined ? "note" : "title";
    default:
      return "note";
  }
}

function kindOfText(text: string): ClaudeKind {
  if (text.startsWith("<bash-input>")) return "shell";
  return text.startsWith("<bash-stdout>") || text.startsWith("<bash-stderr>") ? "output" : "user";
}

/** The text inside a tag that Claude Code writes; "" if there is no such tag. */
export function taggedText(text: string, tag: string): string {
  return new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text)?.[1] ?? "";
}

/** The slash command in a text, as typed; "" if there is none. */
export function typedCommand(text: string): string {
  return [taggedText(text, "command-name"), taggedText(text, "command-args")].join(" ").trim();
}

/**
 * A command that sends a prompt to the model, as typed; undefined for any other text. For such commands Claude Code
 * writes the message tag first; for commands that it handles itself, the name tag first. A skill that the model loads
 * has no slash before its name.
 */
export function promptingCommand(text: string): string | undefined {
  const typed = /^\s*<command-message>/.test(text) ? typedCommand(text) : "";
  return typed.startsWith("/") ? typed : undefined;
}

/** The types that this reader knows. Other types are kept as notes and named in the report. */
const KNOWN_TYPES: ReadonlySet<string> = new Set([
  ...["user", "assistant", "system", "attachment", "progress", "summary", "custom-title", "ai-title", "agent-name"],
  ...["agent-setting", "last-prompt", "file-history-snapshot", "file-history-delta", "queue-operation"],
  ...["permission-mode", "mode", "worktree-state", "relocated", "pr-link", "frame-link", "bridge-session"],
  ...["atis-latch", "api-request-shape", "api-request-blob", "api-request", "tools-used", "cost-state"],
  ...["started", "result"],
]);

export function isKnownType(type: string): boolean {
  return KNOWN_TYPES.has(type);
}

/** Whether only Claude Code writes such a record. */
export function isClaudeRecord(record: JsonObject): boolean {
  if (typeof record.type !== "string" || !KNOWN_TYPES.has(record.type)) return false;
  if (record.type === "user" || record.type === "assistant") return isRecord(record.message);
  if (record.type === "summary") return typeof record.leafUuid === "string";
  return typeof record.sessionId === "string" || typeof record.messageId === "string";
}

export function titleIn(record: JsonObject): string | undefined {
  const title = stringIn(record.customTitle) ?? stringIn(record.aiTitle) ?? stringIn(record.summary);
  return title === undefined || title.trim() === "" ? undefined : title;
}

export function blocksIn(content: unknown): readonly JsonObject[] {
  return Array.isArray(content) ? content.filter(isRecord) : [];
}

/** IDs of the calls that a user record answers. */
export function resultIdsIn(content: unknown): string[] {
  return blocksIn(content).flatMap((block) =>
    block.type === "tool_result" && typeof block.tool_use_id === "string" ? [block.tool_use_id] : [],
  );
}

export interface CallSketch {
  readonly id: string;
  readonly name: string;
  /** The sub-agent's prompt, if the call starts one. */
  readonly prompt: string | undefined;
}

export function callsIn(content: unknown): CallSketch[] {
  return blocksIn(content).flatMap((block) => {
    if (block.type !== "tool_use" || typeof block.id !== "string") return [];
    const name = stringIn(block.name) ?? "unknown";
    const startsAgent = name === "Task" || name === "Agent";
    const prompt = startsAgent && isRecord(block.input) ? stringIn(block.input.prompt) : undefined;
    return [{ id: block.id, name, prompt }];
  });
}

/** The uuids that a boundary keeps in the context. */
interface Preserved {
  readonly head: string | undefined;
  readonly tail: string | undefined;
  /** In order. Claude Code uses these, and head and tail only if there are none. */
  readonly listed: readonly string[];
  readonly all: readonly string[];
}

export function preservedIn(boundary: JsonObject): Preserved {
  const metadata = isRecord(boundary.compactMetadata) ? boundary.compactMetadata : {};
  const segment = isRecord(metadata.preservedSegment) ? metadata.preservedSegment : {};
  const messages = isRecord(metadata.preservedMessages) ? metadata.preservedMessages : {};
  const head = stringIn(segment.headUuid);
  return {
    head,
    tail: stringIn(segment.tailUuid),
    listed: stringsIn(messages.uuids),
    all: stringsIn(messages.allUuids),
  };
}

function stringsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** Recognizes the user message that Claude Code writes when a turn is interrupted. */
export function isInterruption(text: string): boolean {
  return /^\s*\[Request interrupted by user[^\]]*\]\s*$/.test(text);
}

/** The text of a record's content, for comparisons and to find tags. */
export function textIn(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((block: unknown) => (typeof block === "string" ? block : isRecord(block) ? (stringIn(block.text) ?? "") : ""))
    .join("\n");
}

/** The ID of the sub-agent that a result mentions. */
export function agentIdIn(record: JsonObject): string | undefined {
  if (isRecord(record.toolUseResult) && typeof record.toolUseResult.agentId === "string") {
    return record.toolUseResult.agentId;
  }
  const content = isRecord(record.message) ? record.message.content : undefined;
  const text = blocksIn(content)
    .map((block) => textIn(block.content))
    .join("\n");
  return /^agentId: ([A-Za-z0-9_-]+)/m.exec(text)?.[1];
}

/**
 * The workflow run that a result mentions. Its agents' transcripts are in a folder named after it; older versions only
 * mention that folder's path.
 */
export function runIn({ toolUseResult, message }: JsonObject): string | undefined {
  const told = isRecord(toolUseResult) ? toolUseResult : {};
  const run = stringIn(told.runId) ?? runInPath(stringIn(told.transcriptDir) ?? "");
  // Search only the output of background tasks, which have a task ID; other outputs can be long.
  if (run !== undefined || typeof told.taskId !== "string") return run;
  const content = isRecord(message) ? message.content : undefined;
  return runInPath(
    blocksIn(content)
      .map((block) => textIn(block.content))
      .join("\n"),
  );
}

/** The workflow run in the path of one of its transcripts. */
export function runInPath(path: string): string | undefined {
  return /[\\/]subagents[\\/]workflows[\\/]([\w.-]+)/.exec(path)?.[1];
}
