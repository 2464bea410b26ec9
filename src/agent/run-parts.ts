/** What a model run needs next to the parts every operation has. */
import type { PromptTemplate, RetrySettings } from "../project/index.js";
import type { PermissionDecision, PermissionRequest, Tool } from "../tool/index.js";
import type { AgentParts } from "./agent-parts.js";
import type { MessageQueue } from "./turn/message-queue.js";
import type { Sleep } from "./turn/sleep.js";

export type Permit = (request: PermissionRequest) => Promise<PermissionDecision>;

export interface RunParts extends AgentParts {
  readonly tools: readonly Tool[];
  readonly systemPrompt: string;
  readonly templates: readonly PromptTemplate[];
  readonly permit: Permit;
  readonly cwd: string;
  /** A private folder for output that is too long for the context. */
  readonly outputDir: string;
  readonly retry: RetrySettings;
  readonly queue: MessageQueue;
  readonly sleep: Sleep;
  /** Model steps in one run; without a limit, `Infinity`. */
  readonly maxSteps: number;
  /** How long a tool may show no sign of life; `Infinity` for ever. */
  readonly toolTimeoutMs: number;
}
