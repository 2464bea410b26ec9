/** The page for readers without script: the path from the first prompt to the last answer, and the other branches by name. */
import { counted } from "../../text/index.js";
import type { TreeSource } from "../../tree/index.js";
import { branchIndexOf } from "../../tree/index.js";
import type { ExportFacts } from "../data/export-facts.js";
import type { BlockLook } from "../html/block-look.js";
import { html } from "../html/html.js";
import { otherBranchesHtml, pathHtml } from "../html/path-html.js";

/** Everything that was said is there; of what tools answered, the beginning. */
const LIMITS = { text: 100_000, output: 2_000 };

const LOOK: BlockLook = {
  isOpen: () => false,
  limits: () => LIMITS,
  more: "no-more",
  images: "words",
  folded: "whole",
};

/** Entries that are put into one piece. */
const PIECE_ENTRIES = 50;

export function* scriptlessPage(
  source: TreeSource,
  facts: Pick<ExportFacts, "title" | "madeAt" | "sessionId">,
): Generator<string> {
  const branches = branchIndexOf(source.tree);
  const turns = counted(branches.turnsAt(source.leaf), "turn");
  const about = `${turns} · ${counted(branches.count, "branch", "branches")} in this file · made ${facts.madeAt.slice(0, 10)} · session ${facts.sessionId}`;
  yield html`<main class="scriptless"><header><h1>${facts.title}</h1><p class="muted">${about}</p></header>\n`.html;
  let piece = "";
  let entries = 0;
  for (const one of pathHtml(source, source.leaf, { look: LOOK })) {
    piece += one.html.html;
    entries += 1;
    if (entries % PIECE_ENTRIES !== 0) continue;
    yield piece;
    piece = "";
  }
  yield `${piece}${otherBranchesHtml(source, source.leaf).html}</main>\n`;
}
