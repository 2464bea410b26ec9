/** Actions whose keys are named in the tree. */
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
  | "reload"
  | "resize";

/** The key of an action as displayed; undefined if it has none. */
export type TreeHintOf = (action: TreeHint) => string | undefined;
