/** A sandbox around shell commands: bubblewrap on Linux, Seatbelt on macOS. Each is on its own; a process can have many. */

import type { ChildProcess } from "node:child_process";

export type SandboxState =
  | { readonly kind: "on" }
  /** Asked for, but it does not work here. `fix` says what to install or change. */
  | { readonly kind: "unavailable"; readonly reason: string; readonly fix: string };

export interface SandboxedCommand {
  /** A line for a shell that runs the command inside the sandbox. */
  readonly line: string;
  /** Starts it, with its outputs as pipes, in a sandbox that was prepared. If there is one, the line does nothing. */
  readonly start?: () => ChildProcess;
  /**
   * Called once the command has ended, however it ended: cleans up after it, and returns what was blocked, as far as
   * known. The command's output names files that could not be written, and is optional.
   */
  readonly finish: (output?: string) => Promise<readonly Blocked[]>;
  /** Whether the command was started. If not, the sandbox could not be set up, and trying again does no harm. */
  readonly hasRun: () => boolean;
  /** Why it was not started, if that is known. */
  readonly problem?: () => string;
}

/** Something the sandbox did not allow. */
export interface Blocked {
  /** `moved`: a file in a place that decides what runs later. It appeared while the command ran, and was moved away. */
  readonly kind: "write" | "read" | "network" | "socket" | "moved";
  /** An absolute path; for the network, `host:port`, or only the host. */
  readonly what: string;
  /** Whether the sandbox itself observed it. If not, it comes from the command's output, which may be untrue. */
  readonly certain: boolean;
  /** Where it is now, if it was moved. */
  readonly movedTo?: string;
}

/** Whether commands can run inside. */
export interface SandboxStatus {
  /** Undefined until known. */
  readonly state: SandboxState | undefined;
  /** Resolves once a command has really run inside, or it is clear that none can. Never rejects. */
  readonly ready: () => Promise<SandboxState>;
}

export interface Sandbox extends SandboxStatus {
  /** Throws if the sandbox is not on, so that no error makes a command run outside. */
  readonly wrap: (command: string, options: WrapOptions) => Promise<SandboxedCommand>;
  /** Moves something back to where the command had put it. Throws if something else is there by now. */
  readonly putBack: (moved: Blocked) => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface WrapOptions {
  readonly callId: string;
  readonly signal: AbortSignal;
  /**
   * The environment of the command. If it is given, the command may get a sandbox that was prepared after an earlier one,
   * and can be started only by `start`.
   */
  readonly env?: NodeJS.ProcessEnv;
}

export interface OpenSandboxOptions {
  readonly cwd: string;
  /** Bough's own folder: not writable, and its keys are not readable. */
  readonly home: string;
  /**
   * Whether commands may connect to this host: asked once for each command. If a name leads to this machine or to a
   * private network, the address is asked about too.
   */
  readonly allowHost: (address: HostRequest) => Promise<boolean>;
  /** Unix sockets of this machine that commands may use, such as `/var/run/docker.sock`. */
  readonly sockets?: readonly string[];
  /**
   * Whether Bough wrote this file itself, at a place that decides what runs: it is not moved if it appears while a command
   * runs, such as a rule that the user keeps meanwhile. Default: no file.
   */
  readonly isOwn?: (path: string) => boolean;
  /** Additional paths from rules, read before each command. */
  readonly paths?: () => RulePaths;
}

export interface RulePaths {
  /** Absolute paths. */
  readonly write: readonly string[];
  /** Absolute patterns, as those of rules. What matches them when a command starts is closed. */
  readonly denyWrite: readonly string[];
  readonly denyRead: readonly string[];
}

export interface HostRequest {
  readonly host: string;
  readonly port: number | undefined;
  /** The call whose command wants to connect, if known. */
  readonly callId?: string;
}
