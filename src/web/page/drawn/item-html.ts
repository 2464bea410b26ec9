/** The inside of one item of the transcript. */
import { blockHtml } from "../../html/block-html.js";
import type { BlockLook } from "../../html/block-look.js";
import { blocksHtml, turnHeading } from "../../html/entry-html.js";
import { html } from "../../html/html.js";
import type { PageStore } from "../state/page-store.js";
import { highlightCode } from "./highlight.js";
import { safeHtml } from "./safe-html.js";

export function itemHtml(store: PageStore, index: number): string {
  const { list } = store;
  const blocks = list.blocksAt(index);
  const [first] = blocks;
  if (first === undefined) return "";
  const turn = list.turnAt(index);
  const id = list.entryNumberAt(index) < 0 ? undefined : first.entryId;
  const heading = turn === 0 ? undefined : turnHeading({ turn, id, time: first.time });
  return safeHtml(html`${heading}${blocksHtml(blocks, lookOf(store))}`);
}

/** The inside of something that was just opened. */
export function openedHtml(store: PageStore, index: number, blockId: string): string {
  const block = store.list.blocksAt(index).find(({ id }) => id === blockId);
  if (block === undefined) return "";
  const drawn = document.createElement("div");
  drawn.innerHTML = safeHtml(blockHtml(block, { ...lookOf(store), isOpen: () => true }));
  return drawn.querySelector(".inside")?.innerHTML ?? "";
}

function lookOf({ unfolded, state }: PageStore): BlockLook {
  return {
    isOpen: (id, kind) => unfolded.isOpen(id, kind, state),
    limits: (id) => unfolded.limits(id),
    more: "more",
    images: "pictures",
    folded: "lazy",
    highlight: highlightCode,
  };
}
