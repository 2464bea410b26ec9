/** Goes to an entry: shows its path up to the newest end of its branch, and updates the page's address. */
import { counted, firstWords } from "@bough/session/text/index.js";
import { isOnPath } from "@bough/session/tree/index.js";
import { selectEntry } from "@bough/session/view/index.js";
import { branchName } from "@bough/session/view/internal.js";
import { versionsAt } from "../data/versions.js";
import { entryAddress, pushAddress } from "./address.js";
import type { Target } from "./page-state.js";
import type { PageStore } from "./page-store.js";

export interface GoOptions {
  /** `push` adds a step for Back; `keep` if the address is already right. */
  readonly history: "push" | "keep";
  /** The end of the path, if it is known. */
  readonly end?: number;
  readonly focus?: Target["focus"];
}

export function goTo(store: PageStore, n: number, { history, end, focus = "keep" }: GoOptions): void {
  if (n < 0 || n >= store.source.tree.count) return;
  const { state, model } = store;
  const path = end ?? endFor(store, n);
  store.set({
    end: path,
    chosen: n,
    shows: "path",
    target: { n, focus },
    tree: selectEntry(model, state.tree, n),
    sheet: "closed",
    announcement: announcementFor(store, path, n),
  });
  if (history === "push") pushAddress(entryAddress(store.source.tree.ids.textOf(n)), { end: path });
}

export function goToLeaf(store: PageStore): void {
  const { leaf } = store.source;
  if (leaf >= 0) goTo(store, leaf, { history: "push", end: leaf, focus: "article" });
  else store.set({ end: leaf, chosen: -1, target: undefined, announcement: "Before the first entry." });
}

/** The end of the shown path, else the leaf, else the tip of the entry's branch. */
function endFor({ source: { tree, leaf }, state, model: { branches } }: PageStore, n: number): number {
  for (const end of [state.end, leaf]) if (end >= 0 && isOnPath(tree, n, end)) return end;
  const tip = branches.tipOf(branches.branchOf(n));
  return tip >= 0 && isOnPath(tree, n, tip) ? tip : n;
}

function announcementFor({ source, model, state }: PageStore, end: number, n: number): string {
  const words = firstWords(model.facts(n).words, 60);
  if (end === state.end) return words;
  const branch = model.branches.branchOf(end);
  return `Branch ${branch}, ${branchName(source, branch)}, ${counted(model.branches.turnsAt(end), "turn")}. ${words}`;
}

/** Goes to the previous or next version at the nearest fork above an entry. */
export function goToVersion(store: PageStore, from: number, step: -1 | 1): void {
  const { tree } = store.source;
  for (let n = from; n >= 0; n = tree.parentOf(n)) {
    const versions = versionsAt(store.model, n);
    if (versions === undefined) continue;
    const other = step < 0 ? versions.previous : versions.next;
    if (other >= 0) goTo(store, other, { history: "push", focus: "article" });
    else store.set({ announcement: step < 0 ? "This is the first version." : "This is the last version." });
    return;
  }
  store.set({ announcement: "No fork above." });
}

/** Goes to the previous or next prompt from an index of the list. */
export function goToPrompt(store: PageStore, from: number, step: -1 | 1): void {
  const { list } = store;
  for (let index = from + step; index >= 0 && index < list.count; index += step) {
    if (list.turnAt(index) === 0) continue;
    const n = list.entryNumberAt(index);
    if (n >= 0) goTo(store, n, { history: "push", focus: "article" });
    return;
  }
  store.set({ announcement: step < 0 ? "This is the first prompt." : "This is the last prompt." });
}
