/** The first line of a tree: which session, how large, where you are. */
import { counted, firstWords } from "../../text/index.js";
import { fitLine } from "../fit-line.js";
import { type Line, span } from "../line.js";
import { branchName } from "./rows/branch-name.js";
import type { RowStyle } from "./rows/row-style.js";
import type { TreeModel } from "./tree-model.js";
import type { TreeNarrowing, TreeState } from "./tree-state.js";

interface HeaderOptions {
  readonly width: number;
  readonly style: RowStyle;
  /** Between words. */
  readonly dot: string;
  readonly mark: string;
}

/** " Tree · parser session      214 turns · 9 branches · on #1 main". */
export function treeHeader(model: TreeModel, state: TreeState, { width, style, dot, mark }: HeaderOptions): Line {
  const { branches, source } = model;
  const number = branches.branchOf(source.leaf);
  const on = `on #${number} ${branchName(source, number)}`;
  if (style === "tiny") return fitLine([span(` ${on}`, "strong")], [], width, mark);
  const count = branches.count === 0 ? "" : counted(branches.count, "branch", "branches");
  const shown = shownWords(state).map((words) => ` ${dot} ${words}`);
  if (style === "narrow") {
    const left = [span(" Tree", "strong"), span(` ${dot} ${on}${shown.join("")}`)];
    return fitLine(left, [span(`${count} `, "muted")], width, mark);
  }
  const name = firstWords(source.name ?? "", 200);
  const left = [span(" Tree", "strong"), span(`${name === "" ? "" : ` ${dot} ${name}`}${shown.join("")}`)];
  if (count === "") return fitLine(left, [], width, mark);
  // A branch may be called by a whole prompt: the name of the session has to stay readable next to it.
  const size = `${counted(branches.turns, "turn")} ${dot} ${count} ${dot} `;
  const where = fitLine([span(on)], [], Math.max(12, Math.floor(width / 3)), mark);
  return fitLine(left, [span(size, "muted"), ...where, span(" ")], width, mark);
}

const NARROWED: Readonly<Record<TreeNarrowing, string>> = {
  none: "",
  files: "with file changes",
  failed: "failed",
  matches: "only matches",
};

function shownWords({ filter, narrowing }: TreeState): string[] {
  const words = [filter === "default" ? "" : filter, NARROWED[narrowing]];
  return words.filter((word) => word !== "");
}
