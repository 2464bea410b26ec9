/** What fills the screen while no panel is open: the conversation with its editor and footer. */
import type { Frame, Panel, Size } from "../host/panel.js";
import type { KeyPress } from "../keys/key-press.js";

/** The conversation, as the shell draws it and gives it keys. */
export interface ShellChat {
  readonly editor: Panel;
  readonly text: string;
  setText(text: string): void;
  drawTranscript(size: Size): Frame;
  /** A key that neither the editor nor the global keys used. */
  handleKey(key: KeyPress): void;
  /** Why a key of the conversation does nothing now; undefined if it works. */
  disabledReason(actionId: string): string | undefined;
  scrollLines(lines: number): void;
  toggleAt(row: number): boolean;
}

export interface ChatLayer {
  readonly chat: ShellChat;
  readonly footer: {
    /** Painted lines, none wider than the width. */
    lines(width: number): readonly string[];
    /** Painted lines above the editor, at most as many as fit. */
    above(size: Size): readonly string[];
  };
  /** What happens to the keys of a panel around it. */
  readonly stopOffer: {
    /** A key before the panel gets it; true if it was used. */
    take(key: KeyPress, panel: Panel): boolean;
    /** After a panel had a key. */
    look(panel: Panel): void;
  };
  /** The terminal is gone. */
  leave(): void;
  /** Ctrl+C if nothing else wanted it. */
  interrupt(): void;
}

/** Before there is a conversation, questions may come up all the same. */
export const NO_CHAT: ChatLayer = {
  chat: {
    editor: { name: "nothing", share: "fit", draw: () => ({ lines: [] }), handleKey: () => false },
    text: "",
    setText: () => {},
    drawTranscript: () => ({ lines: [] }),
    handleKey: () => {},
    disabledReason: () => undefined,
    scrollLines: () => {},
    toggleAt: () => false,
  },
  footer: { lines: () => [], above: () => [] },
  stopOffer: { take: () => false, look: () => {} },
  leave: () => {},
  interrupt: () => {},
};
