/** What a system offers to build a sandbox with. */

import type { SandboxPlan } from "./sandbox-plan.js";
import type { Problem } from "./sandbox-programs.js";
import type { HostAddress } from "./upstream-tunnel.js";

export interface Engine {
  readonly start: (command: StartCommand) => Promise<StartedCommand>;
  /** Why a command that does nothing failed, from what was printed. */
  readonly explain: (said: string) => Problem;
}

export interface StartCommand {
  readonly plan: SandboxPlan;
  readonly command: string;
  readonly temporary: string;
  readonly allow: (asked: HostAddress) => Promise<boolean>;
}

export interface StartedCommand {
  /** For a shell, once. */
  readonly line: string;
  /** Resolves once every process inside has ended; they are on their way when the shell has. */
  readonly ended: () => Promise<void>;
  /** Whether the command was started, as far as is known. It may not be if the sandbox could not be set up. */
  readonly hasRun: () => boolean;
  /** Closes the way out, and what was opened for the command. */
  readonly close: () => void;
}
