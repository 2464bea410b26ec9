/** In a `run` the model works; all others change the tree or the session. */
export type OperationName =
  | "run"
  | "shell"
  | "navigate"
  | "fork"
  | "branch"
  | "clone"
  | "switch"
  | "pop"
  | "undo"
  | "redo"
  | "compact"
  | "cherry-pick"
  | "merge"
  | "edit"
  | "restore"
  | "driver"
  | "open";
