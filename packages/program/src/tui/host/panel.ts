/** What a host shows: the chat's editor, and panels that temporarily replace it. */
import type { KeyPress } from "../keys/key-press.js";
import type { OffReason } from "../keys/off-reason.js";

export interface Size {
  readonly width: number;
  readonly height: number;
  /** For a panel: it has the whole window. */
  readonly isWhole?: boolean;
}

export interface Frame {
  /** At most `height` lines, none wider than `width`, painted. */
  readonly lines: readonly string[];
  /** Where the real cursor belongs, which screen readers and input methods follow; row and column from 0. */
  readonly cursor?: { readonly row: number; readonly column: number };
}

export interface Panel {
  /** For tests, and for the line that names the open panel. */
  readonly name: string;
  /**
   * `half`: half the terminal, or all of it if that is too little or the user enlarged it. `fit`: as many lines as it draws. `full`: all.
   * `overlay`: drawn over the rest.
   */
  readonly share: "half" | "full" | "fit" | "overlay";
  /** `rows`: of `half`, one that takes all of a window that is not tall, unless the user makes it smaller. */
  readonly wants?: "rows";
  /** The scope of its keys, for help. */
  readonly keyScope?: string;
  /** It closes with its answer: keys pressed before the next frame were not meant for what is below. */
  readonly isQuestion?: true;
  /** Why an action of its scope is disabled; undefined if it works. */
  disabledReason?(actionId: string): string | undefined;
  /** Shows a message inside the panel; panels without this use the status line. */
  said?: OffReason | undefined;
  draw(size: Size): Frame;
  /** True if the key was used. Otherwise the global keys get it. */
  handleKey(key: KeyPress): boolean;
  /** A bracketed paste, or text that arrived in one burst. Default: pastes are ignored. */
  handlePaste?(text: string): void;
  /** The panel is closed, for whatever reason. Ends what it started. */
  dispose?(): void;
}
