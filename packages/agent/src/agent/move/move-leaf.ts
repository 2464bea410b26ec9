import type { BranchSummaryEntry, EntryId, MoveCause } from "@bough/session/entry/index.js";
import type { AgentParts } from "../agent-parts.js";
import { recordSpend } from "../summary/record-spend.js";
import type { SummarySpend } from "../summary/write-summary.js";
import type { Position } from "./move-history.js";

/** Represents the position before the first entry where an id is needed. */
export const ROOT_ID = "root";

interface LeafMove {
  readonly newLeafId: Position;
  /** Written as a child of the new position. */
  readonly summary?: MoveSummary | undefined;
  /** How the move counts: undo and redo walk the history; all others add to it. */
  readonly as?: "move" | "undo" | "redo";
  /** Recorded in the session, so that it can tell why a branch exists. */
  readonly cause: MoveCause;
}

export interface MoveSummary {
  readonly text: string;
  readonly details?: unknown;
  readonly fromHook: boolean;
  readonly spend?: SummarySpend;
}

/**
 * Moves the leaf, writes the summary of the abandoned branch or otherwise the new position (keeps I3), and remembers
 * the way back. Returns the summary's entry. Does not notify extensions; operations do.
 */
export function moveLeaf(parts: AgentParts, move: LeafMove): BranchSummaryEntry | undefined {
  const { session } = parts;
  const oldLeafId = session.getLeafId();
  parts.moves.catchUp(session);
  const entry = move.summary === undefined ? undefined : withSummary(parts, move, move.summary);
  if (entry === undefined) {
    if (move.newLeafId === null) session.resetLeaf();
    else session.branch(move.newLeafId);
    session.recordPosition({ cause: move.cause });
  }
  if (session.getLeafId() === oldLeafId) return entry;
  remember(parts, oldLeafId, move);
  parts.emit({ type: "moved", oldLeafId, newLeafId: session.getLeafId() });
  return entry;
}

function withSummary(parts: AgentParts, move: LeafMove, summary: MoveSummary): BranchSummaryEntry {
  const { session } = parts;
  const id: EntryId = session.branchWithSummary(
    move.newLeafId,
    summary.text,
    summary.details,
    summary.fromHook ? true : undefined,
    undefined,
    move.cause,
  );
  if (summary.spend !== undefined) recordSpend(session, { kind: "branch_summary", ...summary.spend });
  return session.getEntry(id) as BranchSummaryEntry;
}

function remember(parts: AgentParts, oldLeafId: Position, { as, cause }: LeafMove): void {
  const { moves, session } = parts;
  if (as === "undo") moves.undone(session, oldLeafId);
  else if (as === "redo") moves.redone(session, oldLeafId);
  else moves.left(session, oldLeafId, cause);
}
