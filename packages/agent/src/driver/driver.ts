/**
 * What drives a session instead of Bough's own agent. A driver does the turns; the tree, the files and the permissions
 * stay Bough's. The tests of `agent/driver` are what every driver must pass.
 */
import type { ProcessIdentity } from "@bough/session/log/index.js";
import type { AgentName } from "@bough/workbench/interop/index.js";
import type { PermissionMode, Rule } from "../tool/index.js";

export interface Driver {
  /** As typed by the user, such as `pi`. */
  readonly name: string;
  /** As shown to the user. */
  readonly title: string;
  /** Whose transcripts it writes; undefined if Bough cannot read them. */
  readonly transcripts?: AgentName;
  /** The agent's own mode for each of Bough's; the one it starts in where there is none. */
  readonly modes?: DriverModes;
  /** Whether a `deny` rule holds, because the agent can be made to ask. Default: it holds only where it asks anyway. */
  readonly holds?: (rule: Rule) => boolean;
  /** `never`: it edits files and runs commands without asking anyone. */
  readonly asks: "always" | "sometimes" | "never" | "unknown";
  /** The environment of its process, in which its home and its keys are. Default: that of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Starts the agent. Throws a DriverError; then nothing is left running. */
  open(options: OpenDriverOptions): Promise<OpenDriver>;
}

export type DriverModes = Readonly<Partial<Record<PermissionMode, string>>>;

export interface OpenDriverOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /** It must ask before everything that rules can be about, as far as `holds` says that it can. */
  readonly asksAlways?: boolean;
  /** What the user should know, such as output that is not a message. */
  readonly onNotice: (message: string) => void;
  /** What the agent does in a session without a prompt, such as work in the background. Default: ignored. */
  readonly late?: LateListener;
}

export interface LateListener {
  readonly onUpdate: (id: string, update: DriverUpdate) => void;
  /** The agent waits for the answer. */
  readonly onQuestion: (id: string, question: DriverQuestion) => Promise<DriverAnswer>;
}

/** In milliseconds. A prompt has no limit. */
export interface DriverLimits {
  readonly start: number;
  /** A new session. */
  readonly create: number;
  readonly load: number;
  /** From being told to stop until the process is ended. */
  readonly cancel: number;
}

/** A running agent. */
export interface OpenDriver {
  readonly version: string | undefined;
  readonly process: ProcessIdentity;
  readonly canLoad: boolean;
  readonly takesImages: boolean;
  /** False once the process has ended. */
  readonly isAlive: boolean;
  create(options: { readonly signal: AbortSignal }): Promise<NativeFacts>;
  /**
   * Continues a stored session. The result has the prompts that the agent replayed, to check that the history is there;
   * waits a moment for them if `isWhole` is not satisfied.
   */
  load(id: string, options: LoadOptions): Promise<LoadedNative>;
  setMode(id: string, mode: string, options: { readonly signal: AbortSignal }): Promise<void>;
  /** What can be chosen in a session now. Changes with what is chosen. */
  options(id: string): readonly DriverOption[];
  /** Throws a DriverError if the agent refuses it. */
  choose(id: string, choice: DriverChoice, options: { readonly signal: AbortSignal }): Promise<void>;
  /** Deletes a stored session of the agent. False if the agent cannot do that. */
  remove(id: string, options: { readonly signal: AbortSignal }): Promise<boolean>;
  /** Resolves when the turn is over. If the signal fires, the agent is told to stop, and ended if it does not. */
  prompt(id: string, request: DriverPrompt): Promise<TurnEnd>;
  /** Ends the process and everything it started. Never rejects. */
  close(): Promise<void>;
}

/** `effort`: how much the model thinks. `mode`: what it may do, as the agent understands it. */
export type DriverOptionName = "model" | "effort" | "mode";

/** Something that can be chosen in a session of the agent. */
export interface DriverOption {
  readonly option: DriverOptionName;
  /** What is chosen; absent if the agent does not say. */
  readonly value?: string;
  readonly values: readonly DriverValue[];
}

export interface DriverValue {
  readonly id: string;
  readonly name: string;
  readonly about?: string;
}

export interface DriverChoice {
  readonly option: DriverOptionName;
  /** The ID of a value. */
  readonly value: string;
}

/** Choices by name. Each is an ID, a name, or an unambiguous part of either. */
export interface DriverChoices {
  readonly model?: string | undefined;
  readonly effort?: string | undefined;
  /** One of the agent's own modes. Not used in the modes `plan` and `read-only`, and only until the mode changes. */
  readonly mode?: string | undefined;
}

export interface LoadOptions {
  readonly signal: AbortSignal;
  /** Whether these replayed prompts are all that is expected. */
  readonly isWhole: (prompts: readonly string[]) => boolean;
}

/** An agent's own session. */
export interface NativeFacts {
  readonly id: string;
  readonly modes: readonly { readonly id: string; readonly name: string }[];
  /** The mode that it is in. */
  readonly mode?: string;
  readonly model?: string;
}

export interface LoadedNative extends NativeFacts {
  /** The prompts that were replayed. */
  readonly prompts: readonly string[];
}

export interface DriverPrompt {
  readonly text: string;
  /** An earlier conversation, as text: for an agent that cannot load one. It comes first. */
  readonly given?: string | undefined;
  readonly images: readonly { readonly data: string; readonly mimeType: string }[];
  readonly signal: AbortSignal;
  readonly onUpdate: (update: DriverUpdate) => void;
  /** The agent waits for the answer. */
  readonly onQuestion: (question: DriverQuestion) => Promise<DriverAnswer>;
}

export interface TurnEnd {
  /** `refused`: the model refused to continue. `limit`: a limit of the agent was reached. */
  readonly reason: "done" | "cancelled" | "refused" | "limit";
}

export type DriverUpdate =
  | { readonly kind: "text" | "thinking"; readonly text: string }
  | { readonly kind: "call"; readonly call: DriverCall };

/** A tool call as far as it is known: later updates have the fields that changed. */
export interface DriverCall {
  readonly id: string;
  readonly name?: string;
  readonly title?: string;
  readonly action?: "read" | "search" | "edit" | "run" | "fetch" | "other";
  readonly status?: "pending" | "running" | "done" | "failed";
  readonly input?: unknown;
  readonly output?: string;
  readonly paths?: readonly string[];
  readonly edits?: readonly FileEdit[];
}

export interface FileEdit {
  readonly path: string;
  readonly oldText: string | undefined;
  readonly newText: string;
}

export interface DriverQuestion {
  readonly call: DriverCall;
}

/** Permission for this call only: a driver never tells its agent to allow more. */
export type DriverAnswer = "allow" | "deny";
