/**
 * Every key there is, as data: the screens ask what a key means, help and docs/reference/keys.md are made from it, and
 * settings (`keys`) rebind it. An action's name is stable; its keys are defaults.
 */

export interface KeyAction {
  /** `scope.action`, as in settings: "tree.label". */
  readonly id: string;
  readonly keys: readonly string[];
  /** What it does, as help says it: starts with a verb in the base form, no full stop. */
  readonly help: string;
}

export interface KeyScope {
  readonly title: string;
  readonly actions: readonly KeyAction[];
}
