/** Our table of keys and the library that edits text: what its editor is told, and what components see of our keys. */
import {
  type Keybinding,
  KeybindingsManager,
  type KeyId,
  setKeybindings,
  TUI_KEYBINDINGS,
} from "@earendil-works/pi-tui";
import type { KeyMap } from "../../keys/key-map.js";
import { type Binding, EDITOR_KEYS } from "./editor-keys.js";

/** What our own editor is given for a key: what the key does, in place of bytes that the library would look up again. */
export function commandOf(binding: Binding): string {
  return `\0${binding}`;
}

/** In a list of completions these do the same. */
const IN_LISTS: Readonly<Partial<Record<string, Binding>>> = {
  "tui.select.up": "tui.editor.cursorUp",
  "tui.select.down": "tui.editor.cursorDown",
  "tui.select.confirm": "tui.input.submit",
};

/** The library's own keys mean nothing in our editor: which key does what is decided by the key map alone. */
class Commands extends KeybindingsManager {
  override matches(data: string, binding: Keybinding): boolean {
    const also = IN_LISTS[binding];
    return data === commandOf(binding as Binding) || (also !== undefined && data === commandOf(also));
  }
}

const COMMANDS = new Commands(TUI_KEYBINDINGS);

/** The library has one global table. */
let inUse: KeybindingsManager | undefined;

function use(bindings: KeybindingsManager): void {
  if (inUse !== bindings) setKeybindings(bindings);
  inUse = bindings;
}

/** Before our own editor is given anything. */
export function useEditorBindings(): void {
  use(COMMANDS);
}

/** The keys of components that extensions brought. */
export function useComponentBindings(keys: KeyMap): void {
  use(componentBindings(keys));
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
  const wanted: Record<string, KeyId[]> = {
    ...Object.fromEntries(EDITOR_KEYS.actions.map(({ id, runs }) => [runs, keysOf("editor", id)])),
    "tui.input.submit": keysOf("question", "question.answer"),
    "tui.input.newLine": keysOf("question", "question.newLine"),
    "tui.select.up": keysOf("editor", "editor.up"),
    "tui.select.down": keysOf("editor", "editor.down"),
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
