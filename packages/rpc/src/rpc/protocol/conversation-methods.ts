// Made from the schema by `npx vitest run packages/program/src/cli/rpc/rpc-docs.test.ts --update`.
/** Conversation: what the methods take and answer. */
import type { ContentInput, ImageInput, QueuedTexts } from "./answers.js";
import type { BashExecutionMessage } from "./messages.js";
import type { Delivery, RunOutcome } from "./outcomes.js";

export interface PromptParams {
  readonly text: string;
  /** The name of an agent of `spawnBranch`. Default: the first agent. */
  readonly agent?: string;
  readonly images?: readonly ImageInput[];
  /** How far the run may go; it then ends with the outcome `aborted` and the name of the limit. */
  readonly limits?: {
    /** Model steps. */
    readonly steps?: number;
    /** Tokens of all steps together. */
    readonly tokens?: number;
    /** Dollars of all steps together. */
    readonly dollars?: number;
    /** Time from the first step on. */
    readonly milliseconds?: number;
  };
  /** A JSON Schema: the model gives its answer in this form, and the outcome has it as `output`. */
  readonly output?: Readonly<Record<string, unknown>>;
}

export interface SteerParams {
  readonly text: string;
  /** The name of an agent of `spawnBranch`. Default: the first agent. */
  readonly agent?: string;
  readonly images?: readonly ImageInput[];
}

export interface FollowUpParams {
  readonly text: string;
  /** The name of an agent of `spawnBranch`. Default: the first agent. */
  readonly agent?: string;
  readonly images?: readonly ImageInput[];
}

export interface SendMessageParams {
  readonly customType: string;
  readonly content: ContentInput;
  readonly display?: boolean;
  readonly details?: unknown;
  readonly triggerTurn?: boolean;
}

export interface CommandParams {
  readonly name: string;
  readonly args?: string;
}

export interface RunBashParams {
  readonly command: string;
  readonly excludeFromContext?: boolean;
}

export interface RunBashResult {
  /** Entry ID. */
  readonly entryId: string;
  readonly message: BashExecutionMessage;
}

export interface AbortParams {
  /** The name of an agent of `spawnBranch`. Default: the first agent. */
  readonly agent?: string;
}

export interface WhenIdleParams {
  /** The name of an agent of `spawnBranch`. Default: the first agent. */
  readonly agent?: string;
}

/** Conversation. */
export interface ConversationMethods {
  /** Sends a prompt, or runs an extension's command, and answers when the model is done. */
  readonly prompt: { readonly params: PromptParams; readonly result: RunOutcome };
  /** Sends a message to the running model before its next step. If nothing is running, or the run is being stopped, it becomes the next prompt. */
  readonly steer: { readonly params: SteerParams; readonly result: Delivery };
  /** Sends a message when the run would end. If nothing is running, or the run is being stopped, it becomes the next prompt. */
  readonly followUp: { readonly params: FollowUpParams; readonly result: Delivery };
  /** Adds a custom message: after the turn if something is running, otherwise immediately; it can start a run. */
  readonly sendMessage: { readonly params: SendMessageParams; readonly result: Delivery };
  /** Runs an extension's command; what it returns is sent as a prompt. */
  readonly command: { readonly params: CommandParams; readonly result: RunOutcome };
  /** Runs a shell command on the user's behalf, without asking, and records it in the session. */
  readonly runBash: { readonly params: RunBashParams; readonly result: RunBashResult };
  /** Stops what is running and closes open questions. Returns the texts that were not delivered. */
  readonly abort: { readonly params: AbortParams; readonly result: QueuedTexts };
  /** Answers when nothing is running. */
  readonly whenIdle: { readonly params: WhenIdleParams; readonly result: null };
}
