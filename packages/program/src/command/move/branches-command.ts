/** /branches: the list of branches. */

import { counted, wordMatcher } from "@bough/session/text/index.js";
import { empty } from "../availability.js";
import { newestBranches } from "../branch-facts.js";
import type { Command, CommandContext, CommandOutcome } from "../command.js";
import { shownOr } from "../outcome.js";
import { branchWords, SENTENCES } from "../sentences.js";
import { originsOf } from "../sync/origins-of.js";

/** The data has all of them; this many are still readable as text. */
const SHOWN = 50;

export const BRANCHES_COMMAND: Command = {
  name: "branches",
  group: "tree",
  usage: "[words]",
  summary: "List the branches of this session",
  details: "Opens the list, filtered by the words given. Outside the terminal, prints it, newest branch first.",
  unavailable: empty,
  async run(context, args) {
    return shownOr(context, { screen: "branches", filter: args === "" ? undefined : args }, () =>
      branchListing(context, args),
    );
  },
};

/** The branches as text and as data. */
export function branchListing(context: CommandContext, words = ""): CommandOutcome {
  const { session } = context.agent;
  const fits = wordMatcher(words);
  const branches = newestBranches(session, undefined, originsOf(context)).filter(({ name }) => fits(name));
  const lines = branches.slice(0, SHOWN).map((branch) => {
    const from = branch.replicas === undefined ? "" : `  from ${branch.replicas.join(", ")}`;
    return `${branch.here ? "@" : " "} ${branchWords(branch)}  ${counted(branch.turns, "turn")}  ${branch.tipId}${from}`;
  });
  if (branches.length > SHOWN) lines.push(`  and ${branches.length - SHOWN} more`);
  if (words === "" && branches.length === 1) lines.push(SENTENCES.oneBranch);
  const message = lines.length === 0 ? `No branch matches "${words}".` : lines.join("\n");
  return { kind: "done", message, data: { leafId: session.getLeafId(), branches } };
}
