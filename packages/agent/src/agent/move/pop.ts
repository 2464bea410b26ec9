/** Moves back to an earlier prompt with a summary of what was done since. */
import { type EntryId, isPrompt } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { upwards } from "@bough/session/session/internal.js";
import type { NavigateOptions, NavigateResult } from "../../extension/index.js";
import { AgentError } from "../agent-error.js";
import type { AgentParts, OperationOptions } from "../agent-parts.js";
import { applyNavigate, type NavigatePlan, type PlannedSession, planNavigate } from "./navigate.js";

export interface PopRequest extends NavigateOptions {
  /** Default: the nearest user message above the leaf. */
  readonly entryId?: EntryId;
}

/**
 * What popping would do. Includes a summary unless `summarize` is false. Throws `not-a-user-message` if there is none
 * above.
 */
export function planPop(
  session: PlannedSession & Pick<SessionManager, "getLeafId">,
  request: PopRequest,
): NavigatePlan {
  const { entryId, ...options } = request;
  const targetId = entryId ?? previousUserMessage(session);
  return planNavigate(session, { ...options, targetId, summarize: request.summarize ?? true, cause: "pop" });
}

async function applyPop(parts: AgentParts, plan: NavigatePlan, options: OperationOptions): Promise<NavigateResult> {
  return applyNavigate(parts, plan, options);
}

/** Plans and applies. */
export async function pop(parts: AgentParts, request: PopRequest & OperationOptions): Promise<NavigateResult> {
  return applyPop(parts, planPop(parts.session, request), request);
}

function previousUserMessage(session: Pick<SessionManager, "getEntry" | "getLeafId">): EntryId {
  const leafId = session.getLeafId();
  for (const entry of upwards(session, leafId)) if (entry.id !== leafId && isPrompt(entry)) return entry.id;
  throw new AgentError("not-a-user-message", "There is no earlier user message on this path", {
    hint: "Name the entry to go back to.",
  });
}
