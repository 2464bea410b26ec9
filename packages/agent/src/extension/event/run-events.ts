/** The events of a run: prompts, model steps, messages, tools. */

import type {
  AgentMessage,
  AssistantMessage,
  ImageBlock,
  ToolCallBlock,
  ToolResultMessage,
} from "@bough/session/entry/index.js";
import type { McpServerSettings } from "../../mcp/index.js";
import type { ModelInfo, ThinkingLevel } from "../../model/index.js";
import type { ToolResult } from "../../tool/index.js";
import type { CustomMessageInput } from "../custom-message.js";

export interface ToolCallEvent {
  readonly type: "tool_call";
  readonly toolName: string;
  readonly toolCallId: string;
  /** May be changed in place. */
  readonly input: Record<string, unknown>;
}

/** `input` replaces what the model sent. Changed input is validated again, even if changed in place. */
export interface ToolCallEventResult {
  readonly block?: boolean;
  readonly reason?: string;
  /** Ends the run if every result of the step says so. */
  readonly terminate?: boolean;
  readonly input?: Readonly<Record<string, unknown>>;
}

/** A tool result: complete in `result`, and as separate fields. */
export interface ToolResultEvent
  extends Pick<ToolResultMessage, "toolName" | "toolCallId" | "content" | "details" | "isError"> {
  readonly type: "tool_result";
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: ToolResultMessage;
}

export type ToolResultEventResult = Partial<Pick<ToolResultMessage, "content" | "details" | "isError">>;

export interface InputEvent {
  readonly type: "input";
  readonly text: string;
  readonly images?: readonly ImageBlock[];
  /** Who sent it. */
  readonly source: "interactive" | "rpc" | "extension";
  /** How it is delivered to the current run; absent if nothing runs. */
  readonly streamingBehavior?: "steer" | "followUp";
}

/** Either an `action`, or its short form: `handled` sends nothing to the model, `text` replaces the input. */
export interface InputEventResult {
  readonly action?: "continue" | "transform" | "handled";
  readonly handled?: boolean;
  readonly text?: string;
  readonly images?: readonly ImageBlock[];
}

/** The parts of the system prompt. A handler of `before_agent_start` may change them. */
export interface SystemPromptOptions {
  readonly cwd: string;
  /** Replaces everything else. */
  customPrompt?: string;
  /** Names of the tools that the prompt mentions. */
  selectedTools: string[];
  /** One line each, for tools that have one. */
  toolSnippets: Record<string, string>;
  promptGuidelines: string[];
  appendSystemPrompt: string;
  contextFiles: { path: string; content: string }[];
  skills: { name: string; description: string; path: string }[];
}

/** A part of an answer as it arrives. */
export interface AssistantMessageEvent {
  readonly type: "text_delta" | "thinking_delta" | "toolcall_delta" | "toolcall_end";
  /** Index of the block in the message. */
  readonly contentIndex: number;
  readonly delta?: string;
  readonly toolCall?: ToolCallBlock;
  /** The message so far. */
  readonly partial: AssistantMessage;
}

/** Runs commands elsewhere, such as in a container or over a connection. */
export interface BashOperations {
  exec(
    command: string,
    cwd: string,
    options: { readonly onData: (data: Uint8Array) => void; readonly signal?: AbortSignal; readonly timeout?: number },
  ): Promise<BashOperationsResult>;
}

export interface BashOperationsResult {
  /** Null if it was killed by a signal. */
  readonly exitCode: number | null;
}

/** An MCP server that an extension registered. */
export interface RegisteredMcpServer {
  readonly name: string;
  readonly config: McpServerSettings;
  /** The file or name of the extension. */
  readonly extensionPath: string;
}

/** Whether a project may load its own extensions and permissions. `remember` keeps the answer for later. */
export interface ProjectTrustResult {
  readonly trusted: "yes" | "no" | "undecided";
  readonly remember?: boolean;
}

export interface RunEvents {
  input: { event: InputEvent; result: InputEventResult };
  before_agent_start: {
    event: {
      readonly type: "before_agent_start";
      readonly prompt: string;
      readonly images?: readonly ImageBlock[];
      readonly systemPrompt: string;
      readonly systemPromptOptions: SystemPromptOptions;
    };
    result: { readonly systemPrompt?: string; readonly message?: CustomMessageInput };
  };
  agent_start: { event: { readonly type: "agent_start" }; result: undefined };
  agent_end: { event: { readonly type: "agent_end"; readonly messages: readonly AgentMessage[] }; result: undefined };
  agent_settled: { event: { readonly type: "agent_settled" }; result: undefined };
  turn_start: {
    event: {
      readonly type: "turn_start";
      /** 1-based. */
      readonly turn: number;
      /** 0-based. */
      readonly turnIndex: number;
      readonly timestamp: number;
    };
    result: undefined;
  };
  turn_end: {
    event: {
      readonly type: "turn_end";
      readonly turn: number;
      readonly turnIndex: number;
      readonly message: AgentMessage;
      readonly toolResults: readonly ToolResultMessage[];
    };
    result: void;
  };
  context: {
    event: { readonly type: "context"; readonly messages: AgentMessage[] };
    result: { readonly messages?: readonly AgentMessage[] };
  };
  before_provider_request: {
    event: { readonly type: "before_provider_request"; readonly payload: unknown };
    result: unknown;
  };
  before_provider_headers: {
    event: { readonly type: "before_provider_headers"; readonly headers: Record<string, string | null> };
    result: undefined;
  };
  after_provider_response: {
    event: {
      readonly type: "after_provider_response";
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
    };
    result: undefined;
  };
  mcp_servers_change: {
    event: { readonly type: "mcp_servers_change"; readonly servers: readonly RegisteredMcpServer[] };
    result: undefined;
  };
  project_trust: {
    event: { readonly type: "project_trust"; readonly cwd: string };
    result: ProjectTrustResult;
  };
  cache_warming_decision: {
    event: {
      readonly type: "cache_warming_decision";
      readonly warmCost: number;
      readonly missCost: number;
      readonly continuationProbability: number;
      readonly action: "warm" | "stop";
    };
    result: { readonly action?: "warm" | "stop" };
  };
  provider_stream_event: {
    event: {
      readonly type: "provider_stream_event";
      readonly provider: string;
      readonly api: string;
      readonly model: string;
      readonly data: unknown;
    };
    result: undefined;
  };
  message_start: { event: { readonly type: "message_start"; readonly message: AgentMessage }; result: undefined };
  message_update: {
    event: {
      readonly type: "message_update";
      readonly message: AssistantMessage;
      readonly assistantMessageEvent: AssistantMessageEvent;
    };
    result: undefined;
  };
  message_end: {
    event: { readonly type: "message_end"; readonly message: AgentMessage };
    result: { readonly message?: AgentMessage };
  };
  tool_call: { event: ToolCallEvent; result: ToolCallEventResult };
  tool_execution_start: {
    event: {
      readonly type: "tool_execution_start";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly args: unknown;
    };
    result: undefined;
  };
  tool_execution_update: {
    event: {
      readonly type: "tool_execution_update";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly args: unknown;
      readonly partialResult: ToolResult;
    };
    result: undefined;
  };
  tool_result: { event: ToolResultEvent; result: ToolResultEventResult };
  tool_execution_end: {
    event: {
      readonly type: "tool_execution_end";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly result: ToolResult;
      readonly isError: boolean;
    };
    result: undefined;
  };
  user_bash: {
    event: {
      readonly type: "user_bash";
      readonly command: string;
      readonly excludeFromContext: boolean;
      readonly cwd: string;
    };
    result: {
      readonly operations?: BashOperations;
      /** The result to use instead of running the command. */
      readonly result?: {
        readonly output: string;
        readonly exitCode?: number | null | undefined;
        readonly cancelled?: boolean;
        readonly truncated?: boolean;
        readonly fullOutputPath?: string;
      };
    };
  };
  model_select: {
    event: {
      readonly type: "model_select";
      readonly model: ModelInfo;
      readonly previousModel: ModelInfo | undefined;
      readonly source: "set" | "restore";
    };
    result: undefined;
  };
  thinking_level_select: {
    event: {
      readonly type: "thinking_level_select";
      readonly level: ThinkingLevel;
      readonly previousLevel: ThinkingLevel;
    };
    result: undefined;
  };
}
