/** The whole page: the tree on one side, the conversation on the other. */

import { counted, grouped } from "@bough/session/text/index.js";
import { TREE_FILTERS, type TreeFilter } from "@bough/session/view/index.js";
import { Component } from "preact";
import { goToPrompt, goToVersion } from "../state/go-to.js";
import type { PageStore } from "../state/page-store.js";
import { goToMatch, searchFor, showFilter } from "../state/search.js";
import { focusTree, showTree } from "../state/tree-shown.js";
import { Dialogs } from "./dialogs.js";
import { closeMenu, PathHeading, setTools, Toolbar } from "./toolbar.js";
import { Transcript } from "./transcript.js";
import { TreeView } from "./tree-view.js";

export class Page extends Component<{ readonly store: PageStore }> {
  #transcript: Transcript | undefined;

  override componentDidMount(): void {
    const { store } = this.props;
    pageKeys({
      j: () => this.#onPrompt(1),
      k: () => this.#onPrompt(-1),
      "[": () => goToVersion(store, this.#here(), -1),
      "]": () => goToVersion(store, this.#here(), 1),
      "/": () => {
        showTree(store);
        queueMicrotask(() => document.getElementById("search")?.focus());
      },
      t: () => setTools(store, !store.state.toolsOpen),
      "?": () => store.set({ dialog: "keys" }),
      Escape: () => closeTop(store),
    });
    document.addEventListener("pointerdown", ({ target }) => {
      if (target instanceof Element && target.closest("details.menu") === null) closeMenu();
    });
  }

  render() {
    const { store } = this.props;
    const { state } = store;
    return (
      <>
        <nav class="skip" aria-label="Skip">
          <button type="button" onClick={() => document.getElementById("transcript")?.focus()}>
            To the conversation
          </button>
          <button type="button" onClick={() => skipToTree(store)}>
            To the tree
          </button>
        </nav>
        <div class={state.sidebar === "open" ? "page" : "page alone"}>
          <Sidebar store={store} />
          {state.sheet === "open" ? (
            <button
              type="button"
              class="veil"
              aria-label="Close the tree"
              onClick={() => store.set({ sheet: "closed" })}
            />
          ) : null}
          <main>
            <Toolbar store={store} onPrompt={(step) => this.#onPrompt(step)} />
            <Transcript
              onMade={(transcript) => {
                this.#transcript = transcript;
              }}
              store={store}
              list={store.list}
              target={state.target}
              version={state.blocksVersion}
              heading={<PathHeading store={store} />}
            />
          </main>
        </div>
        <Dialogs store={store} />
        <div class="visually-hidden" role="status" aria-live="polite">
          {state.announcement}
        </div>
      </>
    );
  }

  #onPrompt(step: -1 | 1): void {
    goToPrompt(this.props.store, this.#transcript?.current ?? 0, step);
  }

  /** The entry that the reader is looking at. */
  #here(): number {
    const { store } = this.props;
    const { chosen, end } = store.state;
    const n = store.list.entryNumberAt(this.#transcript?.current ?? 0);
    return n >= 0 ? n : chosen >= 0 ? chosen : end;
  }
}

/** Closes only the topmost element; a dialog closes by itself. */
function closeTop(store: PageStore): void {
  if (!closeMenu() && store.state.sheet === "open") store.set({ sheet: "closed" });
}

/** On a phone the tree is a sheet, which must be shown before it can get the focus. */
function skipToTree(store: PageStore): void {
  showTree(store);
  queueMicrotask(focusTree);
}

/** Keys of the page. They only work if no field has the focus, and never replace the browser's own shortcuts. */
function pageKeys(actions: Readonly<Record<string, () => void>>): void {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isField(event.target) || document.querySelector("dialog[open]") !== null) return;
    const action = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined;
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
}

function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return target.type !== "radio" && target.type !== "checkbox";
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable;
}

/** The tree with its search and filters. On a phone it is a sheet. */
const FILTER_NAMES: Readonly<Record<TreeFilter, string>> = {
  default: "Default",
  "no-tools": "No tools",
  "user-only": "Users",
  "labeled-only": "Labels",
  all: "All",
};

function Sidebar({ store }: { readonly store: PageStore }) {
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
      <div class="filters" role="radiogroup" aria-label="Tree rows">
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
    if (state.searching) return `${at}, still searching`;
    return search.matches.length === 0 ? `Nothing matches “${state.query}”. Esc clears the search.` : at;
  }
  const { rows } = model.rows(state.tree);
  if (rows.length === 0) return "Nothing here.";
  const turns = counted(model.branches.turns, "turn");
  return `${counted(rows.length, "row")} · ${turns} · ${counted(model.branches.count, "branch", "branches")}`;
}
