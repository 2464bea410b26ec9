/**
 * The messages of a conversation, as they are in `message` entries and in a built context.
 *
 * Messages come from files that other programs and other versions wrote, so every field except `role` may be missing or
 * malformed at run time. Unknown fields are kept; code that reads a field checks it first.
 */

export interface TextBlock {
  readonly type: "text";
  readonly text: string;
  /** Provider-bound: only sent back to the provider that made it. */
  readonly textSignature?: string;
}

export interface ThinkingBlock {
  readonly type: "thinking";
  readonly thinking: string;
  /** Provider-bound: only sent back to the provider that made it. */
  readonly thinkingSignature?: string;
  readonly redacted?: boolean;
}

export interface ImageBlock {
  readonly type: "image";
  /** Base64, or `blob:sha256:<hex>` in files of oh-my-pi. */
  readonly data: string;
  readonly mimeType: string;
}

export interface ToolCallBlock {
  readonly type: "toolCall";
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Provider-bound: only sent back to the provider that made it. */
  readonly thoughtSignature?: string;
  /**
   * The model called this tool of an MCP server with `mcp_call`. `name` and `arguments` are the tool's own; models see
   * the call as it was made.
   */
  readonly mcp?: { readonly server: string; readonly tool: string };
}

export type UserContent = string | readonly (TextBlock | ImageBlock)[];
export type AssistantBlock = TextBlock | ThinkingBlock | ToolCallBlock;

export interface Cost {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly total: number;
}

/** Tokens of one model call. `input` excludes tokens read from a cache; `cost` is in dollars. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly totalTokens?: number;
  readonly reasoning?: number;
  readonly cost?: Cost;
}

export type StopReason = "stop" | "length" | "toolUse" | "error" | "aborted";

export interface UserMessage {
  readonly role: "user";
  readonly content: UserContent;
  readonly timestamp: number;
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: readonly AssistantBlock[];
  readonly api: string;
  readonly provider: string;
  readonly model: string;
  readonly usage: Usage;
  readonly stopReason: StopReason;
  readonly errorMessage?: string;
  readonly responseId?: string;
  readonly timestamp: number;
}

export interface ToolResultMessage<Details = unknown> {
  readonly role: "toolResult";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: readonly (TextBlock | ImageBlock)[];
  readonly details?: Details;
  readonly isError: boolean;
  readonly timestamp: number;
}

/** A shell command that the user ran from the editor. */
export interface BashExecutionMessage {
  readonly role: "bashExecution";
  readonly command: string;
  readonly output: string;
  readonly exitCode?: number | null;
  readonly cancelled: boolean;
  readonly truncated: boolean;
  readonly fullOutputPath?: string;
  readonly excludeFromContext?: boolean;
  readonly timestamp: number;
}

/** An extension's message. In the file it is usually a `custom_message` entry; as a message it has this role. */
export interface CustomMessage<Details = unknown> {
  readonly role: "custom";
  readonly customType: string;
  readonly content: UserContent;
  readonly display: boolean;
  readonly details?: Details;
  readonly timestamp: number;
}

/** Made from a `branch_summary` entry when a context is built. */
export interface BranchSummaryMessage {
  readonly role: "branchSummary";
  readonly summary: string;
  readonly fromId: string;
  readonly timestamp: number;
}

/** Made from a `compaction` entry when a context is built. */
export interface CompactionSummaryMessage {
  readonly role: "compactionSummary";
  readonly summary: string;
  readonly tokensBefore: number;
  readonly tokensAfter?: number;
  readonly timestamp: number;
}

export interface SystemMessage {
  readonly role: "system";
  readonly content: UserContent;
  readonly timestamp: number;
}

export type AgentMessage =
  | UserMessage
  | AssistantMessage
  | ToolResultMessage
  | BashExecutionMessage
  | CustomMessage
  | BranchSummaryMessage
  | CompactionSummaryMessage
  | SystemMessage;
