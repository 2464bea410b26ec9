/**
 * All keys as data: their names, help texts, what they do and why they are disabled. Help and docs/reference/keys.md
 * are generated from it, and settings (`keys`) rebind it. An action's name is stable; its keys are defaults.
 */

import { noticeLine } from "@bough/session/text/index.js";
import type { OffReason } from "./off-reason.js";

export interface KeyAction {
  /** `scope.action`, as in settings: "tree.label". */
  readonly id: string;
  readonly keys: readonly string[];
  /** The help text: starts with a verb in the base form, no full stop. */
  readonly help: string;
}

export interface KeyScope {
  readonly title: string;
  readonly actions: readonly KeyAction[];
}

/** A key of a screen. It does not compile without an action to run, so every key in a table works. */
export interface ScreenKey<On> extends KeyAction {
  readonly run: (on: On) => void;
  /** Why it is disabled; omitted if it always works. */
  readonly disabled?: (on: On) => OffReason | undefined;
}

export interface ScreenKeys<On> extends KeyScope {
  readonly actions: readonly ScreenKey<On>[];
}

/** A row of a screen's table: its columns in order, then what it does, optionally with why it is disabled. */
export function key<On>(
  id: string,
  keys: readonly string[],
  help: string,
  does: ((on: On) => void) | Pick<ScreenKey<On>, "run" | "disabled">,
): ScreenKey<On> {
  return { id, keys, help, ...(typeof does === "function" ? { run: does } : does) };
}

interface RowAction<On, Row> {
  readonly run: (on: On, row: Row) => void;
  readonly disabled?: (on: On, row: Row) => OffReason | undefined;
}

/**
 * Makes rows for keys that act on the selected row of a list: the action gets that row, and `none` says why there is
 * none.
 */
export function keyOnRow<On, Row>(rowOf: (on: On) => Row | undefined, none: (on: On) => string) {
  return (
    id: string,
    keys: readonly string[],
    help: string,
    does: RowAction<On, Row>["run"] | RowAction<On, Row>,
  ): ScreenKey<On> => {
    const { run, disabled }: RowAction<On, Row> = typeof does === "function" ? { run: does } : does;
    return key(id, keys, help, {
      run: (on) => {
        const row = rowOf(on);
        if (row !== undefined) run(on, row);
      },
      disabled: (on) => {
        const row = rowOf(on);
        return row === undefined ? none(on) : disabled?.(on, row);
      },
    });
  };
}

/** The keys of an open screen. */
export interface BoundKeys {
  /** Runs the action, or returns why it is disabled. */
  run(actionId: string): OffReason | undefined;
  disabledReason(actionId: string): string | undefined;
}

export function bindKeys<On>({ actions }: ScreenKeys<On>, on: On): BoundKeys {
  const byId = new Map(actions.map((action) => [action.id, action]));
  const offReason = (id: string): OffReason | undefined => byId.get(id)?.disabled?.(on);
  return {
    disabledReason: (id) => {
      const reason = offReason(id);
      return reason === undefined ? undefined : noticeLine(reason);
    },
    run: (id) => {
      const reason = offReason(id);
      if (reason === undefined) byId.get(id)?.run(on);
      return reason;
    },
  };
}
