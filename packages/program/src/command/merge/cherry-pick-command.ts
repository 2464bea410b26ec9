/** /cherry-pick: entries of other branches, copied here. */

import { readArguments } from "../arguments.js";
import { cannotMove } from "../availability.js";
import type { Command } from "../command.js";
import { placeCompletions } from "../completions.js";
import { shown } from "../outcome.js";
import { resolveToCopy } from "../reference.js";
import { SENTENCES } from "../sentences.js";
import { chooseFirst } from "../session/choose-first.js";
import { FILES_OPTIONS, filesWanted } from "./files-options.js";
import { cherryPickHere } from "./merge-here.js";

export const CHERRY_PICK_COMMAND: Command = {
  name: "cherry-pick",
  group: "tree",
  usage: "[id|label|#n] … [--now] [--files|--words]",
  summary: "Copy entries from other branches here",
  details:
    "Appends copies to this path in the order given; a tool call brings its results. A branch number means all turns of that branch itself; /merge brings everything after the split. The terminal shows a plan first unless an option is given. If the entries changed files, asks whether to bring those changes too; --files brings them, --words does not. Without an argument, opens the tree to select entries. Repeating it adds nothing.",
  complete: placeCompletions,
  unavailable: cannotMove,
  async run(context, args) {
    const { words, options } = readArguments(args, { options: ["--now", ...FILES_OPTIONS] });
    const files = filesWanted(options);
    if (words.length === 0) {
      return chooseFirst(context, { screen: "tree", say: SENTENCES.chooseToPick });
    }
    const ids = words.flatMap((word) => resolveToCopy(context, word));
    if (options.size > 0 || !context.front.screens.has("cherry-pick")) return cherryPickHere(context, ids, { files });
    return shown(context.front, { screen: "cherry-pick", ids });
  },
};
