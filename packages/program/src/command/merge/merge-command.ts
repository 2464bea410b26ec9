/** /merge: merge another branch into this one. */

import { readArguments, wrongArguments } from "../arguments.js";
import { cannotMove } from "../availability.js";
import { branchAt, endOfBranch } from "../branch-facts.js";
import type { Command } from "../command.js";
import { branchCompletions } from "../completions.js";
import { shown } from "../outcome.js";
import { resolveReference } from "../reference.js";
import { chooseFirst } from "../session/choose-first.js";
import { FILES_OPTIONS, filesWanted } from "./files-options.js";
import { mergeHere } from "./merge-here.js";

export const MERGE_COMMAND: Command = {
  name: "merge",
  group: "tree",
  usage: "[id|label|#n] [what to keep] [--summary|--turns] [--files|--words]",
  summary: "Merge another branch into this one",
  details:
    "Brings everything after the split, as a summary or as the turns themselves. A label or ID means the whole branch it is on. The terminal shows a plan first unless an option is given. If the branch changed files, asks whether to bring those changes too; --files brings them, --words does not. Files that both sides changed are merged line by line, and conflicts are asked about before anything is written. Without an argument, opens the branch list.",
  complete: branchCompletions,
  unavailable: cannotMove,
  async run(context, args) {
    const read = readArguments(args, { options: ["--summary", "--turns", ...FILES_OPTIONS] });
    if (read.words.length === 0) {
      return chooseFirst(context, { screen: "branches", purpose: "merge" });
    }
    const [reference, ...about] = read.words;
    const { options } = read;
    if (options.has("--summary") && options.has("--turns")) throw wrongArguments("Use either --summary or --turns");
    const files = filesWanted(options);
    const { session } = context.agent;
    const entryId = resolveReference(context, reference as string);
    const tipId = endOfBranch(session, branchAt(session, entryId).number) ?? entryId;
    if (options.size === 0 && about.length === 0 && context.front.screens.has("merge"))
      return shown(context.front, { screen: "merge", tipId });
    return mergeHere(context, {
      tipId,
      as: options.has("--turns") ? "turns" : "summary",
      instructions: about.length === 0 ? undefined : about.join(" "),
      files,
    });
  },
};
