/** /branch-here: another branch in this file. */

import { readArguments } from "../arguments.js";
import { cannotMove } from "../availability.js";
import type { Command } from "../command.js";
import { placeCompletions } from "../completions.js";
import { shownOr } from "../outcome.js";
import { promptListing } from "../prompt-listing.js";
import { resolveReference } from "../reference.js";
import { moveTo } from "./move-to.js";

export const BRANCH_HERE_COMMAND: Command = {
  name: "branch-here",
  group: "tree",
  usage: "[id|label|#n]",
  summary: "Start another branch in this file",
  details:
    "Moves to just before a prompt (its text returns to the editor) or just after any other entry; your next message starts the branch. May ask whether to bring a summary of the branch you leave, and whether to restore files too. Without an argument, opens the tree.",
  complete: placeCompletions,
  unavailable: cannotMove,
  async run(context, args) {
    const { words } = readArguments(args, { most: 1 });
    const [reference] = words;
    if (reference !== undefined)
      return moveTo(context, { targetId: resolveReference(context, reference), cause: "branch" });
    return shownOr(context, { screen: "tree", purpose: "move" }, () => promptListing(context, "/branch-here"));
  },
};
