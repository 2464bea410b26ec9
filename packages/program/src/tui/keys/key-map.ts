/** What keys mean, with the user's own bindings. */
import type { KeyPress } from "./key-press.js";
import type { KeyAction } from "./key-table.js";

export interface KeyMap {
  /** The id of the action that a key has in a scope; undefined if it has none. */
  actionFor(scope: string, key: KeyPress): string | undefined;
  /** The first key of an action as hints show it: "Enter", "Ctrl+O", "c"; "" if it has none. */
  hint(actionId: string): string;
  /** The actions of a scope with their current keys, in the order of help. */
  actionsOf(scope: string): readonly KeyAction[];
  /** The title of a scope in help. */
  titleOf(scope: string): string;
  /** Bindings that could not be used, and keys with two actions in one scope, as sentences. */
  readonly problems: readonly string[];
}
