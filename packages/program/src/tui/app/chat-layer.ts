/** What fills the screen while no panel is open: the conversation with its editor and footer. */
import type { Frame, Panel, Size } from "../host/panel.js";
import type { KeyPress } from "../keys/key-press.js";

export interface ChatLayer {
  readonly editor: Panel;
  readonly text: string;
  setText(text: string): void;
  drawTranscript(size: Size): Frame;
  /** Painted lines, none wider than the width. */
  footer(width: number): readonly string[];
  /** Painted lines above the editor, at most as many as fit. */
  above(size: Size): readonly string[];
  /** A key that neither the panel, the editor nor the global keys used. */
  handleKey(key: KeyPress): void;
  /** A key before the panel gets it; true if it was used. */
  takeFromPanel(key: KeyPress, panel: Panel): boolean;
  /** After a panel had a key. */
  panelHadKey(panel: Panel): void;
  /** Why a key of the conversation does nothing now; undefined if it works. */
  disabledReason(actionId: string): string | undefined;
  /** The terminal is gone. */
  leave(): void;
  /** Ctrl+C if nothing else wanted it. */
  interrupt(): void;
  scroll(lines: number): void;
  click(row: number): void;
}

/** Before there is a conversation, questions may come up all the same. */
export const NO_CHAT: ChatLayer = {
  editor: { name: "nothing", share: "fit", draw: () => ({ lines: [] }), handleKey: () => false },
  text: "",
  setText: () => {},
  drawTranscript: () => ({ lines: [] }),
  footer: () => [],
  above: () => [],
  handleKey: () => {},
  takeFromPanel: () => false,
  panelHadKey: () => {},
  disabledReason: () => undefined,
  leave: () => {},
  interrupt: () => {},
  scroll: () => {},
  click: () => {},
};
