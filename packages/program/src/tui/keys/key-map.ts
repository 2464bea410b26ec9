/** What keys mean, with the user's own bindings. */
import type { KeyPress } from "./key-press.js";
import type { KeyAction } from "./key-table.js";

export interface KeyMap {
  /** The action of a scope that a key represents, by its id; undefined if it means nothing there. */
  actionFor(scope: string, key: KeyPress): string | undefined;
  /** The keys of an action as a hint shows them: "Enter", "Ctrl+O", "c". The first one; "" if it has none. */
  hint(actionId: string): string;
  /** The actions of a scope with the keys they have now, in the order of help. */
  actionsOf(scope: string): readonly KeyAction[];
  /** What help calls a scope. */
  titleOf(scope: string): string;
  /** Bindings that could not be used, and two actions of one scope on one key, as sentences. */
  readonly problems: readonly string[];
}
