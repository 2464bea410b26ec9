/** Why a key of the branch list does nothing at the moment. */
import { SENTENCES } from "../../command/index.js";
import type { PanelWork } from "../tree/panel-work.js";
import { isWhereYouAre } from "../tree/same-place.js";
import type { OpenBranches } from "./open-branches.js";

const NEEDS_BRANCH = new Set(["enter", "summary", "compare", "merge", "name", "tree", "copy"]);

export function branchesOffReason(open: OpenBranches, work: PanelWork, actionId: string): string | undefined {
  const action = actionId.replace(/^branches\./, "");
  const { row, numbers, index } = open;
  if (NEEDS_BRANCH.has(action) && row === undefined) return "No branch is listed. Esc clears the words.";
  const moves = action === "enter" || action === "summary" || action === "merge";
  if (moves && work.off !== undefined) return work.off;
  const here = row !== undefined && isWhereYouAre(open.source, row.tip);
  switch (action) {
    case "previous":
    case "pageUp":
    case "first":
      return index > 0 ? undefined : "This is the first branch of the list.";
    case "next":
    case "pageDown":
    case "last":
      return index < numbers.length - 1 ? undefined : "This is the last branch of the list.";
    case "here":
      if (row?.here === true) return "This is the branch you are on.";
      return undefined;
    case "enter":
    case "summary":
      return here ? SENTENCES.alreadyHere : undefined;
    case "compare":
      return here ? "This is where you are. Choose another branch." : undefined;
    case "merge":
      return row?.here === true ? "This is your own branch. Choose another one." : undefined;
    case "name":
      if (work.notesOff !== undefined) return work.notesOff;
      return row?.number === 1 ? "#1 is always called main." : undefined;
    default:
      return undefined;
  }
}
