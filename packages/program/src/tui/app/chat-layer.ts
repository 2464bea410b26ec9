/** The screen while no panel is open: the conversation, its editor and the footer. */
import type { Frame, Panel, Size } from "../host/panel.js";
import type { KeyPress } from "../keys/key-press.js";

/** The conversation as the shell draws it and passes keys to it. */
export interface ShellChat {
  readonly editor: Panel;
  readonly text: string;
  setText(text: string): void;
  drawTranscript(size: Size): Frame;
  /** A key that neither the editor nor the global keys used. */
  handleKey(key: KeyPress): void;
  /** Why a key of the conversation is disabled; undefined if it works. */
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
  /** Hooks around the keys of a panel. */
  readonly stopOffer: {
    /** Gets a key before the panel does; true if it was used. */
    take(key: KeyPress, panel: Panel): boolean;
    /** Called after a panel handled a key. */
    look(panel: Panel): void;
  };
  /** The terminal is gone. */
  leave(): void;
  /** Ctrl+C that nothing else handled. */
  interrupt(): void;
}

/** Questions may appear before there is a conversation. */
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
