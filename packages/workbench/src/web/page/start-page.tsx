/** The page of a session: draws it, and follows the address. */
import { render } from "preact";
import { Page } from "./parts/page.js";
import { printInto } from "./render/printed.js";
import { addressedEntry, placeInHistory } from "./state/address.js";
import { type GoOptions, goTo } from "./state/go-to.js";
import type { PageState, Target } from "./state/page-state.js";
import type { PageStore } from "./state/page-store.js";
import { searchFor } from "./state/search.js";
import { readTheme, showTheme } from "./state/theme.js";
import { isTreeShown } from "./state/tree-shown.js";

/** Draws the page of a session into an element, and follows the address. */
export function startPage(store: PageStore, root: HTMLElement): void {
  const theme = readTheme();
  showTheme(theme);
  store.set({ theme });
  followAddress(store, "keep");
  const draw = () => render(<Page store={store} />, root);
  draw();
  store.onChange(onceEachRound(draw, store));
  if (!store.state.complete) document.addEventListener("DOMContentLoaded", () => finishReading(store), { once: true });
  const printed = document.createElement("div");
  printed.className = "printed";
  document.body.append(printed);
  printInto(printed, store);
  watchFocus();
  for (const step of ["popstate", "hashchange"]) {
    window.addEventListener(step, () => followAddress(store, focusAfterStep(store.state)));
  }
}

/** Restarts a search that began before the whole file was read. */
function finishReading(store: PageStore): void {
  store.finishReading();
  if (store.state.query !== "") searchFor(store, store.state.query);
}

/** Draws several changes at once, before the browser paints. */
function onceEachRound(draw: () => void, store: PageStore): () => void {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    queueMicrotask(() => {
      waiting = false;
      draw();
      markMatches(store.state.tree.search?.words ?? []);
    });
  };
}

/** Shows the entry in the address, or the leaf if there is none. */
function followAddress(store: PageStore, focus: NonNullable<GoOptions["focus"]>): void {
  const { tree, leaf } = store.source;
  const id = addressedEntry(location.hash);
  const n = id === undefined ? leaf : tree.ids.findText(id);
  const end = placeInHistory(history.state)?.end;
  if (id === undefined && store.state.chosen < 0) return;
  if (n < 0) {
    store.set({ announcement: "This file has no entry with the id in its address." });
    return;
  }
  const known = end !== undefined && end < tree.count ? { end } : id === undefined ? { end: leaf } : {};
  // Our own steps also trigger this, but are done already.
  if (n === store.state.chosen && (known.end ?? store.state.end) === store.state.end) return;
  goTo(store, n, { history: "keep", focus, ...known });
}

/** Where the focus is, or was before the focused element disappeared: a step in the history must not lose it. */
type Zone = "tree" | "conversation" | "elsewhere";

/** Initially nothing has had the focus. */
let last: Zone = "conversation";

/** Records focus when it is gained, because removed elements do not report losing it. */
function watchFocus(): void {
  document.addEventListener("focusin", ({ target }) => {
    if (target instanceof Element) last = zoneOf(target);
  });
}

/** What to focus after a step: the same side as before. A field that has the focus keeps it. */
function focusAfterStep(state: PageState): Target["focus"] {
  const active = document.activeElement;
  const isLost = active === null || active === document.body;
  const zone = isLost ? last : zoneOf(active);
  // A step closes the sheet that contains the tree on a small screen.
  if (zone === "tree" && isTreeShown({ ...state, sheet: "closed" })) return "row";
  return zone === "elsewhere" && !isLost ? "keep" : "article";
}

function zoneOf(element: Element): Zone {
  if (element.closest("#tree") !== null) return "tree";
  return element.closest("#transcript") === null ? "elsewhere" : "conversation";
}

/** Highlights search words in the transcript without changing it. Browsers without that feature highlight nothing. */
const NAME = "search";
const MOST_MARKS = 500;

function markMatches(words: readonly string[]): void {
  if (typeof Highlight === "undefined" || CSS.highlights === undefined) return;
  const root = document.querySelector('[role="feed"]');
  if (words.length === 0 || root === null) {
    CSS.highlights.delete(NAME);
    return;
  }
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null && ranges.length < MOST_MARKS; node = walker.nextNode()) {
    const text = (node.nodeValue ?? "").toLowerCase();
    for (const word of words) {
      for (
        let at = text.indexOf(word);
        at >= 0 && ranges.length < MOST_MARKS;
        at = text.indexOf(word, at + word.length)
      ) {
        // Lower-casing can make a text longer.
        if (at + word.length > (node.nodeValue?.length ?? 0)) break;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        ranges.push(range);
      }
    }
  }
  CSS.highlights.set(NAME, new Highlight(...ranges));
}
