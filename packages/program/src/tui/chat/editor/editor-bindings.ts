/** The keys of our own table, in the words of the library that edits text. */
import { KeybindingsManager, type KeyId, setKeybindings, TUI_KEYBINDINGS } from "@earendil-works/pi-tui";
import type { KeyMap } from "../../keys/key-map.js";
import { type Binding, EDITOR_KEYS } from "./editor-keys.js";

const BINDINGS: ReadonlyMap<string, Binding> = new Map([
  ["chat.send", "tui.input.submit"],
  ["chat.newLine", "tui.input.newLine"],
  ...EDITOR_KEYS.actions.map(({ id, runs }) => [id, runs] as const),
]);

/** Keys the library would take for itself and that mean something else here, or nothing. */
const UNUSED: readonly Binding[] = ["tui.input.copy", "tui.editor.pageUp", "tui.editor.pageDown"];

/** The library has one global table; this is its current owner. */
let inUse: { readonly keys: KeyMap; readonly of: "editor" | "component" } | undefined;

/** The keys of our own editor. Settings may have brought others. */
export function useEditorBindings(keys: KeyMap): void {
  if (inUse?.keys === keys && inUse.of === "editor") return;
  inUse = { keys, of: "editor" };
  setKeybindings(editorBindings(keys));
}

/** The keys of components that extensions brought. */
export function useComponentBindings(keys: KeyMap): void {
  if (inUse?.keys === keys && inUse.of === "component") return;
  inUse = { keys, of: "component" };
  setKeybindings(componentBindings(keys));
}

/** An action without keys in the map has none in the editor. Lists of completions follow the same keys. */
function editorBindings(keys: KeyMap): KeybindingsManager {
  const wanted = editingKeys(keys);
  for (const binding of UNUSED) wanted[binding] = [];
  wanted["tui.select.up"] = wanted["tui.editor.cursorUp"] ?? [];
  wanted["tui.select.down"] = wanted["tui.editor.cursorDown"] ?? [];
  wanted["tui.select.confirm"] = wanted["tui.input.submit"] ?? [];
  // Never pressed by a user: the way to close a list from here.
  wanted["tui.select.cancel"] = ["escape"];
  return new KeybindingsManager(TUI_KEYBINDINGS, wanted);
}

function editingKeys(keys: KeyMap): Partial<Record<Binding, KeyId[]>> {
  const wanted: Partial<Record<Binding, KeyId[]>> = {};
  for (const binding of BINDINGS.values()) wanted[binding] = [];
  for (const action of [...keys.actionsOf("editor"), ...keys.actionsOf("chat")]) {
    const binding = BINDINGS.get(action.id);
    if (binding !== undefined) wanted[binding] = action.keys.map(libraryName);
  }
  return wanted;
}

/** Names that extensions know for keys of the program. */
const APP_BINDINGS: Readonly<Record<string, readonly [scope: string, action: string]>> = {
  "app.interrupt": ["chat", "chat.stop"],
  "app.clear": ["everywhere", "everywhere.interrupt"],
  "app.suspend": ["everywhere", "everywhere.suspend"],
  "app.exit": ["chat", "chat.quit"],
  "app.model.select": ["chat", "chat.model"],
  "app.thinking.cycle": ["chat", "chat.thinkingLevel"],
  "app.thinking.toggle": ["chat", "chat.foldThinking"],
  "app.tools.expand": ["chat", "chat.foldTools"],
  "app.editor.external": ["chat", "chat.externalEditor"],
  "app.message.followUp": ["chat", "chat.followUp"],
};

const made = new WeakMap<KeyMap, KeybindingsManager>();

/** Editing as in our own editor; answering and choosing as in our own questions. */
export function componentBindings(keys: KeyMap): KeybindingsManager {
  const known = made.get(keys);
  if (known !== undefined) return known;
  const keysOf = (scope: string, id: string): KeyId[] =>
    (keys.actionsOf(scope).find((action) => action.id === id)?.keys ?? []).map(libraryName);
  const editing = editingKeys(keys);
  const wanted: Record<string, KeyId[]> = {
    ...editing,
    "tui.input.submit": keysOf("question", "question.answer"),
    "tui.input.newLine": keysOf("question", "question.newLine"),
    "tui.select.up": editing["tui.editor.cursorUp"] ?? [],
    "tui.select.down": editing["tui.editor.cursorDown"] ?? [],
    "tui.select.confirm": keysOf("question", "question.answer"),
    "tui.select.cancel": keysOf("question", "question.cancel"),
  };
  const definitions: Record<string, { defaultKeys: KeyId[]; description: string }> = {};
  for (const [name, [scope, action]] of Object.entries(APP_BINDINGS)) {
    definitions[name] = { defaultKeys: keysOf(scope, action), description: "" };
  }
  const manager = new KeybindingsManager({ ...TUI_KEYBINDINGS, ...definitions }, wanted);
  made.set(keys, manager);
  return manager;
}

const OTHER_NAMES: Readonly<Record<string, string>> = { esc: "escape", pageup: "pageUp", pagedown: "pageDown" };

function libraryName(name: string): KeyId {
  const cut = name.endsWith("+") ? name.length - 1 : name.lastIndexOf("+") + 1;
  const base = name.slice(cut);
  const modifiers = name.slice(0, cut);
  const shifted = base.length === 1 && base !== base.toLowerCase();
  return `${modifiers}${shifted ? "shift+" : ""}${OTHER_NAMES[base] ?? base.toLowerCase()}` as KeyId;
}
