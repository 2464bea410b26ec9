/**
 * What a move would do, from the index alone: the agent plans by reading what is left behind, which a question, a footer or
 * a sentence about a branch of a hundred thousand entries must not wait for.
 */
import { type EntryId, Kind } from "../../entry/index.js";
import { SessionError, type SessionManager } from "../../session/index.js";
import { branchIndexOf, startsTurnAt } from "../../tree/index.js";

export interface MovePlace {
  readonly targetId: EntryId;
  /** `selected` (default): as a person selects in the tree, so a prompt goes to the editor. `exact`: that very entry. */
  readonly place?: "selected" | "exact";
}

/** Places are numbers of entries; -1 is before the first one. */
export interface PlannedMove {
  readonly from: number;
  readonly to: number;
  readonly target: number;
  /** The target was said to the agent and is selected: the new place is right before it. */
  readonly before: boolean;
  /** For a person both are one place: nothing of the conversation lies between them. */
  readonly same: boolean;
}

/** Throws `Entry <id> not found`. */
export function planMove(session: SessionManager, { targetId, place = "selected" }: MovePlace): PlannedMove {
  const { tree, leaf } = session.getSource();
  const found = tree.ids.findText(targetId);
  if (found < 0) {
    throw new SessionError("entry-not-found", `Entry ${targetId} not found`, { data: { id: targetId } });
  }
  // A record of a position is no place of its own: it means the place it names.
  const target = tree.kindOf(found) === Kind.position ? tree.parentOf(found) : found;
  const before = place === "selected" && target !== leaf && startsTurnAt(tree, target);
  const to = before ? tree.parentOf(target) : target;
  const branches = branchIndexOf(tree);
  return { from: leaf, to, target, before, same: branches.conversationAt(to) === branches.conversationAt(leaf) };
}
