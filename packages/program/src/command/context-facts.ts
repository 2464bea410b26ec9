/** What front ends need to know about the session of a context. */

import type { Position } from "@bough/agent/agent/plan.js";
import type { NamedBranch } from "@bough/session/view/internal.js";
import { branchAt } from "./branch-facts.js";
import type { CommandContext } from "./command.js";
import { branchWords } from "./sentences.js";

/** The branch of a position. */
export function branchOf({ agent }: CommandContext, position: Position): NamedBranch {
  return branchAt(agent.session, position);
}

/** "#4 lexer" */
export function branchTitle(context: CommandContext, position: Position): string {
  return branchWords(branchOf(context, position));
}
