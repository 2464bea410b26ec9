/** For a command that needs an entry but got none: lets the user choose one, if there is a screen. */
import type { Notice } from "@bough/session/text/index.js";
import { wrongArguments } from "../arguments.js";
import { branchCountOf } from "../branch-facts.js";
import type { CommandContext, CommandOutcome } from "../command.js";
import { shown, unchanged } from "../outcome.js";
import { SENTENCES } from "../sentences.js";

interface FirstChoice {
  readonly screen: "branches" | "tree";
  /** What to do with it. */
  readonly say: Notice;
}

export async function chooseFirst(context: CommandContext, { screen, say }: FirstChoice): Promise<CommandOutcome> {
  const { front, agent } = context;
  if (!front.screens.has(screen)) throw wrongArguments("Missing argument");
  if (branchCountOf(agent.session) < 2) return unchanged(SENTENCES.oneBranch);
  front.tell(say);
  return shown(front, { screen });
}
