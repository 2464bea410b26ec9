/** Copies chosen entries below the leaf. */
import type { EntryId, SessionEntry } from "@bough/session/entry/index.js";
import { entryNotFound } from "@bough/session/entry/internal.js";
import type { SessionManager } from "@bough/session/session/index.js";
import type { AgentParts, OperationOptions } from "../agent-parts.js";
import { appendCopies, copiedOn, isCopyable } from "./copied-entries.js";
import { wholePair } from "./tool-pairs.js";

export interface CherryPickPlan {
  /** What would be copied, in order: each group is one entry, or an answer with all results of its calls. */
  readonly groups: readonly (readonly SessionEntry[])[];
  readonly skipped: readonly SkippedEntry[];
}

/** An entry that is not copied: it is on this path, a copy of it is, or it has no content to copy. */
export interface SkippedEntry {
  readonly id: EntryId;
  readonly reason: "on-this-path" | "copied-before" | "no-content";
}

export type CherryPickOutcome =
  | { readonly kind: "done"; readonly ids: readonly EntryId[]; readonly skipped: readonly SkippedEntry[] }
  | { readonly kind: "unchanged"; readonly skipped: readonly SkippedEntry[] }
  | { readonly kind: "aborted" };

/**
 * What picking these entries would copy, in the order they are named. Half of a tool pair brings the other half. Reads
 * only. Throws `Entry <id> not found`.
 */
export function planCherryPick(session: SessionManager, ids: readonly EntryId[]): CherryPickPlan {
  const path = session.getBranch();
  const here = new Set(path.map(({ id }) => id));
  const copied = copiedOn(path, session);
  const taken = new Set<EntryId>();
  const groups: SessionEntry[][] = [];
  const skipped: CherryPickPlan["skipped"][number][] = [];
  for (const id of ids) {
    const entry = session.getEntry(id);
    if (entry === undefined) throw entryNotFound(id);
    if (taken.has(id)) continue;
    const reason = here.has(id) ? "on-this-path" : copied.has(id) ? "copied-before" : "no-content";
    if (reason !== "no-content" || !isCopyable(entry)) {
      skipped.push({ id, reason });
      continue;
    }
    const group = wholePair(session, entry);
    for (const member of group) taken.add(member.id);
    groups.push(group);
  }
  return { groups, skipped };
}

/** Appends the copies with a record of their origin. The sources are unchanged; repeating it adds nothing. */
function applyCherryPick(parts: Pick<AgentParts, "session" | "emit">, plan: CherryPickPlan): CherryPickOutcome {
  const { skipped } = plan;
  const ids: EntryId[] = [];
  for (const group of plan.groups) ids.push(...appendCopies(parts.session, group, { via: "cherry-pick" }));
  if (ids.length === 0) return { kind: "unchanged", skipped };
  parts.emit({ type: "entries", ids });
  return { kind: "done", ids, skipped };
}

/** Plans and applies. */
export async function cherryPick(
  parts: AgentParts,
  request: OperationOptions & { readonly ids: readonly EntryId[] },
): Promise<CherryPickOutcome> {
  if (request.signal.aborted) return { kind: "aborted" };
  return applyCherryPick(parts, planCherryPick(parts.session, request.ids));
}
