/** Back to an earlier prompt, bringing a summary along: the question of a move with its default turned round. */
import { planPop } from "../../agent/index.js";
import type { EntryId } from "../../entry/index.js";
import type { CommandOutcome, CommandWorld } from "../command.js";
import { asOutcome, unchanged } from "../outcome.js";
import { SENTENCES } from "../sentences.js";
import { goTo } from "./go-to.js";

export interface PopRequest {
  /** Default: the nearest prompt above the leaf. */
  readonly entryId?: EntryId | undefined;
  readonly summary?: "ask" | "none" | "summary";
  readonly instructions?: string | undefined;
}

export function popBack(world: CommandWorld, request: PopRequest = {}): Promise<CommandOutcome> {
  return asOutcome(async () => {
    const targetId = request.entryId ?? previousPrompt(world);
    if (targetId === undefined) return unchanged(SENTENCES.noEarlierPrompt);
    const { summary = "ask", instructions } = request;
    return goTo(world, { targetId, summary, instructions, preferred: "summary" });
  });
}

function previousPrompt({ agent: { session } }: CommandWorld): EntryId | undefined {
  try {
    const plan = planPop(session, {});
    return plan.kind === "stay" ? undefined : plan.preparation.targetId;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === "not-a-user-message") return undefined;
    throw error;
  }
}
