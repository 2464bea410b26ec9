// Made from the schema by `npx vitest run --project rooms src/cli/rpc/rpc-docs.test.ts --update`.
import type { AnswerShapes } from "./answers.js";
import type { EntryShapes } from "./entries.js";
import type { PartShapes } from "./parts.js";
import type { SessionShapes } from "./sessions.js";

/** Session. */
export interface SessionMethods {
  /** The current state: session, position, model, tools, what is running and what is queued. */
  readonly getState: {
    readonly params: Readonly<Record<string, never>>;
    readonly result: {
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
      readonly queued: AnswerShapes["QueuedTexts"];
      /** Whether the project may load its own extensions and permissions. */
      readonly trusted: boolean;
      /** Why nothing can be written; reopenForWriting may help. */
      readonly readOnly: {
        readonly message: string;
        readonly hint: string;
      } | null;
    };
  };
  /** The todo list the model keeps, at the current position; empty if there is none. */
  readonly getTodo: {
    readonly params: Readonly<Record<string, never>>;
    readonly result: {
      readonly items: readonly {
        readonly text: string;
        readonly status: "pending" | "in_progress" | "done";
      }[];
    };
  };
  /** Counts, tokens and cost of the path and of the whole session. */
  readonly getStats: {
    readonly params: Readonly<Record<string, never>>;
    readonly result: SessionShapes["SessionStats"];
  };
  /** Names the session. */
  readonly rename: {
    readonly params: {
      readonly name: string;
    };
    readonly result: AnswerShapes["Written"];
  };
  /** Creates a session and switches to it. */
  readonly newSession: {
    readonly params: {
      readonly id?: string;
      readonly parentSession?: string;
    };
    readonly result: AnswerShapes["SwitchResult"];
  };
  /** Switches to another session: by path, ID, start of ID, or name, each with an optional #entry. One that is only in the store is fetched. */
  readonly openSession: {
    readonly params: {
      /** A session: its path, ID, start of ID, or name. */
      readonly session: string;
    };
    readonly result: AnswerShapes["SwitchResult"];
  };
  /** Opens the current session for writing if it was opened read-only; the next prompt starts its own branch. */
  readonly reopenForWriting: { readonly params: Readonly<Record<string, never>>; readonly result: null };
  /** The first line of the session file: its ID, version, folder, and the session it was forked from. */
  readonly getHeader: {
    readonly params: Readonly<Record<string, never>>;
    readonly result: EntryShapes["SessionHeader"];
  };
  /** A page of what was damaged or unusual in the session file, as far as it has been read; `verify` reads all of it. */
  readonly getProblems: {
    readonly params: PartShapes["Page"];
    readonly result: {
      readonly total: number;
      readonly offset: number;
      /** The offset of the next page; null on the last one. */
      readonly next: number | null;
      readonly problems: readonly SessionShapes["Problem"][];
    };
  };
  /** Writes all or part of the session as HTML, Markdown or JSONL, with secrets masked. */
  readonly exportSession: {
    readonly params: {
      readonly format: "html" | "markdown" | "jsonl";
      /** Default: all for html, path for the others. */
      readonly scope?: "path" | "branch" | "all";
      readonly file: string;
      readonly existing?: "refuse" | "replace";
      readonly secrets?: "mask" | "keep";
    };
    readonly result: SessionShapes["ExportedSession"];
  };
  /** Writes part of the session to a new session file, with secrets masked. */
  readonly exportBranch: {
    readonly params: {
      /** An entry: its ID, the start of its ID, or its label. */
      readonly entryId: string;
      readonly scope?: "subtree" | "path";
      /** Must not exist yet. */
      readonly file: string;
      readonly secrets?: "mask" | "keep";
    };
    readonly result: SessionShapes["ExportedSession"];
  };
}
