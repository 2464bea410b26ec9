/** Back to an earlier prompt, bringing a summary along: the question of a move with its default turned round. */
import type { EntryId } from "../../entry/index.js";
import { isPromptAt } from "../../tree/index.js";
import type { CommandOutcome, CommandWorld } from "../command.js";
import { moveTo } from "../move/move-to.js";
import { asOutcome, unchanged } from "../outcome.js";
import { SENTENCES } from "../sentences.js";

interface PopRequest {
  /** Default: the nearest prompt above the leaf. */
  readonly entryId?: EntryId | undefined;
  readonly summary?: "ask" | "none" | "summary";
  readonly instructions?: string | undefined;
}

export function pop(world: CommandWorld, request: PopRequest = {}): Promise<CommandOutcome> {
  return asOutcome(async () => {
    const targetId = request.entryId ?? previousPrompt(world);
    if (targetId === undefined) return unchanged(SENTENCES.noEarlierPrompt);
    const { summary = "ask", instructions } = request;
    return moveTo(world, { targetId, summary, instructions, preferred: "summary", cause: "pop" });
  });
}

/** The nearest prompt above the leaf, which itself is none to go back to. */
function previousPrompt({ agent: { session } }: CommandWorld): EntryId | undefined {
  const { tree, leaf } = session.getSource();
  for (let at = leaf < 0 ? -1 : tree.parentOf(leaf); at >= 0; at = tree.parentOf(at)) {
    if (isPromptAt(tree, at)) return tree.ids.textOf(at);
  }
  return undefined;
}
