/** The keys for typing: in the conversation's editor and in any other multi-line field. */
import type { TUI_KEYBINDINGS } from "@earendil-works/pi-tui";
import type { KeyAction } from "../../keys/key-table.js";

/** Operations of the editing library. */
export type Binding = keyof typeof TUI_KEYBINDINGS;

interface EditorKey extends KeyAction {
  readonly runs: Binding;
}

/** Maps an action of the table to an operation of the library. */
export function bindingOf(actionId: string): Binding | undefined {
  return EDITOR_KEYS.actions.find(({ id }) => id === actionId)?.runs;
}

const row = (id: string, keys: readonly string[], help: string, runs: Binding): EditorKey => ({ id, keys, help, runs });

export const EDITOR_KEYS: { readonly title: string; readonly actions: readonly EditorKey[] } = {
  title: "Writing",
  actions: [
    row("editor.complete", ["tab"], "complete the command, file or argument", "tui.input.tab"),
    row("editor.up", ["up"], "move up a line; on the first line, previous prompt in history", "tui.editor.cursorUp"),
    row("editor.down", ["down"], "move down a line; on the last line, next prompt in history", "tui.editor.cursorDown"),
    row("editor.left", ["left", "ctrl+b"], "move left one character", "tui.editor.cursorLeft"),
    row("editor.right", ["right", "ctrl+f"], "move right one character", "tui.editor.cursorRight"),
    row("editor.wordLeft", ["alt+b", "alt+left", "ctrl+left"], "move left one word", "tui.editor.cursorWordLeft"),
    row("editor.wordRight", ["alt+f", "alt+right", "ctrl+right"], "move right one word", "tui.editor.cursorWordRight"),
    row("editor.lineStart", ["home", "ctrl+a"], "move to the start of the line", "tui.editor.cursorLineStart"),
    row("editor.lineEnd", ["end", "ctrl+e"], "move to the end of the line", "tui.editor.cursorLineEnd"),
    row("editor.deleteBack", ["backspace"], "delete the character before the cursor", "tui.editor.deleteCharBackward"),
    row("editor.deleteAhead", ["delete"], "delete the character after the cursor", "tui.editor.deleteCharForward"),
    row(
      "editor.deleteWordBack",
      ["ctrl+w", "alt+backspace"],
      "delete the word before the cursor",
      "tui.editor.deleteWordBackward",
    ),
    row(
      "editor.deleteWordAhead",
      ["alt+d", "alt+delete"],
      "delete the word after the cursor",
      "tui.editor.deleteWordForward",
    ),
    row("editor.deleteToStart", ["ctrl+u"], "delete to the start of the line", "tui.editor.deleteToLineStart"),
    row("editor.deleteToEnd", ["ctrl+k"], "delete to the end of the line", "tui.editor.deleteToLineEnd"),
    row("editor.putBack", ["ctrl+y"], "paste the last deleted text", "tui.editor.yank"),
    row(
      "editor.putBackEarlier",
      ["alt+y"],
      "after pasting, replace it with the text deleted earlier",
      "tui.editor.yankPop",
    ),
    row("editor.undo", ["ctrl+-"], "undo the last change (Ctrl+_ in most terminals)", "tui.editor.undo"),
    row(
      "editor.jumpAhead",
      ["ctrl+]"],
      "jump to the next occurrence of the character you type",
      "tui.editor.jumpForward",
    ),
    row(
      "editor.jumpBack",
      ["ctrl+alt+]"],
      "jump to the previous occurrence of the character you type",
      "tui.editor.jumpBackward",
    ),
  ],
};
