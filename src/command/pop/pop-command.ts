/** /pop: back with a summary. */
import { readArguments } from "../arguments.js";
import { cannotMove } from "../availability.js";
import { forkPointOf } from "../branch-facts.js";
import type { Command } from "../command.js";
import { placeCompletions } from "../completions.js";
import { unchanged } from "../outcome.js";
import { resolveReference } from "../reference.js";
import { SENTENCES } from "../sentences.js";
import { pop } from "./pop.js";

/** Stands for the place where this branch left its parent. */
const FORK = "fork";

export const POP_COMMAND: Command = {
  name: "pop",
  group: "tree",
  usage: "[id|label|#n|fork] [what to keep] [--no-summary]",
  summary: "Go back with a summary of what you leave",
  details:
    "Moves to just before your last prompt, to an entry, or to where this branch started (fork), with a summary of what is left behind. Words after it say what the summary should keep. --no-summary skips it.",
  complete: placeCompletions,
  unavailable: cannotMove,
  async run(world, args) {
    const usage = `/pop ${POP_COMMAND.usage}`;
    const { words, options } = readArguments(args, { usage, options: ["--no-summary"] });
    const [reference, ...about] = words;
    const request = {
      ...(options.has("--no-summary") ? { summary: "none" as const } : {}),
      ...(about.length === 0 ? {} : { summary: "summary" as const, instructions: about.join(" ") }),
    };
    if (reference === undefined) return pop(world, request);
    if (reference !== FORK) return pop(world, { entryId: resolveReference(world, reference), ...request });
    const { session } = world.agent;
    const point = forkPointOf(session, session.getLeafId());
    if (point === undefined) return unchanged(SENTENCES.notOnSideBranch);
    if (point === null) return pop(world, { entryId: session.getBranchIds()[0], ...request });
    return pop(world, { entryId: point, ...request });
  },
};
