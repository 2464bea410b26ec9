// Made from the schema by `npx vitest run packages/program/src/cli/rpc/rpc-docs.test.ts --update`.
/** Session files: what the methods take and answer. */
import type { ArchiveOutcome, RestoreOutcome, SearchProgress } from "./answers.js";
import type { SessionHeader } from "./entries.js";
import type { Page, Paged } from "./parts.js";
import type { Finding, RepairReport, SearchHit, SessionInfo } from "./sessions.js";

export interface ListSessionsParams extends Page {
  readonly scope?: "folder" | "all" | "archive";
}

export interface ListSessionsResult extends Paged {
  readonly sessions: readonly SessionInfo[];
  /** Folders and files that could not be read: their sessions are missing. */
  readonly unreadable: readonly string[];
}

export interface SearchParams {
  readonly query?: string;
  /** Of the page before, instead of a query. */
  readonly cursor?: string;
  readonly scope?: "session" | "folder" | "all";
  /** Search these agents' sessions too. */
  readonly agents?: readonly ("claude-code" | "codex" | "opencode" | "gemini" | "pi")[];
  /** Only these roles: user, assistant, toolResult, compaction, … */
  readonly roles?: readonly string[];
  readonly caseSensitive?: boolean;
  /** How many at most; fewer come if they are long. */
  readonly limit?: number;
}

export interface SearchResult {
  readonly hits: readonly SearchHit[];
  /** For the next page; null if there is none. */
  readonly cursor: string | null;
  /** What was searched; null while there is more. */
  readonly progress: SearchProgress | null;
}

export interface VerifyParams extends Page {
  /** A session: its path, ID, start of ID, or name. Default: the current one. */
  readonly session?: string;
}

export interface VerifyResult extends Paged {
  readonly path: string;
  readonly header?: SessionHeader;
  /** As the header says. */
  readonly version?: unknown;
  readonly lines: number;
  readonly entries: number;
  readonly readable: number;
  /** Nothing is damaged. */
  readonly ok: boolean;
  readonly counts: {
    readonly damage: number;
    readonly odd: number;
    readonly note: number;
  };
  readonly findings: readonly Finding[];
}

export interface RepairParams {
  /** A session: its path, ID, start of ID, or name. Default: the current one. */
  readonly session?: string;
  /** The new file. */
  readonly out?: string;
}

export interface ArchiveParams {
  /** A session: its path, ID, start of ID, or name. */
  readonly session: string;
}

export interface RestoreParams {
  /** A session: its path, ID, start of ID, or name. */
  readonly session: string;
}

/** Session files. */
export interface SessionFilesMethods {
  /** A page of the sessions in this folder, in all folders, or in the archive, newest first. */
  readonly listSessions: { readonly params: ListSessionsParams; readonly result: ListSessionsResult };
  /** Searches sessions for words, a "phrase" in quotes, or re: and a regular expression. If there is a `cursor`, it gets the next page; `abort` ends the search. */
  readonly search: { readonly params: SearchParams; readonly result: SearchResult };
  /** Checks a session file for damage and answers a page of what it found. Changes nothing. */
  readonly verify: { readonly params: VerifyParams; readonly result: VerifyResult };
  /** Writes what is readable of a damaged session to a new file. The original is not modified. */
  readonly repair: { readonly params: RepairParams; readonly result: RepairReport };
  /** Archives a session. One that is open, here or elsewhere, stays. */
  readonly archive: { readonly params: ArchiveParams; readonly result: ArchiveOutcome };
  /** Restores an archived session. */
  readonly restore: { readonly params: RestoreParams; readonly result: RestoreOutcome };
}
