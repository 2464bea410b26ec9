/** /pop: back with a summary. */

import type { EntryId } from "@bough/session/entry/index.js";
import { isPromptAt } from "@bough/session/tree/index.js";
import { readArguments } from "../arguments.js";
import { cannotMove } from "../availability.js";
import { forkPointOf } from "../branch-facts.js";
import type { Command, CommandContext, CommandOutcome } from "../command.js";
import { placeCompletions } from "../completions.js";
import { moveTo } from "../move/move-to.js";
import { asOutcome, unchanged } from "../outcome.js";
import { resolveReference } from "../reference.js";
import { SENTENCES } from "../sentences.js";

/** Means the point where this branch left its parent. */
const FORK = "fork";

export const POP_COMMAND: Command = {
  name: "pop",
  group: "tree",
  usage: "[id|label|#n|fork] [what to keep] [--no-summary]",
  summary: "Go back, with a summary of what you leave",
  details:
    "Moves to just before your last prompt, to an entry, or to where this branch started (fork), with a summary of what is left behind. Words after it tell the summary what to keep. --no-summary skips it. Asks whether to restore files too, if they differ.",
  complete: placeCompletions,
  unavailable: cannotMove,
  async run(context, args) {
    const { words, options } = readArguments(args, { options: ["--no-summary"] });
    const [reference, ...about] = words;
    const request =
      about.length > 0
        ? { summary: "summary" as const, instructions: about.join(" ") }
        : { summary: options.has("--no-summary") ? ("none" as const) : undefined };
    if (reference === undefined) return pop(context, request);
    if (reference !== FORK) return pop(context, { entryId: resolveReference(context, reference), ...request });
    const { session } = context.agent;
    const point = forkPointOf(session, session.getLeafId());
    if (point === undefined) return unchanged(SENTENCES.notOnSideBranch);
    if (point === null) return pop(context, { entryId: session.getBranchIds()[0], ...request });
    return pop(context, { entryId: point, ...request });
  },
};

/** Moves to an earlier prompt with a summary: the same question as for a move, with the opposite default. */
interface PopRequest {
  /** Default: the nearest prompt above the leaf. */
  readonly entryId?: EntryId | undefined;
  readonly summary?: "ask" | "none" | "summary";
  readonly instructions?: string | undefined;
}

function pop(context: CommandContext, request: PopRequest = {}): Promise<CommandOutcome> {
  return asOutcome(async () => {
    const targetId = request.entryId ?? previousPrompt(context);
    if (targetId === undefined) return unchanged(SENTENCES.noEarlierPrompt);
    const { summary = "ask", instructions } = request;
    return moveTo(context, { targetId, summary, instructions, preferred: "summary", cause: "pop" });
  });
}

/** The nearest prompt above the leaf; the leaf itself does not count. */
function previousPrompt({ agent: { session } }: CommandContext): EntryId | undefined {
  const { tree, leaf } = session.getSource();
  for (let at = leaf < 0 ? -1 : tree.parentOf(leaf); at >= 0; at = tree.parentOf(at)) {
    if (isPromptAt(tree, at)) return tree.ids.textOf(at);
  }
  return undefined;
}
