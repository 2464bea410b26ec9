/** What a list screen is made of: rows, a layout, and what its keys do. */

import type { Line } from "@bough/session/view/index.js";
import type { DrawnList, LayoutOptions } from "@bough/session/view/internal.js";
import type { Panel } from "../host/panel.js";
import type { BoundKeys } from "../keys/key-table.js";

/** What a layout knows about the list. */
export interface ListView {
  readonly selected: number;
  readonly top: number;
  /** What is looked for. */
  readonly words: string;
  /** The second line of a list whose letters are words to look for. */
  readonly search: Line;
  /** In place of the hints: the line that is being edited. */
  readonly message: Line | undefined;
}

export interface ListContent {
  /** Also the scope of its keys, if that is omitted: `resume.next`, `resume.enter`. */
  readonly name: string;
  readonly scope?: string;
  /** It closes with its answer. */
  readonly isQuestion?: true;
  readonly share?: Panel["share"];
  /** `always`: letters are words to look for. `asked`: they are commands, and a search begins with its own key. */
  readonly typing: "always" | "asked";
  /** Is in the search while nothing was typed. */
  readonly placeholder?: string;
  /** How many rows there are with the words as they are now. */
  count(): number;
  layout(view: ListView, options: LayoutOptions): DrawnList;
  /** Rows that a page goes over at a height. Default: all but head and foot of a usual list. */
  pageSize?(height: number): number;
  /** Other words: the rows are to be chosen again. */
  onWords?(words: string): void;
  /** The user has finished writing the words. */
  onEntered?(): void;
  /** What the list is about: Esc brings these words back instead of clearing them. */
  keptWords?(): string;
  /** What its keys do. */
  readonly keys: BoundKeys;
  /** Esc with nothing left to clear. */
  close(): void;
  /** Called for Esc first: true if there was something to stop. */
  stop?(): boolean;
  /** After each drawing: the rows that are on the screen. */
  onDrawn?(first: number, count: number): void;
  dispose?(): void;
}

export interface LineEdit {
  /** What is asked for: "Name". */
  readonly title: string;
  readonly text?: string;
  /** Undefined if the user thought better of it. */
  readonly done: (text: string | undefined) => void;
}
