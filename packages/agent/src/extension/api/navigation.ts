/** Moves and forks, as extensions and programs ask for them. */
import type { BranchSummaryEntry, MoveCause } from "@bough/session/entry/index.js";

/** What became of the files. */
export type MovedFiles =
  | {
      readonly kind: "followed";
      readonly written: readonly string[];
      readonly deleted: readonly string[];
      /** Conflicts that were kept. */
      readonly kept: readonly string[];
      /** Their contents are not on this machine; they stayed as they are. */
      readonly missing: readonly string[];
      /** They decide what runs, and stayed as they are. Absent if there are none. */
      readonly protected?: readonly string[];
      /** Paths that were asked for by name and that no step of the session changed. Absent if there are none. */
      readonly unrecorded?: readonly string[];
    }
  /**
   * This many files are not those of the place the conversation is at. `recordedOn`: the setting `follow` does not apply
   * what these other machines recorded.
   */
  | { readonly kind: "stayed"; readonly differing: number; readonly recordedOn?: readonly string[] }
  /** An extension did not want it: the files stayed. */
  | { readonly kind: "cancelled" }
  /** The files could not be restored: they stayed. */
  | { readonly kind: "failed"; readonly message: string; readonly hint?: string };

export interface NavigateOptions {
  /** `follow`: the files become those of the new place. Default: the setting `files.onMove`, where `ask` is `stay`. */
  readonly files?: "follow" | "stay";
  /** For files that were changed outside of the session: `keep` them (default), or `take` those of the new place. For all, or by path. */
  readonly conflicts?: "keep" | "take" | Readonly<Record<string, "keep" | "take">>;
  /** For paths that decide what runs, such as `.vscode` or `.mcp.json`: `keep` them (default), or `take` those of the new place. */
  readonly protected?: "keep" | "take";
  /**
   * `selected` (default): as a user selects in the tree. Choosing a message that starts a turn goes right before it,
   * and its text is handed back for the editor. `exact`: the entry itself is the new leaf, whatever it is.
   */
  readonly place?: "selected" | "exact";
  readonly summarize?: boolean;
  readonly customInstructions?: string;
  readonly replaceInstructions?: boolean;
  readonly label?: string;
  /** Why the move is made, kept in the session. Default: the operation, for example `tree`. */
  readonly cause?: MoveCause;
}

export interface NavigateResult {
  readonly kind: "done" | "unchanged" | "cancelled" | "aborted";
  /** Nothing moved, because of an extension or because it was stopped. */
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

/** What becomes of the files in a move. */
export type MoveFilesOptions = Pick<NavigateOptions, "files" | "conflicts" | "protected">;
