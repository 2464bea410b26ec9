/** /cherry-pick: entries of other branches, copied here. */

import { readArguments } from "../arguments.js";
import { cannotMove } from "../availability.js";
import type { Command } from "../command.js";
import { placeCompletions } from "../completions.js";
import { shown } from "../outcome.js";
import { resolveReference } from "../reference.js";
import { SENTENCES } from "../sentences.js";
import { chooseFirst } from "../session/choose-first.js";
import { cherryPickHere } from "./merge-here.js";

export const CHERRY_PICK_COMMAND: Command = {
  name: "cherry-pick",
  group: "tree",
  usage: "[id|label] … [--now]",
  summary: "Copy entries from other branches here",
  details:
    "Appends copies to this path in the order given; a tool call brings its results. The terminal shows a plan first unless --now is given. Without an argument, opens the tree to select entries. Files are not changed, and repeating it adds nothing.",
  complete: placeCompletions,
  unavailable: cannotMove,
  async run(context, args) {
    const { words, options } = readArguments(args, { options: ["--now"] });
    if (words.length === 0) {
      return chooseFirst(context, { screen: "tree", say: SENTENCES.chooseToPick });
    }
    const ids = words.map((word) => resolveReference(context, word));
    if (options.has("--now") || !context.front.screens.has("cherry-pick")) return cherryPickHere(context, ids);
    return shown(context.front, { screen: "cherry-pick", ids });
  },
};
