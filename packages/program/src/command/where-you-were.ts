/** The last position of a session, for the line a front end starts with. */

import { branchIndexOf } from "@bough/session/tree/index.js";
import type { NamedBranch } from "@bough/session/view/internal.js";
import { currentBranch } from "./branch-facts.js";
import type { CommandContext } from "./command.js";
import { titleOfEntry } from "./entry-title.js";

interface WhereYouWere {
  readonly name: string | undefined;
  readonly branch: NamedBranch;
  readonly turns: number;
  /** Milliseconds; undefined for an empty conversation. */
  readonly last: number | undefined;
  /** The title of the leaf; undefined before the first entry. */
  readonly here: string | undefined;
}

/** Undefined for an empty session. */
export function whereYouWere(context: CommandContext): WhereYouWere | undefined {
  const { session } = context.agent;
  const source = session.getSource();
  if (source.tree.count === 0) return undefined;
  // Labels and names are below the conversation; skip them to find the last message.
  const branches = branchIndexOf(source.tree);
  const at = branches.conversationAt(source.leaf);
  const id = at < 0 ? undefined : source.tree.ids.textOf(at);
  const last = Date.parse((id === undefined ? undefined : session.getEntry(id))?.timestamp ?? "");
  return {
    name: session.getSessionName(),
    branch: currentBranch(session),
    turns: branches.turns,
    last: Number.isFinite(last) ? last : undefined,
    here: id === undefined ? undefined : titleOfEntry(context.agent.session, id),
  };
}
