/** The keys of our own table, in the words of the library that edits text. */
import { KeybindingsManager, type KeyId, TUI_KEYBINDINGS } from "@earendil-works/pi-tui";
import type { KeyMap } from "../../keys/key-map.js";

type Binding = keyof typeof TUI_KEYBINDINGS;

const BINDINGS: Readonly<Record<string, Binding>> = {
  "chat.send": "tui.input.submit",
  "chat.newLine": "tui.input.newLine",
  "editor.complete": "tui.input.tab",
  "editor.up": "tui.editor.cursorUp",
  "editor.down": "tui.editor.cursorDown",
  "editor.left": "tui.editor.cursorLeft",
  "editor.right": "tui.editor.cursorRight",
  "editor.wordLeft": "tui.editor.cursorWordLeft",
  "editor.wordRight": "tui.editor.cursorWordRight",
  "editor.lineStart": "tui.editor.cursorLineStart",
  "editor.lineEnd": "tui.editor.cursorLineEnd",
  "editor.deleteBack": "tui.editor.deleteCharBackward",
  "editor.deleteAhead": "tui.editor.deleteCharForward",
  "editor.deleteWordBack": "tui.editor.deleteWordBackward",
  "editor.deleteWordAhead": "tui.editor.deleteWordForward",
  "editor.deleteToStart": "tui.editor.deleteToLineStart",
  "editor.deleteToEnd": "tui.editor.deleteToLineEnd",
  "editor.putBack": "tui.editor.yank",
  "editor.putBackEarlier": "tui.editor.yankPop",
  "editor.undo": "tui.editor.undo",
  "editor.jumpAhead": "tui.editor.jumpForward",
  "editor.jumpBack": "tui.editor.jumpBackward",
};

/** Keys the library would take for itself and that mean something else here, or nothing. */
const UNUSED: readonly Binding[] = ["tui.input.copy", "tui.editor.pageUp", "tui.editor.pageDown"];

/** An action without keys in the map has none in the editor. Lists of completions follow the same keys. */
export function editorBindings(keys: KeyMap): KeybindingsManager {
  const wanted: Partial<Record<Binding, KeyId[]>> = {};
  for (const binding of Object.values(BINDINGS)) wanted[binding] = [];
  for (const binding of UNUSED) wanted[binding] = [];
  for (const action of [...keys.actionsOf("editor"), ...keys.actionsOf("chat")]) {
    const binding = BINDINGS[action.id];
    if (binding !== undefined) wanted[binding] = action.keys.map(libraryName);
  }
  wanted["tui.select.up"] = wanted["tui.editor.cursorUp"] ?? [];
  wanted["tui.select.down"] = wanted["tui.editor.cursorDown"] ?? [];
  wanted["tui.select.confirm"] = wanted["tui.input.submit"] ?? [];
  // Never pressed by a user: the way to close a list from here.
  wanted["tui.select.cancel"] = ["escape"];
  return new KeybindingsManager(TUI_KEYBINDINGS, wanted);
}

const OTHER_NAMES: Readonly<Record<string, string>> = { esc: "escape", pageup: "pageUp", pagedown: "pageDown" };

function libraryName(name: string): KeyId {
  const cut = name.endsWith("+") ? name.length - 1 : name.lastIndexOf("+") + 1;
  const base = name.slice(cut);
  const modifiers = name.slice(0, cut);
  const shifted = base.length === 1 && base !== base.toLowerCase();
  return `${modifiers}${shifted ? "shift+" : ""}${OTHER_NAMES[base] ?? base.toLowerCase()}` as KeyId;
}
