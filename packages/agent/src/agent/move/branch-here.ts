/** A new branch in the same file. */

import type { EntryId } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { defined } from "@bough/session/text/index.js";
import type { ForkResult, NavigateOptions } from "../../extension/index.js";
import type { AgentParts, OperationOptions } from "../agent-parts.js";
import { applyNavigate, type NavigatePlan, planNavigate } from "./navigate.js";

export interface BranchHereRequest extends NavigateOptions {
  readonly entryId: EntryId;
}

/** What branching would do: moves to the entry by the same rules as selecting it in the tree. */
export function planBranchHere(session: SessionManager, request: BranchHereRequest): NavigatePlan {
  const { entryId, ...options } = request;
  return planNavigate(session, { ...options, targetId: entryId, cause: options.cause ?? "branch" });
}

/** Moves there; the next message starts the branch. Returns the text of a selected user message. */
async function applyBranchHere(parts: AgentParts, plan: NavigatePlan, options: OperationOptions): Promise<ForkResult> {
  const { kind, cancelled, cancelledBy, editorText, files } = await applyNavigate(parts, plan, options);
  return {
    kind: kind === "unchanged" ? "done" : kind,
    selectedText: editorText ?? "",
    cancelled,
    inPlace: true,
    ...defined({ cancelledBy, files }),
  };
}

/** Plans and applies. */
export async function branchHere(
  parts: AgentParts,
  request: BranchHereRequest & OperationOptions,
): Promise<ForkResult> {
  return applyBranchHere(parts, planBranchHere(parts.session, request), request);
}
