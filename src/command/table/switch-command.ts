/** /switch: to the end of another branch. */
import { readArguments } from "../arguments.js";
import { cannotMove } from "../availability.js";
import type { Command } from "../command.js";
import { branchCompletions } from "../completions.js";
import { switchBranch } from "../flow/switch-branch.js";
import { unchanged } from "../outcome.js";
import { matchBranch } from "../reference.js";
import { branchListing } from "./branches-command.js";

const USAGE = "/switch [id|label|name|#n|-] [--exact]";

export const SWITCH_COMMAND: Command = {
  name: "switch",
  group: "tree",
  usage: "[id|label|name|#n|-] [--exact]",
  summary: "Go to the end of another branch",
  details:
    "Takes a branch's number, its name or a part of it, a label or an id; - goes back to where you were. --exact stops at that very entry. Asks nothing and brings no summary: /pop does. Several matches open the list of branches.",
  complete: branchCompletions,
  unavailable: cannotMove,
  async run(world, args) {
    const { words, options } = readArguments(args, { usage: USAGE, options: ["--exact"] });
    const reference = words.join(" ");
    const listed = world.front.screens.has("branches");
    if (reference === "") {
      if (!listed) return branchListing(world);
      await world.front.open({ screen: "branches" });
      return { kind: "shown" };
    }
    const match = matchBranch(world, reference);
    if (match.kind === "one") {
      // The way back leads to the place one left, wherever on its branch that was.
      const to = options.has("--exact") || reference === "-" ? "entry" : "end";
      return switchBranch(world, { entryId: match.entryId, to });
    }
    if (!listed) return unchanged(match.sentence, "ambiguous-reference");
    await world.front.open({ screen: "branches", filter: reference });
    return { kind: "shown" };
  },
};
