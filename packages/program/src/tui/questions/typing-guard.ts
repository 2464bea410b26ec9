/** Keeps a question that comes up while someone is writing from being answered by what they write. */
import { withoutControls } from "@bough/session/text/index.js";
import { type Line, span } from "@bough/session/view/index.js";
import { cutToWidth, displayWidth, hintLine } from "@bough/session/view/internal.js";
import type { PanelHost } from "../host/panel-host.js";
import type { KeyPress } from "../keys/key-press.js";
import type { ChoiceQuestion } from "./ask-choice.js";

export interface TypingOptions {
  /** When the last key was pressed, or typed, by the host's clock: who is writing must not answer by accident. */
  readonly lastKeyAt?: () => number;
  /** Gets the keys that belong to the editor: nothing of a sentence is lost because a question came up in it. */
  readonly onStray?: (key: KeyPress) => void;
  /** Gets what is pasted. */
  readonly onPaste?: (text: string) => void;
}

/** Lets a choice decide whether a key is meant for it. */
interface GuardedKeys extends Required<Pick<ChoiceQuestion<unknown>, "below" | "before" | "onPaste">> {
  /** Whether keys belong to the text in the editor. */
  readonly isEditing: () => boolean;
}

/** A pause after which a key is meant for the question. */
const PAUSE_MS = 400;

/**
 * Decides who gets a key. While the editor holds text, keys belong to it, however long the pause: a sentence never
 * answers a question. Tab switches to the question. With an empty editor, a key counts after a short pause, so that a
 * word started just as the question appeared goes to the editor too.
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

/** What is being written, and how to get to the question. */
function editorLines(host: PanelHost, width: number): { readonly lines: readonly Line[]; readonly cursor: number } {
  const { keys } = host;
  const text = withoutControls(host.editorText()).replace(/\s/g, " ");
  const room = Math.max(1, width - 4);
  // The end is where the user writes.
  let shown = text;
  while (displayWidth(shown) > room) shown = shown.slice(Math.max(1, Math.floor((displayWidth(shown) - room) / 2)));
  const hint = hintLine([{ keys: keys.hint("question.focus"), text: "answer; other keys go to your message" }], width);
  const typed: Line = [span(" > "), span(cutToWidth(shown, room, ""))];
  return { lines: [hint, typed], cursor: 3 + displayWidth(shown) };
}
