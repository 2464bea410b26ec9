import type { SessionManager } from "@bough/session/session/index.js";
import type { BlobSource, RunningCommand } from "@bough/workbench/checkpoint/index.js";
import type { Driver, DriverChoices } from "../driver/index.js";
import type { ExtensionHooks } from "../extension/run.js";
import type { McpServers } from "../mcp/index.js";
import type { LanguageModel, ModelInfo, ModelRegistry, ThinkingLevel } from "../model/index.js";
import type { ProjectContext, Settings } from "../project/index.js";
import type { Jobs, PermissionDecision, PermissionRequest, Permissions, Tool } from "../tool/index.js";
import type { SpawnOptions } from "./spawn/sub-agent.js";
import type { RunLimits } from "./turn/run-limits.js";

export type Permit = (request: PermissionRequest) => Promise<PermissionDecision>;

/** A call that a program may refuse. */
export interface ToolUse {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly readOnly: boolean;
  readonly callId: string;
  readonly signal: AbortSignal;
}

export type BeforeGiven = (session: SessionManager) => Promise<void>;

/** With the driver of `setDriver`. */
export interface DriverOptions {
  /** As in `AgentSessionOptions`, for this driver. Default: that of the agent's options. */
  readonly beforeGiven?: BeforeGiven | undefined;
  /** As in `AgentSessionOptions`, for this driver. */
  readonly choices?: DriverChoices | undefined;
}

/** Another agent whose Bough was killed, and its process group. */
export interface LeftAgent {
  readonly agent: string;
  readonly group: number;
}

export interface AgentSessionOptions {
  readonly session: SessionManager;
  readonly registry: ModelRegistry;
  /** Takes precedence over the session's model and the settings. */
  readonly model?: LanguageModel | ModelInfo;
  /** `explicit` (default): `model` stays after every move. `default`: another path's model replaces it. */
  readonly modelChoice?: "explicit" | "default";
  readonly thinkingLevel?: ThinkingLevel;
  readonly tools: readonly Tool[];
  /**
   * Open MCP servers, as `createAgentSession` makes from `mcpServers`: their tools are offered after `tools`, and
   * recorded in the session.
   */
  readonly servers?: McpServers;
  /** Closes `servers` with the agent. Default: the caller closes them. */
  readonly ownsServers?: boolean;
  readonly permit: Permit;
  /** Holds the permission mode: `setPermissionMode` sets it, and the model is told about `plan`. */
  readonly permissions?: Pick<Permissions, "mode" | "setMode"> & Partial<Pick<Permissions, "rules">>;
  /** Background commands, including those a user's own command leaves running. None by default. */
  readonly jobs?: Jobs;
  readonly hooks?: ExtensionHooks;
  readonly settings?: Settings;
  /** Context files, prompt templates and skills; none by default. */
  readonly project?: ProjectContext;
  /** Replaces the system prompt made from the project. */
  readonly systemPrompt?: string;
  readonly cwd: string;
  /** The working directory that the system prompt names. Default: `cwd`. */
  readonly promptCwd?: string | undefined;
  /** A private folder for output that is too long for the context. */
  readonly outputDir: string;
  /** Record file changes, so that moves can restore files. Off by default. */
  readonly files?: {
    /** Where contents are stored. Default: `$BOUGH_HOME`. */
    readonly home?: string;
    /** What happens to files on a move that does not say. `ask` is for front ends; here it means `stay`. */
    readonly onMove?: "ask" | "follow" | "stay";
    /** What happens to files in a merge or a cherry-pick that does not say. `ask` means `stay` here too. */
    readonly onMerge?: "ask" | "follow" | "stay";
    /** Globs of ignored files to record anyway. */
    readonly include?: readonly string[];
    /** Larger files are not recorded. */
    readonly maxBytes?: number;
    /**
     * `none`: other sessions in the folder are not told what this agent changes, because another agent records it too.
     * Default: `shared`.
     */
    readonly notes?: "shared" | "none";
    /**
     * Asked when a session is resumed whose process was killed while commands ran, and these still run. `leave` turns
     * them into jobs. Default: they keep running, and a notice says how to stop them.
     */
    readonly onRunning?: (commands: readonly RunningCommand[]) => Promise<"stop" | "leave">;
  };
  /**
   * Where contents of files come from that are missing on this machine: `contentsOfStores` of `bough/store` asks the
   * user's stores. Default: nowhere.
   */
  readonly contents?: BlobSource | undefined;
  /** Asked before every tool call, read-only tools included. Anything but `true` refuses the call. */
  readonly allowTool?: (use: ToolUse) => boolean | PermissionDecision | Promise<boolean | PermissionDecision>;
  /** Limits of one run: it ends with the outcome `aborted` and the name of the limit. No limit by default. */
  readonly limits?: RunLimits;
  /** Another name of `limits.steps`, which wins if both are given. */
  readonly maxSteps?: number;
  /**
   * How long a tool may go without a result or an update before it is told to stop and then abandoned; 10 minutes by
   * default. Questions to a user do not count, nor do tools with their own limit (`bash`).
   */
  readonly toolTimeoutMs?: number;
  /**
   * Another agent that does the turns, such as `driverNamed("pi")`. The tree, the files and the
   * permissions stay Bough's; model, tools and system prompt are the agent's own.
   */
  readonly driver?: Driver | undefined;
  /** The driver's own model, effort and mode. Default: those it was last given on the path, else its own. */
  readonly driverChoices?: DriverChoices | undefined;
  /**
   * Called before a conversation that the driver's agent did not make itself is given to it. If it rejects, nothing is
   * sent, and the turn fails with its error. Default: it is given.
   */
  readonly beforeGiven?: BeforeGiven;
  /**
   * Limits for the sub-agents that the tool `spawn` starts. Defaults apply without it; an agent without that tool
   * starts none.
   */
  readonly spawn?: SpawnOptions;
  /** Set for a sub-agent: how deep it is, and what to call before it starts another one. */
  readonly within?: { readonly depth: number; readonly spawned: () => void };
  /**
   * Asked when a session is opened whose Bough was killed during a turn of another agent, and that agent still runs: its
   * turn is added once it has ended. Default: it is stopped.
   */
  readonly onLeftAgent?: (agent: LeftAgent) => Promise<"stop" | "wait">;
  readonly now?: () => Date;
  readonly sleep?: (milliseconds: number, options: { readonly signal: AbortSignal }) => Promise<void>;
}
