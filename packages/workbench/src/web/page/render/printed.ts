/** What is printed: the shown path, with one line per tool and links as notes at the end. */
import { counted } from "@bough/session/text/index.js";
import type { BlockLook } from "../../html/block-look.js";
import { html } from "../../html/html.js";
import { pathHtml } from "../../html/path-html.js";
import type { PageStore } from "../state/page-store.js";
import { highlightCode } from "./highlight.js";
import { safeHtml } from "./safe-html.js";

/** Only this many entries at the end of a path are printed. */
const MOST_ENTRIES = 5000;

const LOOK: BlockLook = {
  isOpen: () => false,
  limits: () => ({ text: 200_000, output: 0 }),
  more: "no-more",
  images: "pictures",
  folded: "lazy",
  highlight: highlightCode,
};

/** Fills an element while the browser prints and empties it afterwards, so that it never shows otherwise. */
export function printInto(element: HTMLElement, store: PageStore): void {
  const fill = () => {
    element.innerHTML = printedHtml(store);
    numberLinks(element);
  };
  const clear = () => element.replaceChildren();
  window.addEventListener("beforeprint", fill);
  window.addEventListener("afterprint", clear);
  matchMedia("print").addEventListener("change", ({ matches }) => (matches ? fill() : clear()));
}

function printedHtml(store: PageStore): string {
  const { source, state, model } = store;
  const from = Math.max(0, depthOf(store) - MOST_ENTRIES);
  const parts = [...pathHtml(source, state.end, { look: LOOK, from })].map((piece) => piece.html);
  const branch = model.branches.branchOf(state.end);
  const about = `Branch #${branch} · ${counted(model.branches.turnsAt(state.end), "turn")} · made ${source.facts.madeAt.slice(0, 10)} · session ${source.facts.sessionId}`;
  const cut = from === 0 ? undefined : html`<p class="muted">${from} earlier entries are not printed.</p>`;
  return safeHtml(html`<h1>${source.facts.title}</h1><p class="muted">${about}</p>${cut}${parts}`);
}

function depthOf({ source: { tree }, state }: PageStore): number {
  let depth = 0;
  for (let n = state.end; n >= 0; n = tree.parentOf(n)) depth += 1;
  return depth;
}

/** Lists the addresses of links, which do not work on paper, and adds numbers that refer to them. */
function numberLinks(element: HTMLElement): void {
  const addresses: string[] = [];
  for (const link of element.querySelectorAll<HTMLAnchorElement>('a[href^="http"], a[href^="mailto:"]')) {
    if (link.textContent === link.href) continue;
    addresses.push(link.href);
    const number = document.createElement("sup");
    number.textContent = `[${addresses.length}]`;
    link.after(number);
  }
  if (addresses.length === 0) return;
  const list = document.createElement("ol");
  for (const address of addresses) {
    const item = document.createElement("li");
    item.textContent = address;
    list.append(item);
  }
  const heading = document.createElement("h2");
  heading.textContent = "Links";
  element.append(heading, list);
}
