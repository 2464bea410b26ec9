/** Reads from an open session: entries, paths, the tree, state. Entries are read only when needed (keeps I8). */
import { buildState, type SessionContext, type SessionState } from "../context/index.js";
import { type EntryId, Kind, type SessionEntry } from "../entry/index.js";
import { entryNotFound } from "../entry/internal.js";
import { WorkTurns } from "../log/index.js";
import { branchCount, childrenOf, commonAncestor, pathTo, type TreeSource, tipsOf } from "../tree/index.js";
import { type EntryPath, lazyPath } from "./memory/lazy-path.js";
import type { OpenSession } from "./open-session.js";
import type { SessionStore } from "./session-store.js";

export interface EntryCounts {
  readonly entries: number;
  readonly messages: number;
  readonly branches: number;
}

export function getEntry({ at: { store } }: OpenSession, id: EntryId): SessionEntry | undefined {
  const n = store.index.numberOf(id);
  return n < 0 ? undefined : store.entryAt(n);
}

export function getBranch(session: OpenSession, fromId?: EntryId): SessionEntry[] {
  return session.at.store.entriesAt(pathNumbers(session, fromId));
}

export function getBranchIds(session: OpenSession, fromId?: EntryId): EntryId[] {
  return idsOf(session.at.store, pathNumbers(session, fromId));
}

export function readBranch(session: OpenSession, fromId?: EntryId): EntryPath {
  const { store } = session.at;
  return lazyPath(pathNumbers(session, fromId), (n) => store.entryAt(n));
}

export function getChildren(session: OpenSession, parentId: EntryId | null): SessionEntry[] {
  const { store } = session.at;
  return store.entriesAt(childrenOf(store.tree, parentNumber(session, parentId)));
}

export function getChildIds(session: OpenSession, parentId: EntryId | null): EntryId[] {
  const { store } = session.at;
  return idsOf(store, childrenOf(store.tree, parentNumber(session, parentId)));
}

export function countChildren(session: OpenSession, parentId: EntryId | null): number {
  const { tree } = session.at.store;
  let count = 0;
  let child = tree.firstChildOf(parentNumber(session, parentId));
  for (; child >= 0; child = tree.nextSiblingOf(child)) count += 1;
  return count;
}

export function getCommonAncestorId(session: OpenSession, a: EntryId | null, b: EntryId | null): EntryId | null {
  if (a === null || b === null) return null;
  const { tree } = session.at.store;
  const n = commonAncestor(tree, numberOf(session, a), numberOf(session, b));
  return n < 0 ? null : tree.ids.textOf(n);
}

export function getTipIds({ at: { store } }: OpenSession): EntryId[] {
  return idsOf(store, tipsOf(store.tree));
}

export function getSource(session: OpenSession): TreeSource {
  const { store } = session.at;
  return {
    get tree() {
      return store.tree;
    },
    get leaf() {
      return leafNumber(session);
    },
    get name() {
      return store.name();
    },
    entryAt: (n) => store.entryAt(n),
    rawLineAt: (n) => {
      const line = store.rawAt(n).toString("latin1");
      return line.includes(`"${store.tree.ids.textOf(n)}"`) ? line : undefined;
    },
    labelOf: (n) => store.labels().get(store.tree.ids.textOf(n)),
    labelTargets: () => store.labels().keys() as Iterable<EntryId>,
  };
}

export function getEntries({ at: { store } }: OpenSession): SessionEntry[] {
  const entries = store.entriesAt(Int32Array.from({ length: store.tree.count }, (_, n) => n));
  // Reading an entry can reveal others hidden in its line.
  for (let n = entries.length; n < store.tree.count; n++) entries.push(store.entryAt(n));
  return entries;
}

export function getCounts({ at }: OpenSession): EntryCounts {
  const { tree } = at.store;
  let messages = 0;
  for (let n = 0; n < tree.count; n++) if (tree.kindOf(n) === Kind.message) messages += 1;
  return { entries: tree.count, messages, branches: branchCount(tree) };
}

export function getCwd({ at, cwd }: OpenSession): string {
  const own: unknown = at.store.header.cwd;
  return typeof own === "string" && own !== "" ? own : cwd;
}

export function buildSessionContext(session: OpenSession): SessionContext {
  return session.at.store.contextAt(leafNumber(session));
}

export function buildSessionContextInSlices(session: OpenSession): Promise<SessionContext> {
  const turns = new WorkTurns();
  return session.at.store.contextInSlices(leafNumber(session), () => (turns.isDue ? turns.yieldNow() : undefined));
}

export function getState(session: OpenSession): SessionState {
  return buildState(session.at.store.pathSource(leafNumber(session)));
}

/** The number of an entry. Throws `Entry <id> not found`. */
export function numberOf({ at }: OpenSession, id: EntryId): number {
  // Untyped callers may pass undefined.
  const n = typeof id === "string" ? at.store.index.numberOf(id) : -1;
  if (n < 0) throw entryNotFound(String(id));
  return n;
}

/** The numbers from the root to an entry (default: the leaf). */
function pathNumbers(session: OpenSession, fromId: EntryId | undefined): Int32Array | readonly number[] {
  const id = fromId ?? session.at.leafId;
  return id === null ? [] : pathTo(session.at.store.tree, numberOf(session, id));
}

function parentNumber(session: OpenSession, parentId: EntryId | null): number {
  return parentId === null ? -1 : numberOf(session, parentId);
}

function leafNumber(session: OpenSession): number {
  return parentNumber(session, session.at.leafId);
}

function idsOf({ tree }: SessionStore, numbers: Int32Array | readonly number[]): EntryId[] {
  const ids: EntryId[] = [];
  for (let i = 0; i < numbers.length; i++) ids.push(tree.ids.textOf(numbers[i] as number));
  return ids;
}
