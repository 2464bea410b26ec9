/**
 * Where to continue a session that other machines continued. A pull never moves the position; opening the session to
 * work in it starts at the end of what others added there, if there is exactly one such end.
 *
 *     one ─ answer* ─ two ─ answer      opened: * is at the last answer
 *                     └── came from elsewhere since
 */
import { type EntryId, Kind } from "@bough/session/entry/index.js";
import { SYNC_CAUSE } from "@bough/session/entry/internal.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { entryOrigins } from "@bough/session/session/internal.js";
import { counted, type Notice, withoutControls } from "@bough/session/text/index.js";
import { branchIndexOf, childrenOf, isPromptAt, type TreeSource } from "@bough/session/tree/index.js";
import type { Replica } from "./store.js";

type Origins = ReadonlyMap<EntryId, Replica>;

/** Moves there and returns a message; undefined if nothing was added below the position. Writes nothing. */
export function continueAfter(session: SessionManager, home: string): Notice | undefined {
  if (!session.isPersisted()) return undefined;
  const origins = entryOrigins(home, session.getSessionId());
  if (origins.size === 0) return undefined;
  const source = session.getSource();
  const { tree } = source;
  const at = branchIndexOf(tree).conversationAt(source.leaf);
  if (at < 0) return undefined;
  const ends = endsBelow(source, { at, since: lastOwn(session, origins), origins });
  const [end] = ends;
  if (end === undefined) return undefined;
  const added = ends.flatMap((one) => pathFrom(source, at, one));
  const names = [...new Set(added.map((n) => withoutControls(origins.get(tree.ids.textOf(n))?.name ?? "")))];
  const who = names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names.join("");
  if (ends.length > 1)
    return {
      message: `${who} continued from here on ${ends.length} branches. You are where you were.`,
      hint: "/tree shows them.",
    };
  session.startAt(tree.ids.textOf(withNotes(source, end)));
  const turns = added.filter((n) => isPromptAt(tree, n)).length;
  const many = turns > 0 ? turns : added.length;
  const amount = turns > 0 ? counted(turns, "turn") : counted(many, "entry", "entries");
  const them = many === 1 ? "it" : "them";
  return {
    message: `${who} continued from here with ${amount}. You are at the end of ${them}.`,
    hint: "/tree shows where you were.",
  };
}

/** The last entry written here, ignoring position records that a sync wrote. */
function lastOwn(session: SessionManager, origins: Origins): number {
  const { tree } = session.getSource();
  for (let n = tree.count - 1; n >= 0; n--) {
    const id = tree.ids.textOf(n);
    if (!origins.has(id) && !(tree.kindOf(n) === Kind.position && isOfSync(session, id))) return n;
  }
  return -1;
}

function isOfSync(session: SessionManager, id: EntryId): boolean {
  const { data } = (session.getEntry(id) ?? {}) as { readonly data?: { readonly cause?: unknown } };
  return data?.cause === SYNC_CAUSE;
}

interface Below {
  readonly at: number;
  readonly since: number;
  readonly origins: Origins;
}

/**
 * Tips of what others added below an entry. None if something was there before: the position was then chosen on
 * purpose.
 */
function endsBelow({ tree }: TreeSource, { at, since, origins }: Below): readonly number[] {
  const branches = branchIndexOf(tree);
  const ends = new Set<number>();
  const waiting = childrenOf(tree, at);
  for (let n = waiting.pop(); n !== undefined; n = waiting.pop()) {
    if (branches.conversationAt(n) === n) {
      if (n <= since || !origins.has(tree.ids.textOf(n))) return [];
      ends.delete(branches.conversationParentOf(n));
      ends.add(n);
    }
    for (const child of childrenOf(tree, n)) waiting.push(child);
  }
  return [...ends];
}

/** The conversation after an entry, down to another one below it. */
function pathFrom({ tree }: TreeSource, above: number, end: number): readonly number[] {
  const branches = branchIndexOf(tree);
  const path: number[] = [];
  for (let n = end; n !== above && n >= 0; n = branches.conversationParentOf(n)) path.push(n);
  return path.reverse();
}

/** Includes the labels, names and model changes set at the end. */
function withNotes({ tree }: TreeSource, end: number): number {
  for (let at = end; ; ) {
    const next = childrenOf(tree, at).findLast((n) => tree.kindOf(n) !== Kind.position);
    if (next === undefined) return at;
    at = next;
  }
}
