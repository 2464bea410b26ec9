/** Whether the tree is visible: next to the conversation, or as a sheet above it if there is no room for both. */
import type { PageState } from "./page-state.js";
import type { PageStore } from "./page-store.js";

/** The same width as in the style sheet. */
const isNarrow = (): boolean => matchMedia("(max-width: 760px)").matches;

export function isTreeShown({ sheet, sidebar }: PageState): boolean {
  return isNarrow() ? sheet === "open" : sidebar === "open";
}

export function showTree(store: PageStore): void {
  store.set({ sheet: isNarrow() ? "open" : "closed", sidebar: "open" });
}

export function toggleTree(store: PageStore): void {
  if (!isTreeShown(store.state)) {
    showTree(store);
    if (isNarrow()) queueMicrotask(focusTree);
  } else store.set(isNarrow() ? { sheet: "closed" } : { sidebar: "closed" });
}

/** Focuses the tree, for example when its sheet opens. */
export function focusTree(): void {
  document.querySelector<HTMLElement>('[role="treeitem"][tabindex="0"]')?.focus({ preventScroll: true });
}
