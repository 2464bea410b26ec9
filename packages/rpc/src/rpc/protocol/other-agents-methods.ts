// Made from the schema by `npx vitest run packages/program/src/cli/rpc/rpc-docs.test.ts --update`.
/** Other agents: what the methods take and answer. */
import type { ForeignSession } from "./answers.js";
import type { Page, Paged } from "./parts.js";

export interface ListForeignSessionsParams extends Page {
  /** Default: every agent. */
  readonly agents?: readonly ("claude-code" | "codex" | "opencode" | "gemini" | "pi")[];
  /** `folder`: only those in this working directory. */
  readonly scope?: "folder" | "all";
}

export interface ListForeignSessionsResult extends Paged {
  readonly sessions: readonly ForeignSession[];
}

export interface ImportSessionParams {
  /** Its file, file#id, ID, start of ID, agent:id, or title. */
  readonly session: string;
  /** Switch to it after the import. */
  readonly open?: boolean;
}

export interface ImportSessionResult {
  readonly kind: "imported" | "extended" | "unchanged" | "stopped";
  readonly file?: string;
  /** Entries. */
  readonly added?: number;
  readonly turns?: number;
  readonly branches?: number;
  /** What became of the records of the transcript. */
  readonly report?: {
    readonly records: number;
    readonly kept: number;
    readonly converted: number;
    readonly notes: number;
    readonly reported: number;
    readonly unknown: readonly string[];
    readonly missing: readonly string[];
  };
  readonly opened: boolean;
  /** For people. */
  readonly message?: string;
}

export interface HandoffParams {
  readonly agent: "claude-code" | "codex" | "opencode" | "gemini" | "pi";
  /** The end of the path (default: the leaf). */
  readonly entryId?: string;
  /** Folder to resume in (default: the session's). */
  readonly folder?: string;
  /** `false` only plans. */
  readonly write?: boolean;
  /** Write also if the agent cannot store everything; without it that fails with `needs-agreement`. */
  readonly agreed?: boolean;
}

export interface HandoffResult {
  readonly session: {
    readonly id: string;
    readonly path: string | null;
    readonly name: string | null;
    readonly leafId: string | null;
  };
  /** The end of the path. */
  readonly entryId: string | null;
  /** The prompt it ends on. */
  readonly lastPrompt?: {
    readonly entryId: string;
    readonly text: string;
  };
  readonly agent: "claude-code" | "codex" | "opencode" | "gemini" | "pi";
  readonly file: string;
  readonly sessionId: string;
  readonly records: number;
  /** What the agent cannot store as it is. */
  readonly losses: readonly {
    readonly entryId: string;
    readonly what: string;
    readonly effect: string;
  }[];
  /** What another agent told its own model; not written. */
  readonly leftOut: readonly {
    readonly entryId: string;
    readonly what: string;
    readonly effect: string;
  }[];
  readonly resume: {
    readonly command: readonly string[];
    readonly cwd: string;
    /** A command to run once before it. */
    readonly before?: readonly string[];
    /** For a shell. */
    readonly shell: string;
    /** The same as `shell`. */
    readonly line: string;
  };
  readonly written: boolean;
}

/** Other agents. */
export interface OtherAgentsMethods {
  /** A page of other agents' sessions in their default folders, newest first. */
  readonly listForeignSessions: {
    readonly params: ListForeignSessionsParams;
    readonly result: ListForeignSessionsResult;
  };
  /** Imports another agent's session, or what is new in it, and switches to it. `abort` stops the import; the transcript is not modified. */
  readonly importSession: { readonly params: ImportSessionParams; readonly result: ImportSessionResult };
  /** Writes a path as another agent's transcript, and answers how to resume it and what that agent cannot store. Overwrites nothing. */
  readonly handoff: { readonly params: HandoffParams; readonly result: HandoffResult };
}
