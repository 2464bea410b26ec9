/** What a move leaves behind (ux B2). */
import { compareBranches, estimateEntryTokens } from "../../agent/index.js";
import { Kind } from "../../entry/index.js";
import type { SessionManager } from "../../session/index.js";
import { branchIndexOf } from "../../tree/index.js";
import type { CommandWorld } from "../command.js";
import { type MovePlace, type PlannedMove, planMove } from "./plan-move.js";

export interface Leaving {
  /** Entries of the conversation that are not on the new path. */
  readonly entries: number;
  /** About what a summary of them would read. */
  readonly tokens: number;
  /** Files that were changed there; of a very long branch, those its newest part changed. */
  readonly files: number;
}

/** So many entries are read; of what is beyond them the size in the file has to do. */
const READ = 1000;
const BYTES_PER_TOKEN = 4;

const NOTHING: Leaving = { entries: 0, tokens: 0, files: 0 };

/** What going there would leave. Throws `Entry <id> not found`. */
export function leavingOf({ agent: { session } }: CommandWorld, place: MovePlace): Leaving {
  return leftBy(session, planMove(session, place));
}

export function leftBy(session: SessionManager, { from, to }: Pick<PlannedMove, "from" | "to">): Leaving {
  const { tree, entryAt } = session.getSource();
  const branches = branchIndexOf(tree);
  const shared = branches.commonAncestor(from, to);
  const entries = branches.depthAt(from) - branches.depthAt(shared);
  if (entries <= 0) return NOTHING;
  let tokens = 0;
  let read = 0;
  let at = branches.conversationAt(from);
  // A compaction speaks for what is above it, so a summary reads no further.
  let counting = true;
  for (; at >= 0 && at !== shared && read < READ; at = branches.conversationParentOf(at), read++) {
    if (counting) tokens += estimateEntryTokens(entryAt(at));
    if (tree.kindOf(at) === Kind.compaction) counting = false;
  }
  const rest = branches.bytesAt(at) - branches.bytesAt(shared);
  if (counting) tokens += Math.max(0, rest) / BYTES_PER_TOKEN;
  return { entries, tokens: Math.round(tokens), files: changedFiles(session, from, at) };
}

/** How many files were changed between two places of one path, the upper one left out. */
function changedFiles(session: SessionManager, from: number, above: number): number {
  const { tree } = session.getSource();
  const ids = tree.ids;
  // Nothing is above the first entry, so it stands for the upper end; it is a prompt or state and changes no file.
  let top = above;
  if (top < 0) for (top = from; tree.parentOf(top) >= 0; ) top = tree.parentOf(top);
  return compareBranches(session, { a: ids.textOf(from), b: ids.textOf(top) }).a.files.modifiedFiles.length;
}
