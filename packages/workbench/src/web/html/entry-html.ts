/** Renders an entry of the conversation as HTML: the heading of its turn, and its blocks. */
import { branchIndexOf, type TreeSource } from "@bough/session/tree/index.js";
import { entryBlocks, type TranscriptBlock, UNICODE_GLYPHS } from "@bough/session/view/index.js";
import { branchName, finderAt } from "@bough/session/view/internal.js";
import { blockHtml } from "./block-html.js";
import type { BlockLook } from "./block-look.js";
import { type Html, html, NO_HTML } from "./html.js";

/** Blocks of the entry at an index of a path. */
export function blocksAt(source: TreeSource, path: ArrayLike<number>, at: number): TranscriptBlock[] {
  const find = finderAt(source, path, at);
  const n = path[at] as number;
  return entryBlocks(source.entryAt(n), {
    ...find,
    branchName: (id) => nameOf(source, id),
    label: () => source.labelOf(n)?.label,
  });
}

/** For example "#4 lexer". */
function nameOf(source: TreeSource, id: string): string | undefined {
  const n = source.tree.ids.findText(id);
  if (n < 0) return undefined;
  const branch = branchIndexOf(source.tree).branchOf(n);
  return `#${branch} ${branchName(source, branch)}`;
}

export function blocksHtml(blocks: readonly TranscriptBlock[], look: BlockLook): Html {
  return html`${blocks.map((block) => blockHtml(block, look))}`;
}

interface TurnFacts {
  readonly turn: number;
  /** The ID of the entry; undefined if it has no address. */
  readonly id: string | undefined;
  readonly time: number;
}

/** The heading says which turn it is and links to its address. */
export function turnHeading({ turn, id, time }: TurnFacts): Html {
  const link =
    id === undefined
      ? NO_HTML
      : html`<a class="here" href="#e=${encodeURIComponent(id)}" aria-label="Link to prompt ${turn}">#</a>`;
  return html`<h2 class="turn"><span class="sign" aria-hidden="true">${UNICODE_GLYPHS.prompt}</span> Prompt ${turn} ${timeHtml(time)} ${link}</h2>`;
}

/** In UTC, because the file can be read anywhere. */
function timeHtml(time: number): Html {
  if (time <= 0 || time > 8.64e15) return NO_HTML;
  const iso = new Date(time).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace("T", " ")}</time>`;
}
