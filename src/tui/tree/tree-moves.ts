/** Keys that look around: each gives another state, or a reason why there is nowhere to go. */
import {
  firstRow,
  foldOrStepOut,
  jumpToLeaf,
  lastRow,
  nextBranch,
  nextFilter,
  nextFork,
  nextMatch,
  nextNarrowing,
  nextPage,
  nextPreview,
  nextRow,
  openOrStepIn,
  previousBranch,
  previousFork,
  previousMatch,
  previousPage,
  previousRow,
  selectedRow,
  type TreeModel,
  type TreeState,
  toggleFilter,
  toggleLabelTimes,
  togglePick,
} from "../../view/index.js";

/** What a move has to know of the screen. */
export interface TreeScreen {
  /** Rows on it. */
  readonly pageSize: number;
  readonly width: number;
}

export interface TreeMove {
  readonly move: (model: TreeModel, state: TreeState, screen: TreeScreen) => TreeState;
  /** Why nothing changed, where nothing did. */
  readonly nothing: string;
  /** What to say where something did that cannot be seen at once. */
  readonly said?: (state: TreeState) => string | undefined;
}

const ON_TOP = "This is the first row.";
const AT_END = "This is the last row.";

export const TREE_MOVES: Readonly<Record<string, TreeMove>> = {
  "tree.previous": { move: previousRow, nothing: ON_TOP },
  "tree.next": { move: nextRow, nothing: AT_END },
  "tree.pageUp": { move: (model, state, { pageSize }) => previousPage(model, state, pageSize), nothing: ON_TOP },
  "tree.pageDown": { move: (model, state, { pageSize }) => nextPage(model, state, pageSize), nothing: AT_END },
  "tree.first": { move: firstRow, nothing: ON_TOP },
  "tree.last": { move: lastRow, nothing: AT_END },
  "tree.open": { move: openOrStepIn, nothing: "There is no branch to open here." },
  "tree.fold": { move: foldOrStepOut, nothing: "There is no branch to fold here." },
  "tree.previousBranch": { move: previousBranch, nothing: "No branch before this one at this fork." },
  "tree.nextBranch": { move: nextBranch, nothing: "No branch after this one at this fork." },
  "tree.previousFork": { move: previousFork, nothing: "No fork point above." },
  "tree.nextFork": { move: nextFork, nothing: "No fork point below." },
  "tree.here": { move: jumpToLeaf, nothing: "This is where you are." },
  "tree.pick": { move: togglePick, nothing: "No entry on this row, so it cannot be selected." },
  "tree.preview": {
    move: (_model, state, { width }) => nextPreview(state, width),
    nothing: "",
    said: ({ preview }) => PREVIEWS[preview],
  },
  "tree.labelTimes": {
    move: (_model, state) => toggleLabelTimes(state),
    nothing: "",
    said: ({ labelTimes }) => (labelTimes ? "Labels show when they were set." : "Labels without times."),
  },
  "tree.filter": { move: (_model, state) => nextFilter(state), nothing: "", said: filterWords },
  "tree.all": { move: (_model, state) => toggleFilter(state, "all"), nothing: "", said: filterWords },
  "tree.userOnly": { move: (_model, state) => toggleFilter(state, "user-only"), nothing: "", said: filterWords },
  "tree.narrow": { move: (_model, state) => nextNarrowing(state), nothing: "", said: narrowingWords },
  "tree.nextMatch": { move: nextMatch, nothing: "No further match." },
  "tree.previousMatch": { move: previousMatch, nothing: "No earlier match." },
};

/** Whether a move led nowhere: the same row is selected and nothing else changed. */
export function isSame(model: TreeModel, before: TreeState, after: TreeState): boolean {
  if (before === after) return true;
  for (const key of Object.keys(after) as (keyof TreeState)[]) {
    if (key !== "selected" && before[key] !== after[key]) return false;
  }
  return selectedRow(model, before)?.key === selectedRow(model, after)?.key;
}

const PREVIEWS: Readonly<Record<TreeState["preview"], string>> = {
  auto: "Preview where it fits.",
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
  none: "Everything the filter shows.",
  files: "Only with file changes.",
  failed: "Only what failed or was stopped.",
  matches: "Only matches.",
};

function filterWords({ filter }: TreeState): string {
  return `Filter ${FILTERS[filter]}`;
}

function narrowingWords({ narrowing }: TreeState): string {
  return NARROWINGS[narrowing];
}
