/** Searches in slices, so that keys never wait. */
import { counted } from "@bough/session/text/index.js";
import {
  nextMatch,
  previousMatch,
  type TranscriptBlock,
  type TreeFilter,
  type TreeModel,
  TreeSearch,
  withFilter,
  withSearch,
} from "@bough/session/view/index.js";
import { isSearched } from "@bough/session/view/internal.js";
import { goTo } from "./go-to.js";
import type { PageStore } from "./page-store.js";
import { searchedText } from "./searched-text.js";

const SLICE_MILLISECONDS = 8;

export function searchFor(store: PageStore, query: string): void {
  const { state } = store;
  if (query.trim() === "") {
    store.set({
      query,
      searching: false,
      tree: { ...withSearch(state.tree, undefined), narrowing: "none" },
      announcement: "",
    });
    return;
  }
  const { source } = store;
  if (source.find !== undefined) {
    findElsewhere(store, query, source.find.bind(source));
    return;
  }
  begin(store, query, (model) => (n, request) => searchedText({ source, model }, n, request));
}

type TextOf = NonNullable<ConstructorParameters<typeof TreeSearch>[2]>["textOf"];

function begin(store: PageStore, query: string, textIn: (model: TreeModel) => TextOf): void {
  const { model, state } = store;
  const search = new TreeSearch(model, query, { filter: state.tree.filter, textOf: textIn(model) });
  store.set({ query, searching: true, tree: { ...withSearch(state.tree, search), narrowing: "matches" } });
  advance(store, search);
}

/** A search does not start with every letter. */
const PAUSE_MILLISECONDS = 200;

/** Asks where the session is, and goes through the tree with the answer. */
function findElsewhere(store: PageStore, query: string, find: (query: string) => Promise<ReadonlySet<number>>): void {
  store.set({ query, searching: true });
  const isCurrent = (): boolean => store.state.query === query;
  setTimeout(() => {
    if (!isCurrent()) return;
    find(query).then(
      (found) => {
        if (isCurrent()) begin(store, query, ({ source: { tree } }) => wordsIf(found, query, tree));
      },
      () => {
        if (isCurrent()) store.set({ searching: false, announcement: "The search failed." });
      },
    );
  }, PAUSE_MILLISECONDS);
}

/** The text of a match is the query itself: what it really says is fetched when it is shown. */
function wordsIf(found: ReadonlySet<number>, query: string, tree: TreeModel["source"]["tree"]): TextOf {
  const words = query.toLowerCase();
  return (n, { parts, filter }) =>
    found.has(n) && isSearched(tree.kindOf(n), filter)
      ? `${words} ${words.split(/\s+/).join(" ")} ${parts.join(" ")}`
      : "";
}

/** Restarts the search, because another filter has other rows to find. */
export function showFilter(store: PageStore, filter: TreeFilter): void {
  store.set({ tree: withFilter(store.state.tree, filter) });
  if (store.state.tree.search !== undefined) searchFor(store, store.state.query);
}

function advance(store: PageStore, search: TreeSearch): void {
  // Another search has begun, or the search was cleared.
  if (store.state.tree.search !== search) return;
  const end = performance.now() + SLICE_MILLISECONDS;
  const before = search.matches.length;
  const done = search.advance(() => performance.now() >= end) === "done";
  if (done) store.set({ searching: false, announcement: counted(search.matches.length, "match", "matches") });
  else if (search.matches.length !== before) store.set({});
  if (!done) setTimeout(() => advance(store, search), 0);
}

export function goToMatch(store: PageStore, step: -1 | 1): void {
  const { model, state } = store;
  const moved = step > 0 ? nextMatch(model, state.tree) : previousMatch(model, state.tree);
  const n = moved.search?.matches[moved.match];
  if (n === undefined) return;
  store.set({ tree: moved });
  openMatch(store, n);
  goTo(store, n, { history: "push" });
}

const FOLDING: ReadonlySet<TranscriptBlock["kind"]> = new Set(["tool", "thinking", "note", "shell", "files"]);

/** Opens folded blocks that contain the match. */
function openMatch(store: PageStore, n: number): void {
  const { words = [] } = store.state.tree.search ?? {};
  const { list } = store;
  const index = list.indexOf(n);
  if (index < 0) return;
  let opened = false;
  for (const block of list.blocksAt(index)) {
    if (!FOLDING.has(block.kind)) continue;
    const said = JSON.stringify(block).toLowerCase();
    if (!words.some((word) => said.includes(word))) continue;
    store.unfolded.setOpen(block.id, true);
    opened = true;
  }
  if (opened) store.set({ blocksVersion: store.state.blocksVersion + 1 });
}
