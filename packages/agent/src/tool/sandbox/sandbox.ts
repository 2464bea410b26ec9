/** A sandbox around shell commands. The work is done by `@anthropic-ai/sandbox-runtime`, if it is installed. */

export type SandboxState =
  | { readonly kind: "on" }
  /** Asked for, but it does not work here. `fix` says what to install or change. */
  | { readonly kind: "unavailable"; readonly reason: string; readonly fix: string };

export interface SandboxedCommand {
  /** A line for a shell that runs the command inside. */
  readonly line: string;
  /** Called once the command has ended, however it ended. Returns what was blocked, for the model. */
  readonly finish: () => readonly string[];
}

export interface Sandbox {
  /** Undefined until it is known. */
  readonly state: SandboxState | undefined;
  /** Resolves once a command has run inside for real, or it is clear that none can. Never rejects. */
  readonly ready: () => Promise<SandboxState>;
  /** Throws if the sandbox is not on: a command never runs outside because of an error. */
  readonly wrap: (command: string, options: WrapOptions) => Promise<SandboxedCommand>;
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
  readonly allowHost: (address: { readonly host: string; readonly port: number | undefined }) => Promise<boolean>;
  /** What rules add, looked at before each command. */
  readonly paths?: () => RulePaths;
}

/** Absolute paths, or globs for what is not read. */
export interface RulePaths {
  readonly write: readonly string[];
  readonly denyWrite: readonly string[];
  readonly denyRead: readonly string[];
}
