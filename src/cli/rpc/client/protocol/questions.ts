// Made from the schema by `npx vitest run --project rooms src/cli/rpc/rpc-docs.test.ts --update`.
import type { FileShapes } from "./files.js";

/** What the program asks the client, by method. */
export interface RpcQuestions {
  /** Choose one of the options, or none. */
  readonly "ui.select": {
    readonly params: {
      readonly title: string;
      readonly options: readonly string[];
      /** Milliseconds until the question is closed without an answer. */
      readonly timeout?: number;
    };
    readonly result: string | null;
  };
  /** Yes or no. */
  readonly "ui.confirm": {
    readonly params: {
      readonly title: string;
      readonly message?: string;
      /** Milliseconds until the question is closed without an answer. */
      readonly timeout?: number;
    };
    readonly result: boolean;
  };
  /** A line of text, or none. */
  readonly "ui.input": {
    readonly params: {
      readonly title: string;
      readonly placeholder?: string;
      /** Milliseconds until the question is closed without an answer. */
      readonly timeout?: number;
    };
    readonly result: string | null;
  };
  /** A longer text, or none. */
  readonly "ui.editor": {
    readonly params: {
      readonly title: string;
      readonly text?: string;
    };
    readonly result: string | null;
  };
  /** Whether a tool may do this: once, for the rest of the session (if `grant` says what that allows), always in this project (if `project` says what that allows), or no, with an optional reason for the model. Show `shown`, `warnings` and `preview`, and for a tool of an MCP server which `server` it is on; `target` is raw and may contain control characters. */
  readonly "ui.permission": {
    readonly params: {
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
      readonly preview?: FileShapes["FilePreview"];
      readonly shownPreview?: FileShapes["FilePreview"];
    };
    readonly result:
      | "once"
      | "session"
      | "project"
      | "no"
      | {
          readonly answer: "no";
          readonly reason: string;
        };
  };
}
