/** Keeps a question that appears while the user is typing from being answered by accident. */
import { withoutControls } from "@bough/session/text/index.js";
import { type Line, span } from "@bough/session/view/index.js";
import { cutToWidth, displayWidth, hintLine } from "@bough/session/view/internal.js";
import type { PanelHost } from "../host/panel-host.js";
import type { KeyPress } from "../keys/key-press.js";
import type { ChoiceQuestion } from "./ask-choice.js";

export interface TypingOptions {
  /** When a key was last pressed or typed, by the host's clock. */
  readonly lastKeyAt?: () => number;
  /** Gets keys that belong to the editor, so that nothing is lost if a question appears in mid-sentence. */
  readonly onStray?: (key: KeyPress) => void;
  /** Gets pastes. */
  readonly onPaste?: (text: string) => void;
}

/** Lets a choice decide whether a key is meant for it. */
interface GuardedKeys extends Required<Pick<ChoiceQuestion<unknown>, "below" | "before" | "onPaste">> {
  /** Whether keys go to the text in the editor. */
  readonly isEditing: () => boolean;
}

/** After a pause this long, a key is meant for the question. */
const PAUSE_MS = 400;

/**
 * Decides who gets a key. While the editor has text, keys go to it, however long the pause: a sentence never answers a
 * question. Tab switches to the question. With an empty editor, a key counts after a short pause, so that a word
 * started just as the question appeared still goes to the editor.
 */
export function typingGuard(host: PanelHost, { lastKeyAt, onStray, onPaste }: TypingOptions): GuardedKeys {
  let lastKey = lastKeyAt?.() ?? Number.NEGATIVE_INFINITY;
  let turned = false;
  let rested = host.editorText() === "" && host.now() - lastKey >= PAUSE_MS;
  const isEditing = (): boolean => !turned && host.editorText() !== "";
  const forEditor = (key: KeyPress): boolean => {
    const action = host.keys.actionFor("question", key);
    if (isEditing()) {
      rested = false;
      if (action === "question.focus") {
        turned = true;
        host.redraw();
        return true;
      }
      if (action === "question.cancel" || action === "question.more" || action === "question.less") return false;
      onStray?.(key);
      host.redraw();
      return true;
    }
    if (rested || turned || host.now() - lastKey >= PAUSE_MS) {
      rested = true;
      return false;
    }
    if (key.text !== undefined || key.name === "backspace") onStray?.(key);
    return true;
  };
  return {
    isEditing,
    below: (width) => (isEditing() ? editorLines(host, width) : { lines: [] }),
    before: (key) => {
      const taken = forEditor(key);
      lastKey = host.now();
      return taken ? "ignore" : "go-on";
    },
    onPaste: (text) => {
      onPaste?.(text);
      host.redraw();
    },
  };
}

/** The text being typed, and how to switch to the question. */
function editorLines(host: PanelHost, width: number): { readonly lines: readonly Line[]; readonly cursor: number } {
  const { keys } = host;
  const text = withoutControls(host.editorText()).replace(/\s/g, " ");
  const room = Math.max(1, width - 4);
  // The user types at the end, so show that.
  let shown = text;
  while (displayWidth(shown) > room) shown = shown.slice(Math.max(1, Math.floor((displayWidth(shown) - room) / 2)));
  const tab = keys.hint("question.focus");
  const texts = ["answer; other keys go to your message", "answer the question", "answer"];
  const words = texts.find((one) => displayWidth(tab) + displayWidth(one) + 2 <= width) ?? "";
  const hint = hintLine([{ keys: tab, text: words, keep: true }], width);
  const typed: Line = [span(" > "), span(cutToWidth(shown, room, ""))];
  return { lines: [hint, typed], cursor: 3 + displayWidth(shown) };
}
