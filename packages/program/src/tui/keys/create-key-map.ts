/** The key table, overlaid with the user's own bindings and the shortcuts of extensions. */
import type { KeyMap } from "./key-map.js";
import { keyHint, keyName } from "./key-names.js";
import type { KeyAction, KeyScope } from "./key-table.js";

export interface NamedKeyScope extends KeyScope {
  readonly id: string;
  /**
   * Scopes that are active at the same time and take precedence: their keys cannot be used here. The editor is active
   * with all of them, so an extension's shortcut must not take one of its keys.
   */
  readonly beside?: readonly string[];
}

/** Keys as in settings: `"tree.label": ["m"]`; an empty list leaves the action without keys. */
export type KeyOverrides = Readonly<Record<string, readonly string[]>>;

/** A key that an extension requested. */
interface ShortcutRequest {
  readonly key: string;
  readonly extension: string;
  readonly help: string;
}

interface KeyMapOptions {
  readonly scopes: readonly NamedKeyScope[];
  readonly overrides?: KeyOverrides;
  readonly shortcuts?: readonly ShortcutRequest[];
}

/** The scope for shortcuts of extensions; the action is `extension.<key as the extension wrote it>`. */
export const EXTENSION_SCOPE = "extension";
/** Scopes that are active while the user types: extensions cannot use their keys. */
const TAKEN_FROM_EXTENSIONS = ["everywhere", "chat", "editor"];

/** Never throws: a binding that cannot be used becomes a sentence in `problems`, and the default stays. */
export function createKeyMap({ scopes, overrides = {}, shortcuts = [] }: KeyMapOptions): KeyMap {
  const problems: string[] = [];
  const known = new Set(scopes.flatMap(({ actions }) => actions.map(({ id }) => id)));
  for (const id of Object.keys(overrides)) {
    if (!known.has(id)) problems.push(`Unknown action ${id}. The key reference lists them all.`);
  }
  const tables = new Map<string, ScopeTable>();
  for (const scope of scopes) tables.set(scope.id, scopeTable(scope, overrides, problems));
  for (const { id, beside = [] } of scopes) {
    const table = tables.get(id);
    const others = beside.map((name) => tables.get(name)).filter((other) => other !== undefined);
    if (table !== undefined) reportShadowed(table, others, problems);
  }
  tables.set(EXTENSION_SCOPE, extensionTable(shortcuts, tables, problems));
  const actions = new Map<string, KeyAction>();
  for (const table of tables.values()) for (const action of table.actions) actions.set(action.id, action);
  return {
    actionFor: (scope, key) => tables.get(scope)?.byKey.get(key.name)?.id,
    hint: (actionId) => keyHint(actions.get(actionId)?.keys[0] ?? ""),
    titleOf: (scope) =>
      scope === EXTENSION_SCOPE ? "Extensions" : (scopes.find(({ id }) => id === scope)?.title ?? scope),
    actionsOf: (scope) => tables.get(scope)?.actions ?? [],
    problems,
  };
}

interface ScopeTable {
  readonly actions: readonly KeyAction[];
  readonly byKey: ReadonlyMap<string, KeyAction>;
}

/** The user's own bindings are assigned first; a default that wants the same key loses it. */
function scopeTable(scope: KeyScope, overrides: KeyOverrides, problems: string[]): ScopeTable {
  const byKey = new Map<string, KeyAction>();
  const keysOf = new Map<string, string[]>();
  const give = (action: KeyAction, written: readonly string[], from: "default" | "settings"): void => {
    const keys: string[] = [];
    for (const one of written) {
      const name = keyName(one);
      if (name === undefined) {
        problems.push(`${action.id}: unknown key ${one}`);
        continue;
      }
      const owner = byKey.get(name);
      if (owner !== undefined && owner.id !== action.id) {
        // A default that gives way to the user's own binding is intended.
        if (from === "settings" || !Object.hasOwn(overrides, owner.id)) {
          problems.push(`${keyHint(name)} cannot be ${action.id}, because it is ${owner.id}`);
        }
        continue;
      }
      byKey.set(name, action);
      if (!keys.includes(name)) keys.push(name);
    }
    keysOf.set(action.id, keys);
  };
  for (const action of scope.actions) {
    const own = Object.hasOwn(overrides, action.id) ? overrides[action.id] : undefined;
    if (own !== undefined) give(action, own, "settings");
  }
  for (const action of scope.actions) {
    if (!Object.hasOwn(overrides, action.id)) give(action, action.keys, "default");
  }
  return { actions: scope.actions.map((action) => ({ ...action, keys: keysOf.get(action.id) ?? [] })), byKey };
}

function reportShadowed(table: ScopeTable, others: readonly ScopeTable[], problems: string[]): void {
  for (const [name, action] of table.byKey) {
    const owner = others.map((other) => other.byKey.get(name)).find((found) => found !== undefined);
    if (owner !== undefined) problems.push(`${keyHint(name)} cannot be ${action.id}, because it is ${owner.id}`);
  }
}

function extensionTable(
  shortcuts: readonly ShortcutRequest[],
  tables: ReadonlyMap<string, ScopeTable>,
  problems: string[],
): ScopeTable {
  const byKey = new Map<string, KeyAction>();
  const actions: KeyAction[] = [];
  for (const { key, extension, help } of shortcuts) {
    const name = keyName(key);
    if (name === undefined || name.includes(" ")) {
      problems.push(`${extension}: "${key}" is not a valid key; shortcut ignored.`);
      continue;
    }
    const owner =
      byKey.get(name) ??
      TAKEN_FROM_EXTENSIONS.map((scope) => tables.get(scope)?.byKey.get(name)).find((found) => found !== undefined);
    if (owner !== undefined || types(name)) {
      const reason = owner === undefined ? "types a character" : `is ${owner.id}`;
      problems.push(`The extension ${extension} wants ${keyHint(name)}, which ${reason}. Its shortcut is disabled.`);
      continue;
    }
    const action = { id: `${EXTENSION_SCOPE}.${key}`, keys: [name], help };
    byKey.set(name, action);
    actions.push(action);
  }
  return { actions, byKey };
}

/** A key needed for typing. */
function types(name: string): boolean {
  return [...name].length === 1 || name === "space";
}
