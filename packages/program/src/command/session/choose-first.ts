/** For a command that needs an entry but got none: lets the user choose one, if there is a screen. */
import type { Notice } from "@bough/session/text/index.js";
import { wrongArguments } from "../arguments.js";
import { branchCountOf } from "../branch-facts.js";
import type { CommandContext, CommandOutcome } from "../command.js";
import { shown, unchanged } from "../outcome.js";
import { SENTENCES } from "../sentences.js";

/** `branches` says itself what to choose a branch for. */
type FirstChoice =
  | { readonly screen: "branches"; readonly purpose: "compare" | "merge" }
  | { readonly screen: "tree"; readonly say: Notice };

export async function chooseFirst(context: CommandContext, choice: FirstChoice): Promise<CommandOutcome> {
  const { front, agent } = context;
  if (branchCountOf(agent.session) < 2) return unchanged(SENTENCES.oneBranch);
  if (!front.screens.has(choice.screen)) {
    throw wrongArguments(
      choice.screen === "branches" ? "Name a branch, such as #1. /branches lists them" : "Missing argument",
    );
  }
  if (choice.screen === "branches") return shown(front, choice);
  front.tell(choice.say);
  return shown(front, { screen: choice.screen });
}
