/**
 * What the log says about branches that clients opened. A `custom` entry with the type `bough.acp`:
 *
 *     a ─ b ─ c                 data {}: a branch starts here; its key is the id of this entry
 *          └─ m ─ d             data { branch }: that branch continues here, because its user moved
 *
 * With `hidden`, the branch is not listed any more; such an entry is a note and starts nothing. With `archived` too, it is
 * listed among the archived ones.
 */
import { Kind } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { isRecord } from "@bough/session/text/index.js";
import type { TreeSource } from "@bough/session/tree/index.js";
import type { BranchKey } from "./session-id.js";

const BRANCH_TYPE = "bough.acp";

export interface Markers {
  /** Numbers of the entries at which a branch starts or continues. */
  readonly at: ReadonlySet<number>;
  /** For each marked branch, where it starts, or continues since its last move. */
  readonly starts: ReadonlyMap<BranchKey, number>;
  readonly hidden: ReadonlySet<BranchKey>;
  /** Those of the hidden ones that a client archived. */
  readonly archived: ReadonlySet<BranchKey>;
}

export function markersIn(source: TreeSource): Markers {
  const { tree } = source;
  const at = new Set<number>();
  const starts = new Map<BranchKey, number>();
  const hidden = new Set<BranchKey>();
  const archived = new Set<BranchKey>();
  for (let n = 0; n < tree.count; n++) {
    if (tree.kindOf(n) !== Kind.custom || source.rawLineAt?.(n)?.includes(BRANCH_TYPE) === false) continue;
    const entry = source.entryAt(n);
    if (entry.type !== "custom" || entry.customType !== BRANCH_TYPE) continue;
    const data = isRecord(entry.data) ? entry.data : {};
    const key = typeof data.branch === "string" ? data.branch : undefined;
    if (typeof data.hidden === "boolean") {
      if (key === undefined) continue;
      if (data.hidden) hidden.add(key);
      else hidden.delete(key);
      if (data.hidden && data.archived === true) archived.add(key);
      else archived.delete(key);
      continue;
    }
    at.add(n);
    starts.set(key ?? entry.id, n);
  }
  return { at, starts, hidden, archived };
}

/** Starts a branch at the leaf and returns its key. */
export function markStart(session: SessionManager): BranchKey {
  return session.appendCustomEntry(BRANCH_TYPE, {});
}

/** Marks that the branch continues at the leaf. */
export function markMove(session: SessionManager, key: BranchKey): void {
  session.appendCustomEntry(BRANCH_TYPE, { branch: key });
}

export function markHidden(session: SessionManager, key: BranchKey, state: "hidden" | "archived" | "shown"): void {
  const archived = state === "archived" ? { archived: true } : {};
  session.appendCustomEntry(BRANCH_TYPE, { branch: key, hidden: state !== "shown", ...archived });
}
