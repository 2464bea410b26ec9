/** The user's choices in a tree. Immutable: every change returns a new state. */

import { nextOf } from "../../text/index.js";
import { TREE_FILTERS, type TreeFilter } from "./tree-filter.js";
import type { TreeSearch } from "./tree-search.js";

export { TREE_FILTERS, type TreeFilter };

/** Narrower than the filter: only rows with file changes, rows that failed, or matches of the search. */
export const TREE_NARROWINGS = ["none", "files", "failed", "matches"] as const;
export type TreeNarrowing = (typeof TREE_NARROWINGS)[number];

/** Where the preview of an entry can be. */
export const PREVIEW_PLACES = ["below", "beside", "full", "off"] as const;
export type PreviewPlace = (typeof PREVIEW_PLACES)[number];
/** `auto` depends on the width. */
export type TreePreview = "auto" | PreviewPlace;

/** A row, and the entry to look for if the row is gone. */
export interface RowPlace {
  readonly key: string;
  readonly n: number;
}

/** A part of a path: the rows around an entry, and how often more were opened above and below. */
export interface Stretch {
  /** -1 is the end of the path. */
  readonly anchor: number;
  readonly above: number;
  readonly below: number;
}

export const END_STRETCH: Stretch = { anchor: -1, above: 0, below: 0 };

export interface TreeState {
  readonly filter: TreeFilter;
  /** The filter chosen from the list, which `toggleFilter` returns to. */
  readonly chosen: TreeFilter;
  readonly narrowing: TreeNarrowing;
  readonly preview: TreePreview;
  /** Whether labels show when they were set. */
  readonly labelTimes: boolean;
  /** First entries of the open side branches. */
  readonly opened: ReadonlySet<number>;
  /** How often `+ 31 more` was opened, by fork. */
  readonly more: ReadonlyMap<number, number>;
  /** The visible part of a long path, by the first entry of the open branch; -1 is the trunk. Absent: its end. */
  readonly stretches: ReadonlyMap<number, Stretch>;
  /** Absent: the leaf. */
  readonly selected: RowPlace | undefined;
  readonly picked: ReadonlySet<number>;
  readonly search: TreeSearch | undefined;
  /** Index of the current match; -1 for none yet. */
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

/** Shows a filter temporarily: the second time returns to the chosen one, however many were shown in between. */
export function toggleFilter(state: TreeState, filter: TreeFilter): TreeState {
  if (state.filter !== filter) return { ...state, filter };
  return withFilter(state, state.chosen === filter ? "default" : state.chosen);
}

export function nextFilter(state: TreeState): TreeState {
  return withFilter(state, nextOf(TREE_FILTERS, state.filter));
}

/** Matches are only available during a search. */
export function nextNarrowing(state: TreeState): TreeState {
  const next = nextOf(TREE_NARROWINGS, state.narrowing);
  return { ...state, narrowing: next === "matches" && state.search === undefined ? "none" : next };
}

/** The position of the preview at a width: next to a wide list, below a narrower one, off under 60 columns. */
export function previewPlace(preview: TreePreview, width: number): PreviewPlace {
  if (preview === "auto") return width >= 120 ? "beside" : width >= 60 ? "below" : "off";
  return preview === "beside" && width < LEAST_BESIDE ? "below" : preview;
}

/** `width` is that of the screen, so that `auto` continues from the visible state. */
export function nextPreview(state: TreeState, width = 80): TreeState {
  const next = nextOf(PREVIEW_PLACES, previewPlace(state.preview, width));
  return { ...state, preview: next === "beside" && width < LEAST_BESIDE ? "full" : next };
}

/** Two columns of less than half of this would both be useless. */
const LEAST_BESIDE = 80;

export function toggleLabelTimes(state: TreeState): TreeState {
  return { ...state, labelTimes: !state.labelTimes };
}

/** Starts, replaces or ends a search. Anything opened to show a match stays open. */
export function withSearch(state: TreeState, search: TreeSearch | undefined): TreeState {
  const narrowing = search === undefined && state.narrowing === "matches" ? "none" : state.narrowing;
  return { ...state, search, narrowing, match: -1 };
}
