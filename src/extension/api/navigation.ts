/** Moves and forks, as extensions and programs ask for them. */
import type { BranchSummaryEntry, MoveCause } from "../../entry/index.js";

export interface NavigateOptions {
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
}

export interface ForkResult {
  readonly kind: "done" | "cancelled" | "aborted";
  readonly selectedText: string;
  readonly cancelled: boolean;
  /** The extension whose handler cancelled it. */
  readonly cancelledBy?: string;
  readonly inPlace: boolean;
  readonly newSessionFile?: string;
}
