/** Branches by number and name, for sentences, references and completion. */
import type { Position } from "@bough/agent/agent/plan.js";
import { type EntryId, Kind } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { titleOf } from "@bough/session/text/index.js";
import { branchIndexOf } from "@bough/session/tree/index.js";
import { BranchOrigins } from "@bough/session/view/door.js";
import type { OriginsOf } from "@bough/session/view/index.js";
import { branchLabel, type NamedBranch, namedBranch, namedBranchAt } from "@bough/session/view/internal.js";

interface BranchFacts extends NamedBranch {
  readonly tipId: EntryId;
  readonly label?: string;
  readonly turns: number;
  readonly here: boolean;
  /** The machine its end came from, if not from this one. */
  readonly replicas?: readonly string[];
}

/** The branch of a position. Before the first entry, that is the first branch. */
export function branchAt(session: SessionManager, position: Position): NamedBranch {
  return namedBranchAt(session.getSource(), position);
}

/** The branch the leaf is on. */
export function currentBranch(session: SessionManager): NamedBranch {
  return branchAt(session, session.getLeafId());
}

export function branchCountOf(session: SessionManager): number {
  return branchIndexOf(session.getSource().tree).count;
}

/** Its end; undefined if no branch has this number. */
export function endOfBranch(session: SessionManager, number: number): EntryId | undefined {
  const { tree } = session.getSource();
  const branches = branchIndexOf(tree);
  return number >= 1 && number <= branches.count ? tree.ids.textOf(branches.tipOf(number)) : undefined;
}

/**
 * What was said on a branch itself, root first, without what is on the current path; undefined if no branch has this
 * number. If all of it is on the path, only its end.
 */
export function saidOnBranch(session: SessionManager, number: number): readonly EntryId[] | undefined {
  const { tree, leaf } = session.getSource();
  const branches = branchIndexOf(tree);
  if (number < 1 || number > branches.count) return undefined;
  const onPath = new Uint8Array(tree.count);
  for (let at = leaf; at >= 0; at = tree.parentOf(at)) onPath[at] = 1;
  const tip = branches.tipOf(number);
  const said: EntryId[] = [];
  for (let at = tip; at >= 0 && branches.branchOf(at) === number; at = tree.parentOf(at)) {
    if (onPath[at] === 0 && SAID.has(tree.kindOf(at))) said.push(tree.ids.textOf(at));
  }
  return said.length === 0 ? [tree.ids.textOf(tip)] : said.reverse();
}

const SAID: ReadonlySet<Kind> = new Set([Kind.message, Kind.branchSummary, Kind.customMessage]);

/** The branch that ends with this entry; undefined for every other position. */
export function branchEndingAt(session: SessionManager, position: Position): NamedBranch | undefined {
  if (position === null) return undefined;
  const branch = branchAt(session, position);
  return endOfBranch(session, branch.number) === position ? branch : undefined;
}

/** Where a branch starts: its parent entry, `null` for the start; undefined on the first branch. */
export function forkPointOf(session: SessionManager, position: Position): Position | undefined {
  const { tree } = session.getSource();
  const branches = branchIndexOf(tree);
  const number = branches.branchOf(position === null ? -1 : tree.ids.findText(position));
  if (branches.parentBranchOf(number) === 0) return undefined;
  const point = branches.forkPointOf(number);
  return point < 0 ? null : tree.ids.textOf(point);
}

/** The newest branches, newest first. Reads one entry per branch, so ask only for as many as you show. */
export function newestBranches(
  session: SessionManager,
  most = Number.POSITIVE_INFINITY,
  originsOf?: OriginsOf,
): BranchFacts[] {
  const source = session.getSource();
  const origins = new BranchOrigins(source, originsOf);
  const branches = branchIndexOf(source.tree);
  const here = source.tree.count === 0 ? 0 : branches.branchOf(source.leaf);
  const found: BranchFacts[] = [];
  for (let number = branches.count; number >= 1 && found.length < most; number--) {
    const label = branchLabel(source, number);
    const replicas = origins.of(number);
    found.push({
      ...namedBranch(source, number),
      tipId: source.tree.ids.textOf(branches.tipOf(number)),
      ...(label === undefined ? {} : { label: titleOf(label) }),
      turns: branches.turnsIn(number),
      here: number === here,
      ...(replicas.length === 0 ? {} : { replicas }),
    });
  }
  return found;
}

/** The conversation entry the leaf is on: a label or rename below it does not count as a position. */
export function currentEntry(session: SessionManager): EntryId | undefined {
  const { tree, leaf } = session.getSource();
  const at = branchIndexOf(tree).conversationAt(leaf);
  return at < 0 ? undefined : tree.ids.textOf(at);
}

/**
 * The previous position, for `/switch -`: the newest one in the file that is not on this path. It comes from the log,
 * so it survives a restart.
 */
export function previousPlace(session: SessionManager): EntryId | undefined {
  const { tree, leaf } = session.getSource();
  const onPath = new Uint8Array(tree.count);
  for (let at = leaf; at >= 0; at = tree.parentOf(at)) onPath[at] = 1;
  for (let n = tree.count - 1; n >= 0; n--) {
    const kind = tree.kindOf(n);
    const spoken = kind >= Kind.message && kind <= Kind.customMessage;
    const place = spoken ? n : kind === Kind.position ? tree.parentOf(n) : -1;
    if (place >= 0 && onPath[place] === 0) return tree.ids.textOf(place);
  }
  return undefined;
}
