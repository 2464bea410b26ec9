/** Starts the page: reads what the file says about the session, draws it, and follows its address. */
import { render } from "preact";
import { type ExportFacts, FACTS_ID } from "../data/export-facts.js";
import { PageSource } from "./data/page-source.js";
import { markMatches } from "./drawn/mark-matches.js";
import { printInto } from "./drawn/printed.js";
import { Page } from "./parts/page.js";
import { addressedEntry, placeInHistory } from "./state/address.js";
import { focusAfterStep, watchFocus } from "./state/focus-zone.js";
import { type GoOptions, goTo } from "./state/go-to.js";
import { PageStore } from "./state/page-store.js";
import { searchFor } from "./state/search.js";
import { readTheme, showTheme } from "./state/theme.js";
import "./style/page.css";

start();

function start(): void {
  const root = document.getElementById("bough");
  const facts = JSON.parse(document.getElementById(FACTS_ID)?.textContent ?? "null") as ExportFacts | null;
  if (root === null || facts === null) return;
  const store = new PageStore(new PageSource(facts));
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

/** A search that began before everything was there begins again. */
function finishReading(store: PageStore): void {
  store.finishReading();
  if (store.state.query !== "") searchFor(store, store.state.query);
}

/** Several changes at once are drawn once, and before the browser paints. */
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

/** Shows the entry that the address names. An address without one is the leaf. */
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
  // Our own steps are heard of as well, and are done already.
  if (n === store.state.chosen && (known.end ?? store.state.end) === store.state.end) return;
  goTo(store, n, { history: "keep", focus, ...known });
}
