/** The parts of a list screen: rows, a layout, and the actions of its keys. */

import type { Line } from "@bough/session/view/index.js";
import type { DrawnList, LayoutOptions } from "@bough/session/view/internal.js";
import type { Panel } from "../host/panel.js";
import type { BoundKeys } from "../keys/key-table.js";

/** What a layout receives about the list. */
export interface ListView {
  readonly selected: number;
  readonly top: number;
  /** The search words. */
  readonly words: string;
  /** The second line of a list in which letters are search words. */
  readonly search: Line;
  /** Shown instead of the hints: the line being edited. */
  readonly message: Line | undefined;
}

export interface ListContent {
  /** Also the default scope of its keys: `resume.next`, `resume.enter`. */
  readonly name: string;
  readonly scope?: string;
  /** It closes with its answer. */
  readonly isQuestion?: true;
  readonly share?: Panel["share"];
  /** `always`: letters are search words. `asked`: letters are commands, and a key starts the search. */
  readonly typing: "always" | "asked";
  /** Shown in the search field while it is empty. */
  readonly placeholder?: string;
  /** How many rows match the current words. */
  count(): number;
  layout(view: ListView, options: LayoutOptions): DrawnList;
  /** Rows per page at a height. Default: all but the header and footer of a typical list. */
  pageSize?(height: number): number;
  /** The words changed: select the rows again. */
  onWords?(words: string): void;
  /** The user has finished typing the words. */
  onEntered?(): void;
  /** The topic of the list: Esc restores these words instead of clearing them. */
  keptWords?(): string;
  /** The actions of its keys. */
  readonly keys: BoundKeys;
  /** Esc with nothing left to clear. */
  close(): void;
  /** Called for Esc first; true if something was stopped. */
  stop?(): boolean;
  /** Called after each drawing with the visible rows. */
  onDrawn?(first: number, count: number): void;
  dispose?(): void;
}

export interface LineEdit {
  /** The label of the field: "Name". */
  readonly title: string;
  readonly text?: string;
  /** Undefined if the user cancelled. */
  readonly done: (text: string | undefined) => void;
}
