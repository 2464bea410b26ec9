/** /fork and /branch: a new file from before a prompt. */
import { readArguments } from "../arguments.js";
import { empty, unless, working } from "../availability.js";
import type { Command, CommandContext, CommandOutcome } from "../command.js";
import { placeCompletions } from "../completions.js";
import { shownOr } from "../outcome.js";
import { promptListing } from "../prompt-listing.js";
import { resolveReference } from "../reference.js";
import { cloneSession, forkFrom } from "./fork-session.js";

export const FORK_COMMAND: Command = {
  name: "fork",
  group: "tree",
  usage: "[id|label]",
  summary: "Start a new session file from just before a prompt",
  details:
    "Copies the path before the prompt into a new session, switches to it, and puts the prompt into the editor. Asks whether to restore files too, if they differ. Without an argument, lists your prompts. The original session is unchanged.",
  complete: placeCompletions,
  unavailable: unless(empty, working),
  run: (context, args) => forkOrChoose(context, args, "fork"),
};

/** The same under its old name; uses the tree if Esc Esc opens the tree. */
export const BRANCH_COMMAND: Command = {
  ...FORK_COMMAND,
  name: "branch",
  summary: "Old name of /fork",
  details: "Without an argument, opens the tree if doubleEscapeAction is tree, otherwise a list of prompts.",
  run: (context, args) =>
    forkOrChoose(context, args, (context.settings.current.doubleEscapeAction ?? "tree") === "tree" ? "tree" : "fork"),
};

async function forkOrChoose(context: CommandContext, args: string, screen: "tree" | "fork"): Promise<CommandOutcome> {
  const { words } = readArguments(args, { most: 1 });
  const [reference] = words;
  if (reference !== undefined) return forkFrom(context, resolveReference(context, reference));
  return shownOr(context, screen === "tree" ? { screen, purpose: "fork" } : { screen }, () =>
    promptListing(context, "/fork"),
  );
}

/** /clone: this path in a new file. */
export const CLONE_COMMAND: Command = {
  name: "clone",
  group: "session",
  usage: "",
  summary: "Copy this path to a new session file",
  details: "Switches to the copy. Other branches are not copied; the original session is unchanged.",
  unavailable: unless(empty, working),
  async run(context, args) {
    readArguments(args, { most: 0 });
    return cloneSession(context);
  },
};
