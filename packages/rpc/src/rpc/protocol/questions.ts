// Made from the schema by `npx vitest run packages/program/src/cli/rpc/rpc-docs.test.ts --update`.
/** Questions: what the program asks a client. */
import type { FilePreview } from "./files.js";

export interface UiSelectParams {
  readonly title: string;
  readonly options: readonly string[];
  /** Milliseconds until the question is closed without an answer. */
  readonly timeout?: number;
}

export type UiSelectAnswer = string | null;

export interface UiConfirmParams {
  readonly title: string;
  readonly message?: string;
  /** Milliseconds until the question is closed without an answer. */
  readonly timeout?: number;
}

export interface UiInputParams {
  readonly title: string;
  readonly placeholder?: string;
  /** Milliseconds until the question is closed without an answer. */
  readonly timeout?: number;
}

export type UiInputAnswer = string | null;

export interface UiEditorParams {
  readonly title: string;
  readonly text?: string;
}

export type UiEditorAnswer = string | null;

export interface UiPermissionParams {
  readonly tool: string;
  readonly action: "read" | "write" | "run" | "fetch" | "use";
  readonly target: string;
  readonly server?: {
    readonly name: string;
    readonly tool: string;
  };
  readonly shown: string;
  readonly warnings: readonly string[];
  readonly grant?: string;
  readonly project?: string;
  readonly preview?: FilePreview;
  readonly shownPreview?: FilePreview;
}

export type UiPermissionAnswer =
  | "once"
  | "session"
  | "project"
  | "no"
  | {
      readonly answer: "no";
      readonly reason: string;
    };

/** What the program asks the client, by method. */
export interface RpcQuestions {
  /** Choose one of the options, or none. */
  readonly "ui.select": {
    readonly params: UiSelectParams;
    readonly result: UiSelectAnswer;
  };
  /** Yes or no. */
  readonly "ui.confirm": {
    readonly params: UiConfirmParams;
    readonly result: boolean;
  };
  /** A line of text, or none. */
  readonly "ui.input": {
    readonly params: UiInputParams;
    readonly result: UiInputAnswer;
  };
  /** A longer text, or none. */
  readonly "ui.editor": {
    readonly params: UiEditorParams;
    readonly result: UiEditorAnswer;
  };
  /** Whether a tool may do this: once, for the rest of the session (if `grant` says what that allows), always in this project (if `project` says what that allows), or no, with an optional reason for the model. Show `shown`, `warnings` and `preview`, and for a tool of an MCP server which `server` it is on; `target` is raw and may contain control characters. */
  readonly "ui.permission": {
    readonly params: UiPermissionParams;
    readonly result: UiPermissionAnswer;
  };
}
