/** What a system offers to build a sandbox with. */
import type { ChildProcess } from "node:child_process";
import type { SandboxPlan } from "./sandbox-plan.js";
import type { Problem } from "./sandbox-programs.js";
import type { HostAddress } from "./upstream-tunnel.js";

export interface Engine {
  readonly start: (command: StartCommand) => Promise<StartedCommand>;
  /** Starts the sandbox of a command that is not known yet. Undefined if that failed, or was stopped by the signal. */
  readonly prepare?: (options: PrepareOptions, signal: AbortSignal) => Promise<PreparedSandbox | undefined>;
  /** Why a command that does nothing failed, from what was printed. */
  readonly explain: (said: string) => Problem;
}

export interface PrepareOptions {
  readonly plan: SandboxPlan;
  readonly temporary: string;
}

export type Allow = (asked: HostAddress) => Promise<boolean>;

export interface StartCommand extends PrepareOptions {
  readonly command: string;
  readonly allow: Allow;
}

export interface StartedCommand {
  /** For a shell, once. */
  readonly line: string;
  /** Starts it, once, instead of the line. */
  readonly start?: () => ChildProcess;
  /** Resolves once every process inside has ended; they are on their way when the shell has. */
  readonly ended: () => Promise<void>;
  /** Whether the command was started, as far as is known. It may not be if the sandbox could not be set up. */
  readonly hasRun: () => boolean;
  /** What was said meanwhile, if it could not be set up. */
  readonly problem: () => string;
  /** Closes the way out, and what was opened for the command. */
  readonly close: () => void;
}

/** A sandbox that waits for its command. */
export interface PreparedSandbox {
  readonly isWaiting: () => boolean;
  /** Once. */
  readonly give: (command: GivenCommand) => StartedCommand;
  readonly stop: () => Promise<void>;
}

export interface GivenCommand {
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
  readonly allow: Allow;
}
