/** Taking back the last move, and doing it again. Entries are never undone: only the position changes. */
import type { NavigateResult } from "../../extension/index.js";
import type { MoveFilesOptions } from "../../extension/internal.js";
import { AgentError } from "../agent-error.js";
import type { AgentParts, OperationOptions } from "../agent-parts.js";
import { applyNavigate, type NavigatePlan, planNavigate } from "./navigate.js";

type Moves = Pick<AgentParts, "session" | "moves">;

/** Back to the place the last move left. Throws `nothing-to-undo`. */
function planUndoMove({ session, moves }: Moves, files: MoveFilesOptions): NavigatePlan {
  const targetId = moves.previous(session.getSessionId());
  if (targetId === undefined) throw nothing("No move to undo in this session");
  return planNavigate(session, { targetId, place: "exact", as: "undo", cause: "undo", ...files });
}

/** Forward to the place the last undo left. Throws `nothing-to-undo`. */
function planRedoMove({ session, moves }: Moves, files: MoveFilesOptions): NavigatePlan {
  const targetId = moves.next(session.getSessionId());
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
