// Made from the schema by `npx vitest run --project rooms src/cli/rpc/rpc-docs.test.ts --update`.
import type { AnswerShapes } from "./answers.js";
import type { MessageShapes } from "./messages.js";
import type { OutcomeShapes } from "./outcomes.js";

/** Conversation. */
export interface ConversationMethods {
  /** Sends a prompt, or runs an extension's command, and answers when the model is done. */
  readonly prompt: {
    readonly params: {
      readonly text: string;
      /** The name of an agent of `spawnBranch`. Default: the first agent. */
      readonly agent?: string;
      readonly images?: readonly AnswerShapes["ImageInput"][];
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
    };
    readonly result: OutcomeShapes["RunOutcome"];
  };
  /** Sends a message to the running model before its next step. If nothing is running, or the run is being stopped, it becomes the next prompt. */
  readonly steer: {
    readonly params: {
      readonly text: string;
      /** The name of an agent of `spawnBranch`. Default: the first agent. */
      readonly agent?: string;
      readonly images?: readonly AnswerShapes["ImageInput"][];
    };
    readonly result: OutcomeShapes["Delivery"];
  };
  /** Sends a message when the run would end. If nothing is running, or the run is being stopped, it becomes the next prompt. */
  readonly followUp: {
    readonly params: {
      readonly text: string;
      /** The name of an agent of `spawnBranch`. Default: the first agent. */
      readonly agent?: string;
      readonly images?: readonly AnswerShapes["ImageInput"][];
    };
    readonly result: OutcomeShapes["Delivery"];
  };
  /** Adds a custom message: after the turn if something is running, otherwise immediately; it can start a run. */
  readonly sendMessage: {
    readonly params: {
      readonly customType: string;
      readonly content: AnswerShapes["ContentInput"];
      readonly display?: boolean;
      readonly details?: unknown;
      readonly triggerTurn?: boolean;
    };
    readonly result: OutcomeShapes["Delivery"];
  };
  /** Runs an extension's command; what it returns is sent as a prompt. */
  readonly command: {
    readonly params: {
      readonly name: string;
      readonly args?: string;
    };
    readonly result: OutcomeShapes["RunOutcome"];
  };
  /** Runs a shell command on the user's behalf, without asking, and records it in the session. */
  readonly runBash: {
    readonly params: {
      readonly command: string;
      readonly excludeFromContext?: boolean;
    };
    readonly result: {
      /** Entry ID. */
      readonly entryId: string;
      readonly message: MessageShapes["BashExecutionMessage"];
    };
  };
  /** Stops what is running and closes open questions. Returns the texts that were not delivered. */
  readonly abort: {
    readonly params: {
      /** The name of an agent of `spawnBranch`. Default: the first agent. */
      readonly agent?: string;
    };
    readonly result: AnswerShapes["QueuedTexts"];
  };
  /** Answers when nothing is running. */
  readonly whenIdle: {
    readonly params: {
      /** The name of an agent of `spawnBranch`. Default: the first agent. */
      readonly agent?: string;
    };
    readonly result: null;
  };
}
