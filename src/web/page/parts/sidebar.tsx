/** The tree with its search and its filters. On a phone it is a sheet. */
import { counted, grouped } from "../../../text/index.js";
import type { TreeFilter } from "../../../view/index.js";
import { TREE_FILTERS } from "../../../view/index.js";
import type { PageStore } from "../state/page-store.js";
import { goToMatch, searchFor, showFilter } from "../state/search.js";
import { TreeView } from "./tree-view.js";

const FILTER_NAMES: Readonly<Record<TreeFilter, string>> = {
  default: "Default",
  "no-tools": "No tools",
  "user-only": "Users",
  "labeled-only": "Labels",
  all: "All",
};

export function Sidebar({ store }: { readonly store: PageStore }) {
  const { state, source } = store;
  return (
    <aside id="sidebar" class={`sidebar ${state.sheet}`} aria-label="Tree">
      <div class="title">
        <h1>
          <bdi>{source.facts.title}</bdi>
        </h1>
        <button type="button" class="close" onClick={() => store.set({ sheet: "closed" })}>
          Close
        </button>
      </div>
      <Search store={store} />
      <div class="filters" role="radiogroup" aria-label="Rows of the tree">
        {TREE_FILTERS.map((filter) => (
          <label key={filter} class={filter === state.tree.filter ? "on" : ""}>
            <input
              type="radio"
              name="filter"
              class="visually-hidden"
              checked={filter === state.tree.filter}
              onChange={() => showFilter(store, filter)}
            />
            {FILTER_NAMES[filter]}
          </label>
        ))}
      </div>
      <TreeView store={store} state={state} />
      <p class="muted count">{countText(store)}</p>
    </aside>
  );
}

function Search({ store }: { readonly store: PageStore }) {
  const { query } = store.state;
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Enter") goToMatch(store, event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") {
      searchFor(store, "");
      (event.target as HTMLElement).blur();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="search">
      <label class="visually-hidden" for="search">
        Search the session
      </label>
      <input
        id="search"
        type="search"
        placeholder="Search  /"
        autocomplete="off"
        spellcheck={false}
        value={query}
        onInput={(event) => searchFor(store, event.currentTarget.value)}
        onKeyDown={onKey}
      />
      {query === "" ? null : (
        <>
          <button type="button" aria-label="Previous match" onClick={() => goToMatch(store, -1)}>
            ↑
          </button>
          <button type="button" aria-label="Next match" onClick={() => goToMatch(store, 1)}>
            ↓
          </button>
        </>
      )}
    </div>
  );
}

function countText({ state, model }: PageStore): string {
  const { search, match } = state.tree;
  if (search !== undefined) {
    const found = counted(search.matches.length, "match", "matches");
    const at =
      match >= 0 && search.matches.length > 0 ? `match ${match + 1} of ${grouped(search.matches.length)}` : found;
    if (state.searching) return `${at}, still looking`;
    return search.matches.length === 0 ? `Nothing matches “${state.query}”. Esc clears the search.` : at;
  }
  const { rows } = model.rows(state.tree);
  if (rows.length === 0) return "Nothing here.";
  const turns = counted(model.branches.turns, "turn");
  return `${counted(rows.length, "row")} · ${turns} · ${counted(model.branches.count, "branch", "branches")}`;
}
