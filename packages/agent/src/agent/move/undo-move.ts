/**
 * Undo and redo, one step at a time: a run, a command or a move. Entries are never removed; only the position changes.
 */
import type { NavigateResult } from "../../extension/index.js";
import type { MoveFilesOptions } from "../../extension/internal.js";
import { AgentError } from "../agent-error.js";
import type { AgentParts, OperationOptions } from "../agent-parts.js";
import { applyNavigate, type NavigatePlan, planNavigate } from "./navigate.js";

type Moves = Pick<AgentParts, "session" | "moves">;

/** Back to the position before the last run, command or move that was not undone. Throws `nothing-to-undo`. */
function planUndoMove({ session, moves }: Moves, files: MoveFilesOptions): NavigatePlan {
  const step = moves.previous(session);
  if (step === undefined) throw nothing("Nothing to undo in this session");
  const common = { as: "undo", cause: "undo", ...files } as const;
  // The prompt of a run returns to the editor.
  if (step.kind === "run" && step.entryId !== undefined && step.entryId !== session.getLeafId())
    return planNavigate(session, { targetId: step.entryId, place: "selected", ...common });
  return planNavigate(session, { targetId: step.from, place: "exact", ...common });
}

/** Forward to the position that the last undo left. Throws `nothing-to-undo`. */
function planRedoMove({ session, moves }: Moves, files: MoveFilesOptions): NavigatePlan {
  const targetId = moves.next(session);
  if (targetId === undefined) throw nothing("Nothing to redo in this session");
  return planNavigate(session, { targetId, place: "exact", as: "redo", cause: "redo", ...files });
}

export async function undoMove(
  parts: AgentParts,
  options: OperationOptions,
  files: MoveFilesOptions = {},
): Promise<NavigateResult> {
  return applyNavigate(parts, planUndoMove(parts, files), options);
}

export async function redoMove(
  parts: AgentParts,
  options: OperationOptions,
  files: MoveFilesOptions = {},
): Promise<NavigateResult> {
  return applyNavigate(parts, planRedoMove(parts, files), options);
}

function nothing(message: string): AgentError {
  return new AgentError("nothing-to-undo", message);
}
