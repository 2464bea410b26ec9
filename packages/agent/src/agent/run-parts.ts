/** What a model run needs in addition to the parts of every operation. */
import type { Usage } from "@bough/session/entry/index.js";
import type { McpServers } from "../mcp/index.js";
import type { LanguageModel, ModelRequest } from "../model/index.js";
import type { PromptTemplate, RetrySettings } from "../project/index.js";
import type { SpawnRequest, Tool, ToolContext, ToolResult } from "../tool/index.js";
import type { ToolDenial } from "./agent-events.js";
import type { AgentSessionOptions, Permit } from "./agent-options.js";
import type { AgentParts } from "./agent-parts.js";
import type { MessageQueue } from "./turn/message-queue.js";
import type { RunLimits } from "./turn/run-limits.js";
import type { Sleep } from "./turn/sleep.js";

interface CacheKeeper {
  /** After a step: from now on its request is kept warm, instead of an earlier one. */
  keep(model: LanguageModel, request: ModelRequest, usage: Usage): void;
  /** The run has ended. */
  settle(): void;
  /** The next request will not begin like the kept one, or is being made. */
  drop(): void;
}

export interface RunParts extends AgentParts {
  readonly tools: readonly Tool[];
  /** Recorded tools of MCP servers; set at the start of a turn. */
  readonly servers: McpServers | undefined;
  useServerTools(tools: readonly Tool[]): void;
  /** Also a tool of a server that is not in the request: a call names it, or the path had it. */
  toolNamed(name: string): Tool | undefined;
  /** Tools that do not come from a server. */
  readonly ownTools: readonly Tool[];
  readonly systemPrompt: string;
  /** Whether the model is told the date and the platform. */
  readonly tellsSurroundings: boolean;
  readonly templates: readonly PromptTemplate[];
  readonly permit: Permit;
  /** A private folder for output that is too long for the context. */
  readonly outputDir: string;
  readonly retry: RetrySettings;
  readonly queue: MessageQueue;
  readonly sleep: Sleep;
  /** Limits of a run. */
  readonly limits: RunLimits;
  /** Holds the permission mode, so that the model can be told about plan mode. */
  readonly permissions: AgentSessionOptions["permissions"] | undefined;
  readonly jobs: AgentSessionOptions["jobs"] | undefined;
  /** Asked before every call, including read-only tools. */
  readonly allowTool: AgentSessionOptions["allowTool"] | undefined;
  /** How long a tool may stay silent; `Infinity` for no limit. */
  readonly toolTimeoutMs: number;
  /** Calls of this run that were not allowed. */
  readonly denials: ToolDenial[];
  /** Starts a sub-agent for a call. */
  readonly spawn?: (
    request: SpawnRequest,
    call: Pick<ToolContext, "callId" | "signal" | "onUpdate" | "permit">,
  ) => Promise<ToolResult>;
  /** Waits until no other agent of this process changes files here; the returned function ends the turn. */
  readonly takeTurn?: (signal: AbortSignal) => Promise<() => void>;
  /** It works for another agent, which works in the same folder. */
  readonly isSubAgent?: boolean;
  /** Keeps the provider's cache of the last request warm. */
  readonly warmer?: CacheKeeper;
}
