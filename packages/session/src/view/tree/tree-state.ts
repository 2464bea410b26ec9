/** What a user has chosen in a tree. Immutable: every change gives a new one. */

import { nextOf } from "../../text/index.js";
import { TREE_FILTERS, type TreeFilter } from "./tree-filter.js";
import type { TreeSearch } from "./tree-search.js";

export { TREE_FILTERS, type TreeFilter };

/** Narrower than the filter: only rows with file changes, that failed, or that the search found. */
export const TREE_NARROWINGS = ["none", "files", "failed", "matches"] as const;
export type TreeNarrowing = (typeof TREE_NARROWINGS)[number];

const PREVIEW_PLACES = ["below", "beside", "full", "off"] as const;
export type PreviewPlace = (typeof PREVIEW_PLACES)[number];
/** `auto` looks at the width. */
export type TreePreview = "auto" | PreviewPlace;

/** A row, and the entry to look for where the row is gone. */
export interface RowPlace {
  readonly key: string;
  readonly n: number;
}

/** A part of a path: rows around an entry, and how often more of them were opened above and below. */
export interface Stretch {
  /** -1 is the end of the path. */
  readonly anchor: number;
  readonly above: number;
  readonly below: number;
}

export const END_STRETCH: Stretch = { anchor: -1, above: 0, below: 0 };

export interface TreeState {
  readonly filter: TreeFilter;
  /** The filter that was chosen from the list: what `toggleFilter` returns to. */
  readonly chosen: TreeFilter;
  readonly narrowing: TreeNarrowing;
  readonly preview: TreePreview;
  /** Whether labels show when they were set. */
  readonly labelTimes: boolean;
  /** First entries of the side branches that are open. */
  readonly opened: ReadonlySet<number>;
  /** How often `+ 31 more` was opened, by fork. */
  readonly more: ReadonlyMap<number, number>;
  /** Which part of a long path is shown, by the first entry of the open branch; -1 is the trunk. Absent: its end. */
  readonly stretches: ReadonlyMap<number, Stretch>;
  /** Absent: the leaf. */
  readonly selected: RowPlace | undefined;
  readonly picked: ReadonlySet<number>;
  readonly search: TreeSearch | undefined;
  /** Which of the matches is the current one; -1 for none yet. */
  readonly match: number;
}

/** The tree as it opens: at the leaf, with its path unfolded. */
export function initialTree(filter: TreeFilter = "default"): TreeState {
  return {
    filter,
    chosen: filter,
    narrowing: "none",
    preview: "auto",
    labelTimes: false,
    opened: new Set(),
    more: new Map(),
    stretches: new Map(),
    selected: undefined,
    picked: new Set(),
    search: undefined,
    match: -1,
  };
}

/** The tree with another filter. */
export function withFilter(state: TreeState, filter: TreeFilter): TreeState {
  return filter === state.filter && filter === state.chosen ? state : { ...state, filter, chosen: filter };
}

/** Shows a filter for a while: the second time returns to the one that was chosen, however many were looked at meanwhile. */
export function toggleFilter(state: TreeState, filter: TreeFilter): TreeState {
  if (state.filter !== filter) return { ...state, filter };
  return withFilter(state, state.chosen === filter ? "default" : state.chosen);
}

export function nextFilter(state: TreeState): TreeState {
  return withFilter(state, nextOf(TREE_FILTERS, state.filter));
}

/** Only a search has matches to narrow to. */
export function nextNarrowing(state: TreeState): TreeState {
  const next = nextOf(TREE_NARROWINGS, state.narrowing);
  return { ...state, narrowing: next === "matches" && state.search === undefined ? "none" : next };
}

/** Where the preview is at a width: next to a wide list, below a narrower one, nowhere under 60 columns. */
export function previewPlace(preview: TreePreview, width: number): PreviewPlace {
  if (preview === "auto") return width >= 120 ? "beside" : width >= 60 ? "below" : "off";
  return preview === "beside" && width < LEAST_BESIDE ? "below" : preview;
}

/** `width` is that of the screen, so that `auto` continues from what is seen. */
export function nextPreview(state: TreeState, width = 80): TreeState {
  const next = nextOf(PREVIEW_PLACES, previewPlace(state.preview, width));
  return { ...state, preview: next === "beside" && width < LEAST_BESIDE ? "full" : next };
}

/** Two columns of less than half of this would both be useless. */
const LEAST_BESIDE = 80;

export function toggleLabelTimes(state: TreeState): TreeState {
  return { ...state, labelTimes: !state.labelTimes };
}

/** Starts, replaces or ends a search. What was opened to show a match stays open. */
export function withSearch(state: TreeState, search: TreeSearch | undefined): TreeState {
  const narrowing = search === undefined && state.narrowing === "matches" ? "none" : state.narrowing;
  return { ...state, search, narrowing, match: -1 };
}
