/** /merge: another branch's outcome, brought here. */

import { readArguments, wrongArguments } from "../arguments.js";
import { cannotMove } from "../availability.js";
import { branchAt, endOfBranch } from "../branch-facts.js";
import type { Command } from "../command.js";
import { branchCompletions } from "../completions.js";
import { shown } from "../outcome.js";
import { resolveReference } from "../reference.js";
import { SENTENCES } from "../sentences.js";
import { chooseFirst } from "../session/choose-first.js";
import { mergeHere } from "./merge-here.js";

export const MERGE_COMMAND: Command = {
  name: "merge",
  group: "tree",
  usage: "[id|label|#n] [what to keep] [--summary|--turns]",
  summary: "Merge another branch into this one",
  details:
    "Brings what came after the split, as a summary or as the turns themselves. A label or an id means its whole branch. In the terminal, shows a plan first unless one of the options is given. Without an argument it opens the list of branches. Files are not touched.",
  complete: branchCompletions,
  unavailable: cannotMove,
  async run(world, args) {
    const read = readArguments(args, { options: ["--summary", "--turns"] });
    if (read.words.length === 0) {
      return chooseFirst(world, { screen: "branches", sentence: SENTENCES.chooseToMerge });
    }
    const [reference, ...about] = read.words;
    if (read.options.size > 1) throw wrongArguments("Use either --summary or --turns");
    const { session } = world.agent;
    const entryId = resolveReference(world, reference as string);
    const tipId = endOfBranch(session, branchAt(session, entryId).number) ?? entryId;
    if (read.options.size === 0 && about.length === 0 && world.front.screens.has("merge"))
      return shown(world.front, { screen: "merge", tipId });
    return mergeHere(world, {
      tipId,
      as: read.options.has("--turns") ? "turns" : "summary",
      ...(about.length === 0 ? {} : { instructions: about.join(" ") }),
    });
  },
};
