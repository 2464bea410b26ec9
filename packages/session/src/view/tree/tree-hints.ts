/** Actions of the tree whose keys are named in it. */
export type TreeHint =
  | "enter"
  | "edit"
  | "continue"
  | "summary"
  | "fork"
  | "label"
  | "pick"
  | "cherryPick"
  | "merge"
  | "compare"
  | "preview"
  | "copy"
  | "filter"
  | "narrow"
  | "search"
  | "nextMatch"
  | "previousMatch"
  | "undo"
  | "help"
  | "close"
  | "open"
  | "fold"
  | "reload";

/** The key of an action as it is shown; undefined if it has none. */
export type TreeHintOf = (action: TreeHint) => string | undefined;
