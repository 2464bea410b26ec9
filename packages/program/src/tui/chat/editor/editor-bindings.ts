/** Connects our key table with the editing library: what its editor receives, and which keys components see. */
import {
  type Keybinding,
  KeybindingsManager,
  type KeyId,
  setKeybindings,
  TUI_KEYBINDINGS,
} from "@earendil-works/pi-tui";
import type { KeyMap } from "../../keys/key-map.js";
import { type Binding, EDITOR_KEYS } from "./editor-keys.js";

/** Maps an action to what our editor passes to the library, instead of bytes that the library would look up again. */
export function commandOf(binding: Binding): string {
  return `\0${binding}`;
}

/** In a completion list these do the same. */
const IN_LISTS: Readonly<Partial<Record<string, Binding>>> = {
  "tui.select.up": "tui.editor.cursorUp",
  "tui.select.down": "tui.editor.cursorDown",
  "tui.select.confirm": "tui.input.submit",
};

/** The library's own keys are disabled in our editor: only the key map decides what a key does. */
class Commands extends KeybindingsManager {
  override matches(data: string, binding: Keybinding): boolean {
    const also = IN_LISTS[binding];
    return data === commandOf(binding as Binding) || (also !== undefined && data === commandOf(also));
  }
}

const COMMANDS = new Commands(TUI_KEYBINDINGS);

/** The library has a single global key table. */
let inUse: KeybindingsManager | undefined;

function use(bindings: KeybindingsManager): void {
  if (inUse !== bindings) setKeybindings(bindings);
  inUse = bindings;
}

/** Called before our editor handles a key. */
export function useEditorBindings(): void {
  use(COMMANDS);
}

/** The keys of components that extensions provide. */
export function useComponentBindings(keys: KeyMap): void {
  use(componentBindings(keys));
}

/** Names under which extensions know keys of the program. */
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

/** Edits as in our editor; confirms and selects as in our questions. */
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
