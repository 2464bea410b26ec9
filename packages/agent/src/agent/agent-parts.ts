/** What operations work on: each is a function over these parts; the facade only holds them. */

import type { SessionManager } from "@bough/session/session/index.js";
import type { BlobSource } from "@bough/workbench/checkpoint/index.js";
import type { ExtensionHooks } from "../extension/run.js";
import type { LanguageModel, ThinkingLevel } from "../model/index.js";
import type { CompactionSettings } from "../project/index.js";
import type { AgentEvent } from "./agent-events.js";
import type { AgentSessionOptions } from "./agent-options.js";
import type { AgentFiles } from "./files/agent-files.js";
import type { MoveHistory } from "./move/move-history.js";
import type { RunMeter } from "./turn/run-limits.js";

export interface AgentParts {
  /** The current session. The object stays the same when the agent goes to another file. */
  readonly session: SessionManager;
  /** Undefined if no model is chosen. */
  readonly model: LanguageModel | undefined;
  /** Default: that of the model. */
  readonly contextWindow?: number | undefined;
  readonly thinkingLevel: ThinkingLevel;
  readonly hooks: ExtensionHooks;
  readonly compaction: CompactionSettings;
  /** Undo and redo history. One per agent; it starts over when the session changes. */
  readonly moves: MoveHistory;
  /** Undefined if files are not recorded. */
  readonly files: AgentFiles | undefined;
  /** See the options of the agent. */
  readonly onLeftAgent?: AgentSessionOptions["onLeftAgent"] | undefined;
  /** Where contents of files come from that are missing on this machine. */
  readonly contents?: BlobSource | undefined;
  /** Where tools work. */
  readonly cwd: string;
  readonly now: () => Date;
  /** What another agent does in this folder after its turn; undefined if nothing. */
  readonly driverWork?: DriverWork | undefined;
  /** Counts what model calls use; set while a prompt is being worked on. */
  readonly meter?: RunMeter | undefined;
  emit(event: AgentEvent): void;
}

/** What the agent that drives the session does after its turn, such as work in the background. */
export interface DriverWork {
  /** The name of its driver. */
  readonly agent: string;
  readonly title: string;
  /** Ends the agent's process. What it did is in the session then, and the next prompt starts it again. */
  stop(): Promise<void>;
  /** Resolves when it has said nothing for ten seconds; rejects with the reason of the signal. */
  done(signal: AbortSignal): Promise<void>;
}

/** Options every operation takes. */
export interface OperationOptions {
  readonly signal: AbortSignal;
}
