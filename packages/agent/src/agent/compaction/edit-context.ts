/** Changes what an entry contributes to the context. The entry itself is unchanged. */

import { entryMessage } from "@bough/session/context/index.js";
import type { ContextReplacement, EntryId, SessionEntry } from "@bough/session/entry/index.js";
import { entryNotFound } from "@bough/session/entry/internal.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { isRecord } from "@bough/session/text/index.js";
import { AgentError } from "../agent-error.js";
import type { AgentParts } from "../agent-parts.js";
import { editsOn } from "./context-edits.js";

/** Hides an entry, reverts earlier edits, or replaces its content. */
export type ContextEdit =
  | { readonly kind: "leave-out" | "original" }
  | { readonly kind: "replace"; readonly content: Exclude<ContextReplacement, null> };

export interface ContextEditRequest {
  readonly targetId: EntryId;
  readonly edit: ContextEdit;
}

export type ContextEditPlan =
  | { readonly kind: "edit"; readonly targetId: EntryId; readonly replacement: ContextReplacement }
  | { readonly kind: "unchanged" };

/**
 * What an edit would write. Reads only. Throws `Entry <id> not found`; `not-on-this-path`, because an edit works only
 * below its target; and `no-content` for an entry that is not shown to the model anyway.
 */
export function planContextEdit(
  session: Pick<SessionManager, "getBranch" | "getEntry">,
  request: ContextEditRequest,
): ContextEditPlan {
  const { targetId, edit } = request;
  const entry = session.getEntry(targetId);
  if (entry === undefined) throw entryNotFound(targetId);
  const path = session.getBranch();
  if (!path.some(({ id }) => id === targetId)) {
    throw new AgentError("not-on-this-path", `This entry is not on this path: ${targetId}`, {
      data: { targetId },
      hint: "Move to a point below the entry first.",
    });
  }
  if (entryMessage(entry) === null) {
    throw new AgentError("no-content", `This entry is not shown to the model: ${targetId}`, { data: { targetId } });
  }
  const current = editsOn(path).get(targetId);
  if (edit.kind === "original" && current === undefined) return { kind: "unchanged" };
  const replacement =
    edit.kind === "leave-out" ? null : edit.kind === "replace" ? edit.content : originalContent(entry);
  const same = JSON.stringify(replacement) === JSON.stringify(current);
  return same ? { kind: "unchanged" } : { kind: "edit", targetId, replacement };
}

/** Appends the edit. Returns its id; undefined if nothing had to change. */
function applyContextEdit(parts: Pick<AgentParts, "session">, plan: ContextEditPlan): EntryId | undefined {
  return plan.kind === "unchanged" ? undefined : parts.session.appendContextEdit(plan.targetId, plan.replacement);
}

/** Plans and applies. */
export function editContext(parts: Pick<AgentParts, "session">, request: ContextEditRequest): EntryId | undefined {
  return applyContextEdit(parts, planContextEdit(parts.session, request));
}

function originalContent(entry: SessionEntry): Exclude<ContextReplacement, null> {
  const holder: unknown = entry.type === "message" ? entry.message : entry;
  if (!isRecord(holder)) return "";
  const original = holder.content ?? holder.summary ?? holder.output;
  return typeof original === "string" || Array.isArray(original) ? original : "";
}
