// Made from the schema by `npx vitest run packages/program/src/cli/rpc/rpc-docs.test.ts --update`.
/** Session: what the methods take and answer. */
import type { QueuedTexts, SwitchResult, Written } from "./answers.js";
import type { SessionHeader } from "./entries.js";
import type { Page, Paged } from "./parts.js";
import type { ExportedSession, Problem, SessionStats } from "./sessions.js";

export interface GetStateResult {
  /** Of the program. */
  readonly version: string;
  readonly protocol: number;
  readonly sessionId: string;
  readonly sessionFile: string | null;
  readonly name: string | null;
  readonly cwd: string;
  readonly leafId: string | null;
  /** provider/model. */
  readonly model: string | null;
  readonly thinkingLevel: string;
  readonly tools: readonly string[];
  readonly permissionMode: "plan" | "ask" | "edits" | "auto" | "read-only";
  readonly operation: string | null;
  readonly stopping: boolean;
  readonly queued: QueuedTexts;
  /** Whether the project may load its own extensions and permissions. */
  readonly trusted: boolean;
  /** Why nothing can be written; reopenForWriting may help. */
  readonly readOnly: {
    readonly message: string;
    readonly hint: string;
  } | null;
}

export interface GetTodoResult {
  readonly items: readonly {
    readonly text: string;
    readonly status: "pending" | "in_progress" | "done";
  }[];
}

export interface RenameParams {
  readonly name: string;
}

export interface NewSessionParams {
  readonly id?: string;
  readonly parentSession?: string;
}

export interface OpenSessionParams {
  /** A session: its path, ID, start of ID, or name. */
  readonly session: string;
}

export type GetProblemsParams = Page;

export interface GetProblemsResult extends Paged {
  readonly problems: readonly Problem[];
}

export interface ExportSessionParams {
  readonly format: "html" | "markdown" | "jsonl";
  /** Default: all for html, path for the others. */
  readonly scope?: "path" | "branch" | "all";
  readonly file: string;
  readonly existing?: "refuse" | "replace";
  readonly secrets?: "mask" | "keep";
}

export interface ExportBranchParams {
  /** An entry: its ID, the start of its ID, or its label. */
  readonly entryId: string;
  readonly scope?: "subtree" | "path";
  /** Must not exist yet. */
  readonly file: string;
  readonly secrets?: "mask" | "keep";
}

/** Session. */
export interface SessionMethods {
  /** The current state: session, position, model, tools, what is running and what is queued. */
  readonly getState: { readonly params: Readonly<Record<string, never>>; readonly result: GetStateResult };
  /** The todo list the model keeps, at the current position; empty if there is none. */
  readonly getTodo: { readonly params: Readonly<Record<string, never>>; readonly result: GetTodoResult };
  /** Counts, tokens and cost of the path and of the whole session. */
  readonly getStats: { readonly params: Readonly<Record<string, never>>; readonly result: SessionStats };
  /** Names the session. */
  readonly rename: { readonly params: RenameParams; readonly result: Written };
  /** Creates a session and switches to it. */
  readonly newSession: { readonly params: NewSessionParams; readonly result: SwitchResult };
  /** Switches to another session: by path, ID, start of ID, or name, each with an optional #entry. One that is only in the store is fetched. */
  readonly openSession: { readonly params: OpenSessionParams; readonly result: SwitchResult };
  /** Opens the current session for writing if it was opened read-only; the next prompt starts its own branch. */
  readonly reopenForWriting: { readonly params: Readonly<Record<string, never>>; readonly result: null };
  /** The first line of the session file: its ID, version, folder, and the session it was forked from. */
  readonly getHeader: { readonly params: Readonly<Record<string, never>>; readonly result: SessionHeader };
  /** A page of what was damaged or unusual in the session file, as far as it has been read; `verify` reads all of it. */
  readonly getProblems: { readonly params: GetProblemsParams; readonly result: GetProblemsResult };
  /** Writes all or part of the session as HTML, Markdown or JSONL, with secrets masked. */
  readonly exportSession: { readonly params: ExportSessionParams; readonly result: ExportedSession };
  /** Writes part of the session to a new session file, with secrets masked. */
  readonly exportBranch: { readonly params: ExportBranchParams; readonly result: ExportedSession };
}
