/** What a move would leave behind, and what the question about it says (ux B2). */
import {
  compareBranches,
  estimateEntryTokens,
  type NavigatePlan,
  type NavigateRequest,
  planNavigate,
} from "../../agent/index.js";
import { branchIndexOf } from "../../tree/index.js";
import type { CommandWorld } from "../command.js";

export interface Leaving {
  /** Entries of the conversation that are not on the new path. */
  readonly entries: number;
  /** An estimate of what a summary of them would read. */
  readonly tokens: number;
  /** Files that were changed there. */
  readonly files: number;
}

/** Where to: `selected` (default) as a person selects in the tree, `exact` that very entry. */
export type MovePlace = Pick<NavigateRequest, "targetId" | "place">;
export type PlannedMove = Extract<NavigatePlan, { kind: "move" }>;

/** Less than this is quicker said again than summarised. */
export const WORTH_ASKING = 500;

const NOTHING: Leaving = { entries: 0, tokens: 0, files: 0 };

/** What going there would leave. Reads what lies between the two places. Throws `Entry <id> not found`. */
export function leavingOf(world: CommandWorld, place: MovePlace): Leaving {
  const plan = planNavigate(world.agent.session, place);
  return plan.kind === "stay" ? NOTHING : leftBy(world, plan);
}

export function leftBy({ agent: { session } }: CommandWorld, plan: PlannedMove): Leaving {
  const { oldLeafId, commonAncestorId, targetId, entriesToSummarize } = plan.preparation;
  if (oldLeafId === null) return NOTHING;
  const { tree } = session.getSource();
  const branches = branchIndexOf(tree);
  const from = tree.ids.findText(oldLeafId);
  const to = plan.newLeafId === null ? -1 : tree.ids.findText(plan.newLeafId);
  const entries = branches.depthAt(from) - branches.depthAt(branches.commonAncestor(from, to));
  if (entries <= 0) return NOTHING;
  let tokens = 0;
  for (const entry of entriesToSummarize) tokens += estimateEntryTokens(entry);
  // Where the two share nothing, the target stands for the other side.
  const other = commonAncestorId ?? targetId;
  const known = session.getEntry(other) !== undefined;
  const files = known ? compareBranches(session, { a: oldLeafId, b: other }).a.files.modifiedFiles.length : 0;
  return { entries, tokens, files };
}
