/** Options and results of moves and forks, for extensions and programs. */
import type { BranchSummaryEntry, MoveCause } from "@bough/session/entry/index.js";

/** What happened to the files. */
export type MovedFiles =
  | {
      readonly kind: "followed";
      readonly written: readonly string[];
      readonly deleted: readonly string[];
      /** Conflicting files that were kept. */
      readonly kept: readonly string[];
      /** Unchanged, because their contents are not on this machine. */
      readonly missing: readonly string[];
      /** Unchanged, because they decide what runs. Absent if there are none. */
      readonly protected?: readonly string[];
      /** Paths requested by name that no step of the session changed. Absent if there are none. */
      readonly unrecorded?: readonly string[];
    }
  /**
   * The files stayed, and `differing` of them are not as recorded at the new position. `recordedOn`: other machines
   * that recorded them, to which the setting `follow` does not apply.
   */
  | { readonly kind: "stayed"; readonly differing: number; readonly recordedOn?: readonly string[] }
  /** An extension cancelled the restore: the files stayed. */
  | { readonly kind: "cancelled" }
  /** The files could not be restored: they stayed. */
  | { readonly kind: "failed"; readonly message: string; readonly hint?: string };

export interface NavigateOptions {
  /** `follow`: restore the files of the new position. Default: the setting `files.onMove`, where `ask` means `stay`. */
  readonly files?: "follow" | "stay";
  /**
   * For files changed outside of the session: `keep` them (default), or `take` the recorded ones. For all, or by path.
   */
  readonly conflicts?: "keep" | "take" | Readonly<Record<string, "keep" | "take">>;
  /**
   * For paths that decide what runs, such as `.vscode` or `.mcp.json`: `keep` them (default), or `take` the recorded
   * ones.
   */
  readonly protected?: "keep" | "take";
  /**
   * `selected` (default): like a selection in the tree. For a message that starts a turn, moves to just before it and
   * returns its text for the editor. `exact`: the entry itself becomes the leaf, whatever it is.
   */
  readonly place?: "selected" | "exact";
  readonly summarize?: boolean;
  readonly customInstructions?: string;
  readonly replaceInstructions?: boolean;
  readonly label?: string;
  /** The cause recorded in the session. Default: the operation, for example `tree`. */
  readonly cause?: MoveCause;
}

export interface NavigateResult {
  readonly kind: "done" | "unchanged" | "cancelled" | "aborted";
  /** Nothing moved, because an extension cancelled it or it was stopped. */
  readonly cancelled: boolean;
  /** The extension whose handler cancelled it. */
  readonly cancelledBy?: string;
  readonly aborted?: boolean;
  readonly editorText?: string;
  readonly summaryEntry?: BranchSummaryEntry;
  /** Absent if files are not recorded, or if none differs. */
  readonly files?: MovedFiles;
}

export interface ForkResult {
  readonly kind: "done" | "cancelled" | "aborted";
  readonly selectedText: string;
  readonly cancelled: boolean;
  /** The extension whose handler cancelled it. */
  readonly cancelledBy?: string;
  readonly inPlace: boolean;
  readonly newSessionFile?: string;
  /** Absent if files are not recorded, or if none differs. */
  readonly files?: MovedFiles;
}

/** How a move treats the files. */
export type MoveFilesOptions = Pick<NavigateOptions, "files" | "conflicts" | "protected">;
