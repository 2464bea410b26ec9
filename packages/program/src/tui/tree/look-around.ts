/** Keys that only look around: each returns a new state, or the reason why it cannot. */
import { selectedRow, type TreeModel, type TreeState } from "@bough/session/view/index.js";
import { key, type ScreenKey } from "../keys/key-table.js";
import type { OpenedTree } from "./opened-tree.js";
import { searchAgain } from "./search-field.js";

/** Receives the tree too, for what a move needs to know of the screen: its rows and width. */
type Look = (model: TreeModel, state: TreeState, screen: Pick<OpenedTree, "pageSize" | "width">) => TreeState;

interface LookWords {
  /** Why nothing would change; cheap to compute, so help shows it too. */
  readonly off?: string;
  /** Why nothing changed, if that is known only after pressing the key. */
  readonly nothing?: string;
  /** What to report if the change is not visible at once. */
  readonly said?: (state: TreeState) => string | undefined;
}

/** A row of the tree's table for looking around. */
export function look(
  id: string,
  keys: readonly string[],
  help: string,
  move: Look,
  { off, nothing = off, said }: LookWords,
): ScreenKey<OpenedTree> {
  const run = (tree: OpenedTree): void => {
    const state = move(tree.model, tree.state, tree);
    const idle = nothing !== undefined && isSame(tree.model, tree.state, state);
    tree.show(state);
    searchAgain(tree);
    tree.message = idle ? nothing : said?.(state);
  };
  if (off === undefined) return key(id, keys, help, run);
  // Tried out: states are immutable, so this has no effect.
  const disabled = (tree: OpenedTree) => (move(tree.model, tree.state, tree) === tree.state ? off : undefined);
  return key(id, keys, help, { run, disabled });
}

/** Whether a move led nowhere: the same row is selected and nothing else changed. */
function isSame(model: TreeModel, before: TreeState, after: TreeState): boolean {
  if (before === after) return true;
  for (const part of Object.keys(after) as (keyof TreeState)[]) {
    if (part !== "selected" && before[part] !== after[part]) return false;
  }
  return selectedRow(model, before)?.key === selectedRow(model, after)?.key;
}

const PREVIEWS: Readonly<Record<TreeState["preview"], string>> = {
  auto: "Preview placed automatically.",
  below: "Preview below.",
  beside: "Preview beside the rows.",
  full: "Preview full screen.",
  off: "No preview.",
};

const FILTERS: Readonly<Record<TreeState["filter"], string>> = {
  default: "default: prompts, answers, tools and notes",
  "no-tools": "no-tools: prompts, answers and notes",
  "user-only": "user-only: your messages only",
  "labeled-only": "labeled-only: entries with a label",
  all: "all: bookkeeping too",
};

const NARROWINGS: Readonly<Record<TreeState["narrowing"], string>> = {
  none: "Showing everything this filter lets through.",
  files: "Showing only turns with file changes.",
  failed: "Showing only failed or stopped turns.",
  matches: "Showing only matches.",
};

export function filterWords({ filter }: TreeState): string {
  return `Filter ${FILTERS[filter]}`;
}

export function narrowingWords({ narrowing }: TreeState): string {
  return NARROWINGS[narrowing];
}

export function previewWords({ preview }: TreeState): string {
  return PREVIEWS[preview];
}
