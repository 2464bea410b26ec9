/** What a reader has chosen in the page. Immutable: every change gives a new one. */
import type { TreeState } from "@bough/session/view/index.js";

export type Theme = "system" | "light" | "dark";
export const THEMES: readonly Theme[] = ["system", "light", "dark"];

/** A place the transcript has to go to. A new object each time, so that the same place can be wished for twice. */
export interface Target {
  readonly n: number;
  /** Which gets the focus: the entry, its row in the tree, or neither. */
  readonly focus: "article" | "row" | "keep";
}

export interface PageState {
  readonly tree: TreeState;
  /** The end of the path that is shown. */
  readonly end: number;
  /** The entry that was chosen, or -1. */
  readonly chosen: number;
  readonly shows: "path" | "context";
  readonly target: Target | undefined;
  readonly query: string;
  readonly searching: boolean;
  /** Whether tools are open that no one folded one by one. */
  readonly toolsOpen: boolean;
  /** Goes up when blocks must be redrawn. */
  readonly blocksVersion: number;
  /** The tree on a small screen, where it is a sheet. */
  readonly sheet: "open" | "closed";
  /** The tree next to the conversation. */
  readonly sidebar: "open" | "closed";
  readonly dialog: "keys" | "charts" | undefined;
  readonly theme: Theme;
  /** What a screen reader is told. */
  readonly announcement: string;
  /** The whole file has been read. */
  readonly complete: boolean;
}
