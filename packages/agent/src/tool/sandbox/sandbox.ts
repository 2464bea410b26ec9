/** A sandbox around shell commands. The work is done by `@anthropic-ai/sandbox-runtime`, if it is installed. */

export type SandboxState =
  | { readonly kind: "on" }
  /** Asked for, but it does not work here. `fix` says what to install or change. */
  | { readonly kind: "unavailable"; readonly reason: string; readonly fix: string };

export interface SandboxedCommand {
  /** A line for a shell that runs the command inside. */
  readonly line: string;
  /**
   * Called once the command has ended, however it ended: looks after what it left, and returns what was blocked as far as
   * it is known. The command's output names files that could not be written, and is optional.
   */
  readonly finish: (output?: string) => Promise<readonly Blocked[]>;
}

/** Something that a command was kept from. */
export interface Blocked {
  /** `moved`: something at a place that decides what runs later. It appeared while the command ran, and was put away. */
  readonly kind: "write" | "read" | "network" | "socket" | "moved";
  /** An absolute path; for the network `host:port`. */
  readonly what: string;
  /** Whether the sandbox itself saw it. If not, it is what the command printed, which may be untrue. */
  readonly certain: boolean;
  /** Where it is now, if it was moved. */
  readonly movedTo?: string;
}

/** Whether commands can run inside. */
export interface SandboxStatus {
  /** Undefined until it is known. */
  readonly state: SandboxState | undefined;
  /** Resolves once a command has run inside for real, or it is clear that none can. Never rejects. */
  readonly ready: () => Promise<SandboxState>;
}

export interface Sandbox extends SandboxStatus {
  /** Throws if the sandbox is not on: a command never runs outside because of an error. */
  readonly wrap: (command: string, options: WrapOptions) => Promise<SandboxedCommand>;
  /** Puts something that was moved where the command had put it. Throws if there is something else by now. */
  readonly putBack: (moved: Blocked) => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface WrapOptions {
  readonly callId: string;
  readonly signal: AbortSignal;
}

export interface OpenSandboxOptions {
  readonly cwd: string;
  /** Bough's own folder: not written, and its keys not read. */
  readonly home: string;
  /** Whether commands may connect to this host. A host is asked about once while commands run. */
  readonly allowHost: (address: HostRequest) => Promise<boolean>;
  /** Unix sockets of this machine that commands may use, such as `/var/run/docker.sock`. */
  readonly sockets?: readonly string[];
  /** What rules add, looked at before each command. */
  readonly paths?: () => RulePaths;
}

/** Absolute paths, or globs for what is not read. */
export interface RulePaths {
  readonly write: readonly string[];
  readonly denyWrite: readonly string[];
  readonly denyRead: readonly string[];
}

export interface HostRequest {
  readonly host: string;
  readonly port: number | undefined;
  /** The call whose command wants to connect, if it is known. */
  readonly callId?: string;
}
