// Made from the schema by `npx vitest run packages/program/src/cli/rpc/rpc-docs.test.ts --update`.
/** Files: what the methods take and answer. */
import type { MovedFiles } from "./answers.js";
import type { FileDifference, PlannedFile, SkippedFile, WrittenBy } from "./files.js";
import type { Page, Paged } from "./parts.js";

export interface PlanFilesParams extends Page {
  /** An entry; null is before the first one. */
  readonly entryId: string | null;
  /** Only these files and folders. Default: all. */
  readonly paths?: readonly string[];
}

export interface PlanFilesResult extends Paged {
  readonly root: string;
  /** To be written, for all paths. */
  readonly bytes: number;
  readonly conflicts: number;
  readonly missing: number;
  /** Paths that decide what runs. */
  readonly protected: number;
  readonly files: readonly PlannedFile[];
}

export interface RestoreFilesParams {
  /** An entry; null is before the first one. */
  readonly entryId: string | null;
  /** Only these files and folders. Default: all. */
  readonly paths?: readonly string[];
  /** Files that were changed outside of the session: keep them (default), or take those of the new place. For all, or by path. */
  readonly conflicts?: "keep" | "take" | Readonly<Record<string, "keep" | "take">>;
  /** Files that decide what runs, such as `.vscode`: keep them (default), or take those of the new place. */
  readonly protected?: "keep" | "take";
}

export interface DiffFilesParams extends Page {
  /** An entry; null is before the first one. Default: the current position. */
  readonly from?: string | null;
  /** Default: the disk. */
  readonly to?: string | null;
  /** Only these files and folders. Default: all. */
  readonly paths?: readonly string[];
  /** Whether each file has its patch. */
  readonly patch?: boolean;
}

export interface DiffFilesResult extends Paged {
  readonly root: string;
  /** Entries whose list of changes is not on this machine. */
  readonly unread: readonly string[];
  /** The first 100. */
  readonly skipped: readonly SkippedFile[];
  readonly files: readonly FileDifference[];
}

export interface DifferingFilesResult {
  readonly total: number;
  /** The first 1000. */
  readonly paths: readonly string[];
}

export interface BlameParams extends Page {
  readonly path: string;
}

export interface BlameResult extends Paged {
  readonly root: string;
  readonly path: string;
  /** Sessions that could not be read. */
  readonly unread: readonly {
    readonly file: string;
    readonly reason: string;
  }[];
  readonly lines: readonly {
    /** From 1. */
    readonly line: number;
    readonly text: string;
    /** `unknown`: written by this step or earlier. `outside`: not recorded by any session. `older`: there before any session. */
    readonly kind: "step" | "unknown" | "outside" | "older";
    readonly step: WrittenBy | null;
  }[];
}

export type FilesStatusParams = Page;

export interface FilesStatusResult extends Paged {
  readonly root: string;
  readonly store: string;
  /** File versions. */
  readonly contents: number;
  readonly bytes: number;
  /** Used by no session. */
  readonly unused: {
    readonly contents: number;
    readonly bytes: number;
  };
  readonly sessions: readonly {
    readonly file: string;
    readonly checkpoints: number;
    readonly contents: number;
    readonly bytes: number;
  }[];
  /** Sessions that could not be read. */
  readonly unread: readonly {
    readonly file: string;
    readonly reason: string;
  }[];
}

export interface FilesGcParams {
  /** Only count. */
  readonly dryRun?: boolean;
}

export interface FilesGcResult {
  readonly removed: number;
  readonly bytes: number;
  readonly kept: number;
}

/** Files. */
export interface FilesMethods {
  /** A page of what `restoreFiles` would do, by path: files to write and delete, conflicts, and what is missing. */
  readonly planFiles: { readonly params: PlanFilesParams; readonly result: PlanFilesResult };
  /** Brings files to what they were at an entry. The conversation does not move. Conflicts are kept by default. */
  readonly restoreFiles: { readonly params: RestoreFilesParams; readonly result: MovedFiles };
  /** A page of how files differ between two entries, or from an entry to the disk. */
  readonly diffFiles: { readonly params: DiffFilesParams; readonly result: DiffFilesResult };
  /** Files on disk that are not those of the leaf, because the conversation moved without them. */
  readonly differingFiles: { readonly params: Readonly<Record<string, never>>; readonly result: DifferingFilesResult };
  /** A page of the lines of a file, each with the entry, branch and prompt that wrote it, over all sessions here. */
  readonly blame: { readonly params: BlameParams; readonly result: BlameResult };
  /** What is stored of this folder's files, how much, and a page of the sessions that use it. */
  readonly "files.status": { readonly params: FilesStatusParams; readonly result: FilesStatusResult };
  /** Removes stored file versions that no session uses and that are 14 days old. Fails if any session cannot be read. */
  readonly "files.gc": { readonly params: FilesGcParams; readonly result: FilesGcResult };
}
