// Made from the schema by `npx vitest run --project rooms src/cli/rpc/rpc-docs.test.ts --update`.
import type { AnswerShapes } from "./answers.js";
import type { EntryShapes } from "./entries.js";
import type { PartShapes } from "./parts.js";
import type { SessionShapes } from "./sessions.js";

/** Session files. */
export interface SessionFilesMethods {
  /** A page of the sessions in this folder, in all folders, or in the archive, newest first. */
  readonly listSessions: {
    readonly params: {
      readonly scope?: "folder" | "all" | "archive";
    } & PartShapes["Page"];
    readonly result: {
      readonly total: number;
      readonly offset: number;
      /** The offset of the next page; null on the last one. */
      readonly next: number | null;
      readonly sessions: readonly SessionShapes["SessionInfo"][];
    };
  };
  /** Searches sessions for words, a "phrase" in quotes, or re: and a regular expression. If there is a `cursor`, it gets the next page; `abort` ends the search. */
  readonly search: {
    readonly params: {
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
    };
    readonly result: {
      readonly hits: readonly SessionShapes["SearchHit"][];
      /** For the next page; null if there is none. */
      readonly cursor: string | null;
      /** What was searched; null while there is more. */
      readonly progress: AnswerShapes["SearchProgress"] | null;
    };
  };
  /** Checks a session file for damage and answers a page of what it found. Changes nothing. */
  readonly verify: {
    readonly params: {
      /** A session: its path, ID, start of ID, or name. Default: the current one. */
      readonly session?: string;
    } & PartShapes["Page"];
    readonly result: {
      readonly path: string;
      readonly header?: EntryShapes["SessionHeader"];
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
      readonly total: number;
      readonly offset: number;
      /** The offset of the next page; null on the last one. */
      readonly next: number | null;
      readonly findings: readonly SessionShapes["Finding"][];
    };
  };
  /** Writes what is readable of a damaged session to a new file. The original is not modified. */
  readonly repair: {
    readonly params: {
      /** A session: its path, ID, start of ID, or name. Default: the current one. */
      readonly session?: string;
      /** The new file. */
      readonly out?: string;
    };
    readonly result: SessionShapes["RepairReport"];
  };
  /** Archives a session. One that is open, here or elsewhere, stays. */
  readonly archive: {
    readonly params: {
      /** A session: its path, ID, start of ID, or name. */
      readonly session: string;
    };
    readonly result: AnswerShapes["ArchiveOutcome"];
  };
  /** Restores an archived session. */
  readonly restore: {
    readonly params: {
      /** A session: its path, ID, start of ID, or name. */
      readonly session: string;
    };
    readonly result: AnswerShapes["RestoreOutcome"];
  };
}
