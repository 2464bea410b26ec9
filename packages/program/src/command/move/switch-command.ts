/** /switch: to another branch, or to an entry. */
import { readArguments } from "../arguments.js";
import { cannotMove } from "../availability.js";
import type { Command } from "../command.js";
import { branchCompletions } from "../completions.js";
import { shown, unchanged } from "../outcome.js";
import { matchBranch } from "../reference.js";
import { branchListing } from "./branches-command.js";
import { switchBranch } from "./switch-branch.js";

export const SWITCH_COMMAND: Command = {
  name: "switch",
  group: "tree",
  usage: "[id|label|name|#n|-] [--exact] [--summary|--no-summary]",
  summary: "Go to another branch or entry",
  details:
    "A branch number, a branch name or part of it, or a label goes to the end of that branch; an ID goes to exactly that entry; - goes back to where you were. --exact stops at the labeled entry. May ask whether to bring a summary of the branch you leave, like the tree, and whether to restore files too, if they differ; --summary brings one and --no-summary none, without asking. If several branches match, opens the branch list.",
  complete: branchCompletions,
  unavailable: cannotMove,
  async run(context, args) {
    const { words, options } = readArguments(args, { options: ["--exact", "--summary", "--no-summary"] });
    const reference = words.join(" ");
    const listed = context.front.screens.has("branches");
    if (reference === "") {
      if (!listed) return branchListing(context);
      return shown(context.front, { screen: "branches" });
    }
    const match = matchBranch(context, reference);
    if (match.kind === "one") {
      const to = options.has("--exact") || match.means === "entry" ? "entry" : "end";
      const summary = options.has("--no-summary") ? "none" : options.has("--summary") ? "summary" : "ask";
      return switchBranch(context, { entryId: match.entryId, to, summary });
    }
    if (!listed) return unchanged(match.sentence, "ambiguous-reference");
    return shown(context.front, { screen: "branches", filter: reference });
  },
};
