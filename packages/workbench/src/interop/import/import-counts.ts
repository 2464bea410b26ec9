/** What an import added, in turns and branches, and since when. */
import { type CustomEntry, Kind, Role } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { branchIndexOf, type TreeSource } from "@bough/session/tree/index.js";
import type { ORIGIN_TYPE } from "./import-origin.js";
import type { ImportOutcome } from "./import-session.js";

export interface ImportCounts {
  /** Of the whole session for the first import, otherwise of what was added. */
  readonly turns: number;
  readonly branches: number;
  /** Modification time of the source at the previous import; undefined for the first. */
  readonly since: Date | undefined;
}

/** A copy of the constant, so that the readers of all agents need not be loaded for one sentence. */
const ORIGIN: typeof ORIGIN_TYPE = "bough.origin";

/** Must be called right after the import, when the added entries are still the last ones of the session. */
export function importCounts(
  session: SessionManager,
  { kind, added }: Pick<ImportOutcome, "kind" | "added">,
): ImportCounts {
  const source = session.getSource();
  const branches = branchIndexOf(source.tree);
  if (kind === "imported") return { turns: branches.turns, branches: branches.count, since: undefined };
  const end = endOfAdded(source);
  const start = Math.max(0, end - added);
  let turns = 0;
  for (let n = start; n < end; n++) if (source.tree.roleOf(n) === Role.user) turns += 1;
  let begun = 0;
  for (let branch = 1; branch <= branches.count; branch++) {
    const first = branches.firstOf(branch);
    if (first >= start && first < end) begun += 1;
  }
  return { turns, branches: begun, since: lastOrigin(source, kind === "extended" ? start : source.tree.count) };
}

/** An import ends with an origin entry and, if the leaf stayed on the user's own work, a position entry. */
function endOfAdded(source: TreeSource): number {
  const { tree } = source;
  const hasPlace = tree.count > 1 && tree.kindOf(tree.count - 1) === Kind.position && isOrigin(source, tree.count - 2);
  const end = hasPlace ? tree.count - 1 : tree.count;
  return isOrigin(source, end - 1) ? end - 1 : end;
}

function lastOrigin(source: TreeSource, before: number): Date | undefined {
  for (let n = before - 1; n >= 0; n--) {
    if (!isOrigin(source, n)) continue;
    const then = new Date(source.entryAt(n).timestamp);
    return Number.isNaN(then.getTime()) ? undefined : then;
  }
  return undefined;
}

function isOrigin(source: TreeSource, n: number): boolean {
  if (n < 0 || source.tree.kindOf(n) !== Kind.custom || source.tree.parentOf(n) >= 0) return false;
  return (source.entryAt(n) as CustomEntry<unknown>).customType === ORIGIN;
}
