/** The terminal as screens see it: open panels, show a status, lend the terminal to another program. */

import type { Glyphs } from "@bough/session/view/index.js";
import type { KeyMap } from "../keys/key-map.js";
import type { OffReason } from "../keys/off-reason.js";
import type { Theme } from "../theme/theme.js";
import type { Panel } from "./panel.js";

export type StatusLevel = "info" | "good" | "warning" | "error";

export interface PanelHost {
  readonly theme: Theme;
  readonly glyphs: Glyphs;
  readonly keys: KeyMap;
  /** Milliseconds. Tests use a fixed clock. */
  readonly now: () => number;
  /**
   * Opens a panel on top; it has the keyboard until it calls `done`. Resolves with its result, or with `undefined` if
   * the panel was closed from outside (the program ends, another session was opened).
   */
  open<Result>(make: (done: (result: Result) => void) => Panel): Promise<Result | undefined>;
  /** Schedules a redraw; several calls cause only one. */
  redraw(): void;
  /** Shows a line or two above the editor, until the next status or prompt. */
  status(message: OffReason, level?: StatusLevel): void;
  /** Shows a temporary status; afterwards `rest` stays, or nothing. */
  statusFor(milliseconds: number, message: string, rest?: string): void;
  /** The text in the editor. */
  editorText(): string;
  /** Puts a text into the editor. The previous text goes to the input history, so it is never lost. */
  setEditorText(text: string): void;
  /** Lends the terminal to another program, and always takes it back. */
  lend<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Writes to the clipboard through the terminal (OSC 52), and through the system's clipboard program if there is one. */
  copy(text: string): void;
  /** Runs the work in slices between keys, until it is done or the signal aborts. */
  inSlices(work: (deadline: () => boolean) => "more" | "done", signal: AbortSignal): void;
}
