/** What a model run needs next to the parts every operation has. */
import type { McpServers } from "../mcp/index.js";
import type { PromptTemplate, RetrySettings } from "../project/index.js";
import type { Tool } from "../tool/index.js";
import type { ToolDenial } from "./agent-events.js";
import type { AgentSessionOptions, Permit } from "./agent-options.js";
import type { AgentParts } from "./agent-parts.js";
import type { MessageQueue } from "./turn/message-queue.js";
import type { RunLimits } from "./turn/run-limits.js";
import type { Sleep } from "./turn/sleep.js";

export interface RunParts extends AgentParts {
  readonly tools: readonly Tool[];
  /** Tools of MCP servers that are on record; set at the start of a turn. */
  readonly servers: McpServers | undefined;
  useServerTools(tools: readonly Tool[]): void;
  /** Those that are not of a server. */
  readonly ownTools: readonly Tool[];
  readonly systemPrompt: string;
  readonly templates: readonly PromptTemplate[];
  readonly permit: Permit;
  /** A private folder for output that is too long for the context. */
  readonly outputDir: string;
  readonly retry: RetrySettings;
  readonly queue: MessageQueue;
  readonly sleep: Sleep;
  /** How far a run may go. */
  readonly limits: RunLimits;
  /** What holds the permission mode, so that the model can be told of plan mode. */
  readonly permissions: AgentSessionOptions["permissions"] | undefined;
  readonly jobs: AgentSessionOptions["jobs"] | undefined;
  /** Asked before every call, of read-only tools too. */
  readonly allowTool: AgentSessionOptions["allowTool"] | undefined;
  /** How long a tool may show no sign of life; `Infinity` for ever. */
  readonly toolTimeoutMs: number;
  /** Calls of this run that were not allowed. */
  readonly denials: ToolDenial[];
}
