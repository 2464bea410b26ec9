// Made from the schema by `npx vitest run --project rooms src/cli/rpc/rpc-docs.test.ts --update`.

/** Messages and what they are made of. */
export interface MessageShapes {
  /** A message, by its role. */
  readonly Message:
    | MessageShapes["UserMessage"]
    | MessageShapes["AssistantMessage"]
    | MessageShapes["ToolResultMessage"]
    | MessageShapes["BashExecutionMessage"]
    | MessageShapes["CustomMessage"]
    | MessageShapes["BranchSummaryMessage"]
    | MessageShapes["CompactionSummaryMessage"]
    | MessageShapes["SystemMessage"];
  readonly UserMessage: {
    readonly role: "user";
    readonly content: MessageShapes["Content"];
    /** Milliseconds. */
    readonly timestamp: number;
    readonly cut?: MessageShapes["Cut"];
  };
  /** A text, or blocks of text and images. */
  readonly Content: string | readonly (MessageShapes["TextBlock"] | MessageShapes["ImageBlock"])[];
  readonly TextBlock: {
    readonly type: "text";
    readonly text: string;
    /** For the provider that made it. */
    readonly textSignature?: string;
  };
  readonly ImageBlock: {
    readonly type: "image";
    /** Base64. */
    readonly data: string;
    readonly mimeType: string;
  };
  /** Too long for one line: texts and lists in it are shortened. */
  readonly Cut: {
    /** Length of the whole, as JSON. */
    readonly characters: number;
  };
  readonly AssistantMessage: {
    readonly role: "assistant";
    readonly content: readonly (
      | MessageShapes["TextBlock"]
      | MessageShapes["ThinkingBlock"]
      | MessageShapes["ToolCallBlock"]
    )[];
    readonly api: string;
    readonly provider: string;
    readonly model: string;
    readonly usage: MessageShapes["Usage"];
    readonly stopReason: "stop" | "length" | "toolUse" | "error" | "aborted";
    readonly errorMessage?: string;
    readonly responseId?: string;
    /** Milliseconds. */
    readonly timestamp: number;
    readonly cut?: MessageShapes["Cut"];
  };
  readonly ThinkingBlock: {
    readonly type: "thinking";
    readonly thinking: string;
    /** For the provider that made it. */
    readonly thinkingSignature?: string;
    readonly redacted?: boolean;
  };
  readonly ToolCallBlock: {
    readonly type: "toolCall";
    readonly id: string;
    readonly name: string;
    readonly arguments: Readonly<Record<string, unknown>>;
    /** For the provider that made it. */
    readonly thoughtSignature?: string;
  };
  /** Tokens of one model call. */
  readonly Usage: {
    /** Without what came from a cache. */
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
    readonly totalTokens?: number;
    readonly reasoning?: number;
    readonly cost?: MessageShapes["Cost"];
  };
  /** Dollars. */
  readonly Cost: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
    readonly total: number;
  };
  readonly ToolResultMessage: {
    readonly role: "toolResult";
    readonly toolCallId: string;
    readonly toolName: string;
    readonly content: readonly (MessageShapes["TextBlock"] | MessageShapes["ImageBlock"])[];
    /** Depends on the tool. */
    readonly details?: unknown;
    readonly isError: boolean;
    /** Milliseconds. */
    readonly timestamp: number;
    readonly cut?: MessageShapes["Cut"];
  };
  /** A shell command the user ran. */
  readonly BashExecutionMessage: {
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
    readonly cut?: MessageShapes["Cut"];
  };
  /** An extension's message. */
  readonly CustomMessage: {
    readonly role: "custom";
    readonly customType: string;
    readonly content: MessageShapes["Content"];
    readonly display: boolean;
    /** Depends on the extension. */
    readonly details?: unknown;
    /** Milliseconds. */
    readonly timestamp: number;
    readonly cut?: MessageShapes["Cut"];
  };
  readonly BranchSummaryMessage: {
    readonly role: "branchSummary";
    readonly summary: string;
    readonly fromId: string;
    /** Milliseconds. */
    readonly timestamp: number;
    readonly cut?: MessageShapes["Cut"];
  };
  readonly CompactionSummaryMessage: {
    readonly role: "compactionSummary";
    readonly summary: string;
    readonly tokensBefore: number;
    readonly tokensAfter?: number;
    /** Milliseconds. */
    readonly timestamp: number;
    readonly cut?: MessageShapes["Cut"];
  };
  readonly SystemMessage: {
    readonly role: "system";
    readonly content: MessageShapes["Content"];
    /** Milliseconds. */
    readonly timestamp: number;
    readonly cut?: MessageShapes["Cut"];
  };
  /** A message that Bough did not write: an unknown role, or unusual fields. */
  readonly OtherMessage: {
    readonly role: string;
  };
}
