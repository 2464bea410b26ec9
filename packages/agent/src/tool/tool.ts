/** What the agent can do. A tool takes checked input and gives content for the model and details for people. */
import type { ImageBlock, TextBlock } from "@bough/session/entry/index.js";

export interface ToolResult<Details = unknown> {
  readonly content: readonly (TextBlock | ImageBlock)[];
  readonly details?: Details;
  /** The tool did what it could and it did not work out: the model is told so. */
  readonly isError?: boolean;
  /** Ends the run once every call of this step has its result: the model is not asked again. */
  readonly stop?: boolean;
  /** Ends the run if every result of this step says so. */
  readonly terminate?: boolean;
}

/** Output so far of a tool that is still running. */
export interface ToolUpdate {
  readonly text: string;
  readonly details?: unknown;
}

export interface ToolContext {
  readonly cwd: string;
  readonly callId: string;
  readonly signal: AbortSignal;
  readonly onUpdate: (update: ToolUpdate) => void;
  /** Asks before anything is read outside, written or run. Throws nothing; a refusal is an answer for the model. */
  readonly permit: (request: PermissionRequest) => Promise<PermissionDecision>;
  /** A private folder for output that is too long for the context. */
  readonly outputDir: string;
  /**
   * Told before a file is written, with its real path and what it is to hold, if that is known; what it answers is called
   * once that is done. A tool that does so for every file it changes says so with `reportsFiles`.
   */
  readonly beforeWrite?: (path: string, content?: Uint8Array) => Promise<(() => Promise<void>) | undefined>;
  /** Told the number of a process group that the tool has started, as soon as it runs. */
  readonly onGroup?: (group: number) => void;
  /** Goes into the environment of commands as `BOUGH_CALL`: one that outlives a kill is found by it. */
  readonly mark?: string;
  /** Stops the clock of the call until the returned function is called: while a user is asked something. */
  readonly hold?: () => () => void;
}

/** A session event that tools with state may follow. */
export interface ToolSessionEvent {
  readonly reason: "start" | "move" | "fork" | "switch" | "shutdown";
  /** Entries from the root to the new leaf. */
  readonly path: readonly unknown[];
  readonly previousSessionFile?: string;
}

/** Input that fits the schema of a tool, or a sentence for the model about why it does not. */
export type CheckedInput =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: string };

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Changes nothing outside the conversation. Every other tool is asked about before it runs. */
  readonly readOnly: boolean;
  /**
   * Who asks about a tool that is not read-only. By default the agent does, before `execute`. With `own`, `execute` asks
   * by `context.permit` before it changes anything: it can check first and name the path or the command.
   */
  readonly permission?: "own";
  /** `own`: it ends on its own within a time it was given, so that no other limit is needed. */
  readonly timeLimit?: "own";
  /** It tells of every file it changes, by `context.beforeWrite`: nobody has to look for what else it did. */
  readonly reportsFiles?: true;
  /** Whether a call with this input certainly changes no file. Without it, a tool that is not read-only may. */
  readonly changesNothing?: (input: unknown, place: { readonly cwd: string }) => boolean;
  /** The MCP server it is on, and what that calls it. */
  readonly server?: { readonly name: string; readonly tool: string };
  /** For people; the name by default. */
  readonly label?: string;
  /** One line about it in the system prompt. */
  readonly promptSnippet?: string;
  /** Rules for the system prompt while the tool is in use. */
  readonly promptGuidelines?: readonly string[];
  /** `sequential`: the calls of an answer that uses it run one after the other. */
  readonly executionMode?: "sequential" | "parallel";
  /** Repairs what the model sent. Everyone who decides about the call sees the repaired input; then it is checked. */
  readonly prepareArguments?: (input: unknown) => unknown;
  /** Checks what the model sent. A reason is a sentence for the model. */
  readonly check: (input: unknown) => CheckedInput;
  readonly execute: (input: unknown, context: ToolContext) => Promise<ToolResult>;
  readonly onSession?: (event: ToolSessionEvent) => void | Promise<void>;
}

/** From the narrowest to the widest; `read-only` has the limits of `plan`, but the model is not told to plan. */
export const PERMISSION_MODES = ["plan", "ask", "edits", "auto", "read-only"] as const;
export type PermissionMode = (typeof PERMISSION_MODES)[number];

export interface PermissionRequest {
  readonly tool: string;
  /** `fetch`: an address on the web. `use`: a tool of which only its input is known, such as one of an extension. */
  readonly action: "read" | "write" | "run" | "fetch" | "use";
  /** A path, a command line, an address, or for `use` the input as JSON. */
  readonly target: string;
  /** For `use`: the MCP server the tool is on, and what that calls it. */
  readonly server?: { readonly name: string; readonly tool: string };
  /** What would become of a file. */
  readonly preview?: FilePreview;
  /** A sentence for the user about this request. */
  readonly note?: string;
  /** The tool call that asks, if one does. */
  readonly callId?: string;
}

/** What a change would do to a file. Texts are as they are in the file: a front end makes hidden characters visible. */
export type FilePreview =
  | { readonly kind: "create"; readonly text: string }
  /** A unified diff. */
  | { readonly kind: "change"; readonly diff: string; readonly added: number; readonly removed: number }
  /** There is a file, but the two cannot be compared: too large, too different, or not text. */
  | { readonly kind: "replace"; readonly text: string; readonly bytes: number };

/** A request as a user is asked about it. */
export interface PermissionQuestion extends PermissionRequest {
  /** The target with everything hidden in it made visible: what a front end shows. */
  readonly shown: string;
  /** What the user should know first: hidden characters, a file that can run code later. */
  readonly warnings: readonly string[];
  /** What the answer `session` would allow, in plain words; absent if only this once can be allowed. */
  readonly grant?: string;
  /** What the answer `project` would always allow in this project, in plain words; absent if it is not offered. */
  readonly project?: string;
}

export type PermissionDecision = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

/**
 * What a user answers: this time, for the rest of the session, always in this project, or no, which may come with what
 * to do instead.
 */
export type PermissionAnswer =
  | "once"
  | "session"
  | "project"
  | "no"
  | { readonly answer: "no"; readonly reason: string };
