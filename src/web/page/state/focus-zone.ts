/** Where the focus is, or was before that went away: a step in the history must not lose it. */
import type { PageState, Target } from "./page-state.js";
import { isTreeShown } from "./tree-shown.js";

type Zone = "tree" | "conversation" | "elsewhere";

/** Of a page in which nothing had the focus yet. */
let last: Zone = "conversation";

/** What is taken out of the page says nothing when it loses the focus, so it is noted when it gets it. */
export function watchFocus(): void {
  document.addEventListener("focusin", ({ target }) => {
    if (target instanceof Element) last = zoneOf(target);
  });
}

/** What should have the focus after a step: the same side as before; a field that has it keeps it. */
export function focusAfterStep(state: PageState): Target["focus"] {
  const active = document.activeElement;
  const isLost = active === null || active === document.body;
  const zone = isLost ? last : zoneOf(active);
  // A step closes the sheet in which the tree is on a small screen.
  if (zone === "tree" && isTreeShown({ ...state, sheet: "closed" })) return "row";
  return zone === "elsewhere" && !isLost ? "keep" : "article";
}

function zoneOf(element: Element): Zone {
  if (element.closest("#tree") !== null) return "tree";
  return element.closest("#transcript") === null ? "elsewhere" : "conversation";
}
