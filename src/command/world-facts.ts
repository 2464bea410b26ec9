/** What front ends ask about the session of a world. */
import type { Position } from "../agent/plan.js";
import type { EntryId } from "../entry/index.js";
import { branchAt, previousPlace } from "./branch-facts.js";
import type { CommandContext } from "./command.js";
import { titleOfEntry } from "./entry-title.js";
import { branchWords, type NamedBranch } from "./sentences.js";

/** The branch a place is on. */
export function branchOf({ agent }: CommandContext, position: Position): NamedBranch {
  return branchAt(agent.session, position);
}

/** "#4 lexer" */
export function branchTitle(world: CommandContext, position: Position): string {
  return branchWords(branchOf(world, position));
}

/** First words of an entry, safe for one line; what it is where it has none. */
export function entryTitle({ agent }: CommandContext, id: EntryId | null): string {
  return titleOfEntry(agent.session, id);
}

/** Where `/switch -` would go. */
export function previousBranch({ agent }: CommandContext): EntryId | undefined {
  return previousPlace(agent.session);
}
