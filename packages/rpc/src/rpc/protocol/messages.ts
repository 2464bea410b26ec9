// Made from the schema by `npx vitest run packages/program/src/cli/rpc/rpc-docs.test.ts --update`.
/** Messages and what they are made of. */

/** A message, by its role. */
export type Message =
  | UserMessage
  | AssistantMessage
  | ToolResultMessage
  | BashExecutionMessage
  | CustomMessage
  | BranchSummaryMessage
  | CompactionSummaryMessage
  | SystemMessage;

export interface UserMessage {
  readonly role: "user";
  readonly content: Content;
  /** Milliseconds. */
  readonly timestamp: number;
  readonly cut?: Cut;
}

/** A text, or blocks of text and images. */
export type Content = string | readonly (TextBlock | ImageBlock)[];

export interface TextBlock {
  readonly type: "text";
  readonly text: string;
  /** For the provider that made it. */
  readonly textSignature?: string;
}

export interface ImageBlock {
  readonly type: "image";
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

/** Too long for one line: texts and lists in it are shortened. */
export interface Cut {
  /** Length of the whole, as JSON. */
  readonly characters: number;
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: readonly (TextBlock | ThinkingBlock | ToolCallBlock)[];
  readonly api: string;
  readonly provider: string;
  readonly model: string;
  readonly usage: Usage;
  readonly stopReason: "stop" | "length" | "toolUse" | "error" | "aborted";
  readonly errorMessage?: string;
  readonly responseId?: string;
  /** Milliseconds. */
  readonly timestamp: number;
  readonly cut?: Cut;
}

export interface ThinkingBlock {
  readonly type: "thinking";
  readonly thinking: string;
  /** For the provider that made it. */
  readonly thinkingSignature?: string;
  readonly redacted?: boolean;
}

export interface ToolCallBlock {
  readonly type: "toolCall";
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** For the provider that made it. */
  readonly thoughtSignature?: string;
}

/** Tokens of one model call. */
export interface Usage {
  /** Without what came from a cache. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly totalTokens?: number;
  readonly reasoning?: number;
  readonly cost?: Cost;
}

/** Dollars. */
export interface Cost {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly total: number;
}

export interface ToolResultMessage {
  readonly role: "toolResult";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: readonly (TextBlock | ImageBlock)[];
  /** Depends on the tool. */
  readonly details?: unknown;
  readonly isError: boolean;
  /** Milliseconds. */
  readonly timestamp: number;
  readonly cut?: Cut;
}

/** A shell command the user ran. */
export interface BashExecutionMessage {
  readonly role: "bashExecution";
  readonly command: string;
  readonly output: string;
  readonly exitCode?: number | null;
  readonly cancelled: boolean;
  readonly truncated: boolean;
  readonly fullOutputPath?: string;
  readonly excludeFromContext?: boolean;
  /** Milliseconds. */
  readonly timestamp: number;
  readonly cut?: Cut;
}

/** An extension's message. */
export interface CustomMessage {
  readonly role: "custom";
  readonly customType: string;
  readonly content: Content;
  readonly display: boolean;
  /** Depends on the extension. */
  readonly details?: unknown;
  /** Milliseconds. */
  readonly timestamp: number;
  readonly cut?: Cut;
}

export interface BranchSummaryMessage {
  readonly role: "branchSummary";
  readonly summary: string;
  readonly fromId: string;
  /** Milliseconds. */
  readonly timestamp: number;
  readonly cut?: Cut;
}

export interface CompactionSummaryMessage {
  readonly role: "compactionSummary";
  readonly summary: string;
  readonly tokensBefore: number;
  readonly tokensAfter?: number;
  /** Milliseconds. */
  readonly timestamp: number;
  readonly cut?: Cut;
}

export interface SystemMessage {
  readonly role: "system";
  readonly content: Content;
  /** Milliseconds. */
  readonly timestamp: number;
  readonly cut?: Cut;
}

/** A message that Bough did not write: an unknown role, or unusual fields. */
export interface OtherMessage {
  readonly role: string;
}
