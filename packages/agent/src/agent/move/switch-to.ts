/** Switches to another branch: to exactly one entry, with no text for the editor, and a summary only on request. */
import { type EntryId, FILES_TYPE, Kind, kindOf, type SessionEntry } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { isConversation } from "@bough/session/tree/index.js";
import type { NavigateOptions, NavigateResult } from "../../extension/index.js";
import type { AgentParts, OperationOptions } from "../agent-parts.js";
import { applyNavigate, type NavigatePlan, planNavigate } from "./navigate.js";

export interface SwitchRequest extends Omit<NavigateOptions, "place"> {
  readonly entryId: EntryId;
  /** `entry` (default): exactly that entry becomes the leaf. `end`: the end of the branch it is on, see `endOf`. */
  readonly to?: "entry" | "end";
}

/** Where `switchTo` would lead, and what it would leave behind. */
export function planSwitchTo(session: SessionManager, request: SwitchRequest): NavigatePlan {
  const { entryId, to, ...options } = request;
  const targetId = to === "end" ? endOf(session, entryId) : entryId;
  return planNavigate(session, { ...options, cause: options.cause ?? "switch", targetId, place: "exact" });
}

/** Plans and applies. */
export async function switchTo(parts: AgentParts, request: SwitchRequest & OperationOptions): Promise<NavigateResult> {
  return applyNavigate(parts, planSwitchTo(parts.session, request), request);
}

/**
 * Where the conversation from an entry leads, taking the newest child at every fork.
 *
 *     a ─ b ─ c          endOf(b) = e, because d is newer than c
 *          └─ d ─ e
 *
 * Bookkeeping below the last message is not followed: a label at the end does not make another end. Changes to files are
 * what was done there, and are.
 */
export function endOf(session: Pick<SessionManager, "getChildren">, entryId: EntryId): EntryId {
  let end = entryId;
  let at = entryId;
  for (;;) {
    const next = newestLeadingOn(session.getChildren(at));
    if (next === undefined) return end;
    at = next.id;
    if (isConversation(kindOf(next)) || isCheckpoint(next)) end = at;
  }
}

function isCheckpoint(entry: SessionEntry): boolean {
  return entry.type === "custom" && entry.customType === FILES_TYPE;
}

/** The newest child with content; otherwise the newest of the others, below which the conversation may continue. */
function newestLeadingOn(children: readonly SessionEntry[]): SessionEntry | undefined {
  const places = children.filter((child) => kindOf(child) !== Kind.position);
  return places.findLast((child) => isConversation(kindOf(child))) ?? places.at(-1);
}
