/** A whole path as plain HTML, piece by piece: for readers without script, and for printing. */
import { counted } from "@bough/session/text/index.js";
import { branchIndexOf, isPromptAt, pathTo, type TreeSource } from "@bough/session/tree/index.js";
import { branchName } from "@bough/session/view/internal.js";
import type { BlockLook } from "./block-look.js";
import { blocksAt, blocksHtml, turnHeading } from "./entry-html.js";
import { type Html, html } from "./html.js";

interface PathPiece {
  readonly html: Html;
  /** Index on the path. */
  readonly at: number;
}

/** Starts at an index of the path; skips entries without content. */
export function* pathHtml(
  source: TreeSource,
  end: number,
  { look, from = 0 }: { look: BlockLook; from?: number },
): Generator<PathPiece> {
  const path = pathTo(source.tree, end);
  const branches = branchIndexOf(source.tree);
  for (let at = from; at < path.length; at++) {
    const n = path[at] as number;
    const blocks = blocksAt(source, path, at);
    const [first] = blocks;
    if (first === undefined) continue;
    const heading = isPromptAt(source.tree, n)
      ? turnHeading({ turn: branches.turnsAt(n), id: first.entryId, time: first.time })
      : undefined;
    yield { at, html: html`<article class="entry">${heading}${blocksHtml(blocks, look)}</article>\n` };
  }
}

/** A longer list would not help anyone. */
const MOST_BRANCHES = 500;

/** A list of the branches that are not on a path. Empty if there are none. */
export function otherBranchesHtml(source: TreeSource, end: number): Html {
  const branches = branchIndexOf(source.tree);
  const shown: Html[] = [];
  let left = 0;
  for (let branch = 1; branch <= branches.count; branch++) {
    const tip = branches.tipOf(branch);
    if (branches.commonAncestor(tip, end) === tip) continue;
    if (shown.length >= MOST_BRANCHES) {
      left += 1;
      continue;
    }
    const turns = counted(branches.turnsIn(branch), "turn");
    shown.push(html`<li>#${branch} ${branchName(source, branch)}, ${turns}</li>`);
  }
  if (shown.length === 0) return html``;
  const more = left === 0 ? undefined : html`<li>and ${left} more</li>`;
  return html`<section class="others"><h2>Other branches</h2><ul>${shown}${more}</ul></section>`;
}
