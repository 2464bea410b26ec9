/** /tree: the whole session on a screen. */

import { readArguments } from "../arguments.js";
import { empty } from "../availability.js";
import type { Command } from "../command.js";
import { placeCompletions } from "../completions.js";
import { shownOr } from "../outcome.js";
import { resolveReference } from "../reference.js";
import { branchListing } from "./branches-command.js";

export const TREE_COMMAND: Command = {
  name: "tree",
  aliases: ["rewind"],
  group: "tree",
  usage: "[id|label|#n]",
  summary: "Show the session as a tree and go anywhere in it",
  details:
    "Opens the tree with the named entry selected. Browsing changes nothing; moves stay in this file and can be undone. Outside the terminal, lists the branches.",
  complete: placeCompletions,
  unavailable: empty,
  async run(context, args) {
    const { words } = readArguments(args, { most: 1 });
    const select = words[0] === undefined ? undefined : resolveReference(context, words[0]);
    return shownOr(context, { screen: "tree", select }, () => branchListing(context));
  },
};
