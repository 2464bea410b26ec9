// Made from the schema by `npx vitest run packages/program/src/cli/rpc/rpc-docs.test.ts --update`.
/** What is said about files. */

export interface PlannedFile {
  readonly path: string;
  /** `conflict`: changed outside of the session. `missing`: the content is not on this machine. `protected`: left alone unless the request says otherwise. */
  readonly action: "write" | "delete" | "conflict" | "missing" | "protected";
  /** For conflicts: `changed`, or what blocks the path. For protected paths: `runs`, or `git`, which is never written. */
  readonly why?: string;
  /** For protected paths that are conflicts too: why. */
  readonly conflict?: string;
  /** The machine that recorded it, if it is not this one. */
  readonly from?: string;
  /** Absent if what is there is not a file. */
  readonly present?: FileState;
  readonly wanted: FileState;
  /** You changed it between turns, in the steps on the way. */
  readonly byPerson: boolean;
}

/** What is at a path: a file, a symbolic link, or nothing. */
export type FileState =
  | {
      /** SHA-256 of the content, in hex. */
      readonly hash: string;
      readonly mode: "644" | "755";
      readonly size: number;
      /** Who could read and write it, in octal, if that was less than 644. */
      readonly access?: string;
    }
  | {
      /** The target of a symbolic link. */
      readonly link: string;
    }
  | null;

/** How one file differs. `cut` is set if it was too long for a line. */
export interface FileDifference {
  readonly path: string;
  readonly change: "added" | "deleted" | "changed" | "renamed" | "mode";
  /** What a renamed file was called. */
  readonly from?: string;
  readonly before: FileState;
  readonly after: FileState;
  /** Lines. */
  readonly added?: number;
  readonly removed?: number;
  /** Why there is no diff: `binary`, `missing`, `damaged`, or what blocks the path. */
  readonly noDiff?: string;
  /** As `git diff` writes it. */
  readonly patch?: string;
}

export type FilePreview =
  | {
      readonly kind: "create";
      readonly text: string;
    }
  | {
      readonly kind: "change";
      readonly diff: string;
      readonly added: number;
      readonly removed: number;
    }
  | {
      readonly kind: "replace";
      readonly text: string;
      readonly bytes: number;
    };

/** A file that changed and is not recorded. */
export interface SkippedFile {
  readonly path: string;
  readonly why: string;
  readonly size?: number;
}

/** The step that wrote a line. */
export interface WrittenBy {
  readonly session: {
    readonly id: string;
    readonly path: string;
    readonly name: string | null;
  };
  /** Entry ID. */
  readonly entryId: string;
  /** The checkpoint. */
  readonly recordId: string;
  readonly branch: {
    readonly number: number;
    readonly name: string;
  };
  readonly prompt: {
    /** Entry ID. */
    readonly entryId: string;
    readonly text: string;
  } | null;
  readonly by: "tool" | "person" | "restore" | "attempt";
  readonly tool: string | null;
  readonly time: string;
}
