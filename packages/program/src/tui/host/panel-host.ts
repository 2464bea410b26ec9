/** The terminal as screens see it: open panels over each other, say something, give the terminal away for a moment. */

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
  /** Milliseconds. Tests hold it still. */
  readonly now: () => number;
  /**
   * Puts a panel on top; it has the keyboard until it calls `done`. Resolves with what it was done with, or with
   * `undefined` where the panel was taken away (the program ends, another session was opened).
   */
  open<Result>(make: (done: (result: Result) => void) => Panel): Promise<Result | undefined>;
  /** Draws again, soon and once, however often it is called. */
  redraw(): void;
  /** One line above the editor, until the next one or the next prompt. */
  status(message: OffReason, level?: StatusLevel): void;
  /** The same for something that is true for a while only; then `rest` stays, or nothing. */
  statusFor(milliseconds: number, message: string, rest?: string): void;
  /** What is in the editor. */
  editorText(): string;
  /** Puts a text into the editor. What was there goes to the input history first, never away. */
  setEditorText(text: string): void;
  /** Gives the terminal to another program and takes it back, whatever happens. */
  lend<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Writes to the clipboard through the terminal (OSC 52), and through the system's own program where there is one. */
  copy(text: string): void;
  /** Calls the work now and then between keys, in slices, until it says that it is done or the signal ends it. */
  inSlices(work: (deadline: () => boolean) => "more" | "done", signal: AbortSignal): void;
}
