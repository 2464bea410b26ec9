/** A tool takes validated input, and returns content for the model and details for front ends. */
import type { ImageBlock, TextBlock } from "@bough/session/entry/index.js";
import type { Blocked } from "./sandbox/sandbox.js";
import type { SpawnRequest } from "./spawn-request.js";
import type { WebSearchResult } from "./web-search-result.js";

export interface ToolResult<Details = unknown> {
  readonly content: readonly (TextBlock | ImageBlock)[];
  readonly details?: Details;
  /** The call failed, and the model is told so. */
  readonly isError?: boolean;
  /** Ends the run once every call of this step has its result; the model is not asked again. */
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
  /**
   * Asks before reading outside the working directory, writing or running. Does not throw; a refusal is for the model.
   */
  readonly permit: (request: PermissionRequest) => Promise<PermissionDecision>;
  /** A private folder for output that is too long for the context. */
  readonly outputDir: string;
  /**
   * Call it before a file is written, with the real path and, if known, the new content; call the function it returns
   * after the write. A tool that does this for every file it changes sets `reportsFiles`.
   */
  readonly beforeWrite?: (path: string, content?: Uint8Array) => Promise<(() => Promise<void>) | undefined>;
  /** Call it with the ID of a process group that the tool has started, as soon as it runs. */
  readonly onGroup?: (group: number) => void;
  /** Set as `BOUGH_CALL` in the environment of commands, so that processes that survive a kill can be found. */
  readonly mark?: string;
  /** Has a sub-agent do a task below this call. Absent if this agent starts none. */
  readonly spawn?: (request: SpawnRequest) => Promise<ToolResult>;
  /** Has the provider of the model search the web. Throws a ToolFailure. Absent if this agent cannot. */
  readonly search?: (query: string, signal: AbortSignal) => Promise<WebSearchResult>;
  /** Pauses the time limit of the call, for example while the user is asked, until the returned function is called. */
  readonly hold?: () => () => void;
}

/** A session event, for tools with state. */
export interface ToolSessionEvent {
  readonly reason: "start" | "move" | "fork" | "switch" | "shutdown";
  /** Entries from the root to the new leaf. */
  readonly path: readonly unknown[];
  readonly previousSessionFile?: string;
}

/** Input that matches the schema of a tool, or a sentence for the model on why it does not. */
export type CheckedInput =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: string };

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Changes nothing outside the conversation. Any other tool needs permission before it runs. */
  readonly readOnly: boolean;
  /**
   * Who asks permission for a tool that is not read-only. By default the agent does, before `execute`. With `own`,
   * `execute` calls `context.permit` before it changes anything, so that it can validate first and name the path or
   * command.
   */
  readonly permission?: "own";
  /** `own`: the tool enforces its own time limit, so that no other is needed. */
  readonly timeLimit?: "own";
  /** The tool reports every file it changes with `context.beforeWrite`, so no scan for other changes is needed. */
  readonly reportsFiles?: true;
  /**
   * Whether a call with this input certainly changes no file. If omitted, a tool that is not read-only may change some.
   */
  readonly changesNothing?: (input: unknown, place: { readonly cwd: string }) => boolean;
  /** The MCP server that has the tool, and the tool's name there. */
  readonly server?: { readonly name: string; readonly tool: string };
  /** `web-search`: the tool is offered only to models whose provider searches the web. */
  readonly needs?: "web-search";
  /** Display name; the name by default. */
  readonly label?: string;
  /** One line about the tool for the system prompt. */
  readonly promptSnippet?: string;
  /** Rules for the system prompt while the tool is in use. */
  readonly promptGuidelines?: readonly string[];
  /** `sequential`: all calls of an answer that uses the tool run one after another. */
  readonly executionMode?: "sequential" | "parallel";
  /** Repairs what the model sent, before permissions, extensions and `check` see it. */
  readonly prepareArguments?: (input: unknown) => unknown;
  /** Validates what the model sent. The reason is a sentence for the model. */
  readonly check: (input: unknown) => CheckedInput;
  readonly execute: (input: unknown, context: ToolContext) => Promise<ToolResult>;
  readonly onSession?: (event: ToolSessionEvent) => void | Promise<void>;
}

/** From the narrowest to the widest; `read-only` has the limits of `plan`, but the model is not told to plan. */
export const PERMISSION_MODES = ["plan", "ask", "edits", "auto", "read-only"] as const;
export type PermissionMode = (typeof PERMISSION_MODES)[number];

export interface PermissionRequest {
  readonly tool: string;
  /** `fetch`: a URL. `use`: a tool of which only the input is known, such as one from an extension. */
  readonly action: "read" | "write" | "run" | "fetch" | "use";
  /** A path, a command line, a URL, or for `use` the input as JSON. */
  readonly target: string;
  /** For `use`: the MCP server that has the tool, and the tool's name there. */
  readonly server?: { readonly name: string; readonly tool: string };
  /** How a file would change. */
  readonly preview?: FilePreview;
  /** A sentence for the user about this request. */
  readonly note?: string;
  /** The target only describes a command: no rule or earlier answer can allow it. */
  readonly isDescription?: true;
  /** The tool call that asks, if any. */
  readonly callId?: string;
  /** The sub-agent that asks; absent if it is the main agent. */
  readonly by?: string;
  /** The request is to run a command again outside the sandbox, which kept it from these things. */
  readonly blocked?: readonly Blocked[];
  /** The request is to put back a file that a command created and the sandbox moved here. */
  readonly movedTo?: string;
}

/** What a change would do to a file. Texts are verbatim: front ends must make hidden characters visible. */
export type FilePreview =
  | { readonly kind: "create"; readonly text: string }
  /** A unified diff. */
  | { readonly kind: "change"; readonly diff: string; readonly added: number; readonly removed: number }
  /** The file exists, but the versions cannot be compared: too large, too different, or not text. */
  | { readonly kind: "replace"; readonly text: string; readonly bytes: number };

/** A permission request as the user sees it. */
export interface PermissionQuestion extends PermissionRequest {
  /** The target to display, with hidden characters made visible. */
  readonly shown: string;
  /** What the user should know first: hidden characters, or a file that can run code later. */
  readonly warnings: readonly string[];
  /** What the answer `session` would allow, in plain words; absent if only `once` is possible. */
  readonly grant?: string;
  /** What the answer `project` would always allow in this project, in plain words; absent if it is not offered. */
  readonly project?: string;
  /** What the answer `everywhere` would always allow in every project, in plain words; absent if it is not offered. */
  readonly everywhere?: string;
}

export type PermissionDecision =
  /** `outside`: a command runs outside the sandbox, although there may be one. */
  { readonly allowed: true; readonly outside?: true } | { readonly allowed: false; readonly reason: string };

/**
 * The user's answer: this time, for the rest of the session, always in this project, always in every project, or no,
 * optionally with what to do instead.
 */
export type PermissionAnswer =
  | "once"
  | "session"
  | "project"
  | "everywhere"
  | "no"
  | { readonly answer: "no"; readonly reason: string };
