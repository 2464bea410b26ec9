/** The reader's choices in the page. Immutable: every change creates a new state. */
import type { TreeState } from "@bough/session/view/index.js";

export type Theme = "system" | "light" | "dark";
export const THEMES: readonly Theme[] = ["system", "light", "dark"];

/** An entry the transcript must go to. A new object each time, so that the same entry can be requested twice. */
export interface Target {
  readonly n: number;
  /** What gets the focus: the entry, its row in the tree, or neither. */
  readonly focus: "article" | "row" | "keep";
}

export interface PageState {
  readonly tree: TreeState;
  /** The end of the shown path. */
  readonly end: number;
  /** The selected entry, or -1. */
  readonly chosen: number;
  readonly shows: "path" | "context";
  readonly target: Target | undefined;
  readonly query: string;
  readonly searching: boolean;
  /** Whether tools are open by default, unless they are folded individually. */
  readonly toolsOpen: boolean;
  /** Increases when blocks must be redrawn. */
  readonly blocksVersion: number;
  /** The tree on a small screen, as a sheet. */
  readonly sheet: "open" | "closed";
  /** The tree next to the conversation. */
  readonly sidebar: "open" | "closed";
  readonly dialog: "keys" | "charts" | undefined;
  readonly theme: Theme;
  /** Text for screen readers. */
  readonly announcement: string;
  /** The whole file has been read. */
  readonly complete: boolean;
}
