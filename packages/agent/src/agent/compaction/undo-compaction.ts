/** Undoes a compaction: the leaf moves to just before it, and everything is shown again. */
import { type EntryId, Kind, kindOf } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { upwards } from "@bough/session/session/internal.js";
import { AgentError } from "../agent-error.js";
import type { AgentParts, OperationOptions } from "../agent-parts.js";
import { moveWithFiles } from "../files/move-files.js";
import { moveLeaf } from "../move/move-leaf.js";

/** What undoing a compaction does, and what it did. */
export interface UndoneCompaction {
  readonly compactionId: EntryId;
  readonly oldLeafId: EntryId | null;
  readonly newLeafId: EntryId | null;
  /** Messages after the compaction: they stay in the file, on the branch that is left. */
  readonly leftBehind: number;
}

export type UndoCompactionPlan = UndoneCompaction;

/**
 * What undoing the latest compaction on this path would do. Throws `nothing-to-undo`.
 *
 *     a ─ b ─ [compaction] ─ c*     the leaf goes to b; [compaction] and c stay as a branch
 */
export function planUndoCompaction(session: Pick<SessionManager, "getEntry" | "getLeafId">): UndoCompactionPlan {
  const oldLeafId = session.getLeafId();
  let leftBehind = 0;
  for (const entry of upwards(session, oldLeafId)) {
    const kind = kindOf(entry);
    if (kind === Kind.compaction) return { compactionId: entry.id, oldLeafId, newLeafId: entry.parentId, leftBehind };
    if (kind >= Kind.message && kind <= Kind.customMessage) leftBehind += 1;
  }
  throw new AgentError("nothing-to-undo", "There is no compaction on this path");
}

/** Moves the leaf. Nothing is removed: `redoMove` and `undoMove` bring the compaction back. */
async function applyUndoCompaction(
  parts: AgentParts,
  plan: UndoCompactionPlan,
  options: OperationOptions,
): Promise<UndoneCompaction> {
  const { newLeafId } = plan;
  await moveWithFiles(parts, { to: newLeafId, ...options }, () => {
    moveLeaf(parts, { newLeafId, cause: "undo-compaction" });
  });
  await parts.hooks.emit<"session_tree">({
    type: "session_tree",
    newLeafId: parts.session.getLeafId(),
    oldLeafId: plan.oldLeafId,
    targetId: plan.newLeafId ?? plan.compactionId,
    fromHook: false,
    fromExtension: false,
    cancelled: false,
    aborted: false,
  });
  return plan;
}

/** Plans and applies. */
export async function undoCompaction(parts: AgentParts, options: OperationOptions): Promise<UndoneCompaction> {
  return applyUndoCompaction(parts, planUndoCompaction(parts.session), options);
}
