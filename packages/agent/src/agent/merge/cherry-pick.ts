/** Copies chosen entries below the leaf. */
import type { EntryId, SessionEntry } from "@bough/session/entry/index.js";
import { entryNotFound } from "@bough/session/entry/internal.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { defined } from "@bough/session/text/index.js";
import type { SessionFiles } from "@bough/workbench/checkpoint/index.js";
import type { MovedFiles } from "../../extension/index.js";
import type { AgentParts, OperationOptions } from "../agent-parts.js";
import { type BringFilesOptions, type ConflictsOutcome, FilesToBring } from "./bring-files.js";
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
  | {
      readonly kind: "done";
      readonly ids: readonly EntryId[];
      readonly skipped: readonly SkippedEntry[];
      /** Absent if files are not recorded, or if there was nothing to bring. */
      readonly files?: MovedFiles;
    }
  | ConflictsOutcome
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

export interface CherryPickRequest extends BringFilesOptions {
  readonly ids: readonly EntryId[];
}

/** Appends the copies with a record of their origin. The sources are unchanged; repeating it adds nothing. */
function appendPicked({ session }: Pick<AgentParts, "session">, { groups }: CherryPickPlan): readonly EntryId[] {
  const ids: EntryId[] = [];
  for (const [at, group] of groups.entries()) {
    ids.push(...appendCopies(session, group, { via: "cherry-pick", ...(at === 0 ? {} : { continues: true }) }));
  }
  // What was picked before may bring its files later.
  if (groups.length === 0) appendCopies(session, [], { via: "cherry-pick" });
  return ids;
}

/** Entries whose files are brought: those of a tool pair together, and those that were copied before. */
export function pickedWithFiles(session: SessionManager, { groups, skipped }: CherryPickPlan): readonly EntryId[] {
  const before = skipped.flatMap(({ id, reason }) => {
    const entry = reason === "copied-before" ? session.getEntry(id) : undefined;
    return entry === undefined ? [] : wholePair(session, entry);
  });
  return [...new Set([...groups.flat(), ...before].map(({ id }) => id))];
}

/** Plans and applies. */
export async function cherryPick(
  parts: AgentParts,
  request: OperationOptions & CherryPickRequest,
): Promise<CherryPickOutcome> {
  if (request.signal.aborted) return { kind: "aborted" };
  const { ids: wanted, ...answers } = request;
  const plan = planCherryPick(parts.session, wanted);
  const { skipped } = plan;
  const picked = pickedWithFiles(parts.session, plan);
  const targetId = picked.at(-1);
  if (targetId === undefined) return { kind: "unchanged", skipped };
  const { signal } = request;
  const planWith = (files: SessionFiles) => files.planPick(picked, { signal });
  const files = await FilesToBring.plan(parts, { ...answers, planWith, targetId });
  const { unanswered } = files;
  if (unanswered !== undefined) return unanswered;
  await files.askExtensions();
  if (plan.groups.length === 0 && !files.hasChanges) return { kind: "unchanged", skipped };
  if (signal.aborted) return { kind: "aborted" };
  let ids: readonly EntryId[] = [];
  const moved = await files.bring(() => {
    ids = appendPicked(parts, plan);
    parts.emit({ type: "entries", ids });
  });
  return { kind: "done", ids, skipped, ...defined({ files: moved }) };
}
