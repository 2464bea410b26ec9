/** What can be asked of a session: entries, tree, names, state. Reads entries when they are needed (keeps I8). */
import { buildState, type SessionContext, type SessionState } from "../context/index.js";
import {
  type EntryId,
  Kind,
  type Label,
  type Problem,
  type SessionEntry,
  type SessionHeader,
  type SessionId,
} from "../entry/index.js";
import { entryNotFound } from "../entry/internal.js";
import { WorkTurns } from "../log/index.js";
import { branchCount, childrenOf, commonAncestor, pathTo, type TreeSource, tipsOf } from "../tree/index.js";
import { sessionFolder } from "./locations.js";
import { type EntryPath, lazyPath } from "./memory/lazy-path.js";
import { type ReadOnlyReason, readOnlySentence } from "./open/open-log.js";
import { resolveEntry } from "./resolve-entry.js";
import type { SessionStore } from "./session-store.js";
import { nodesBelow, type SessionTreeNode } from "./tree-node.js";

/** What an open session has. */
export interface EntryCounts {
  readonly entries: number;
  readonly messages: number;
  readonly branches: number;
}

export abstract class SessionReader {
  protected abstract store: SessionStore;
  protected cwd: string;
  /** Where new files go; undefined in memory. */
  protected readonly dir: string | undefined;
  protected file: string | undefined;
  protected leafId: EntryId | null = null;
  protected readOnly: ReadOnlyReason | undefined;
  protected backup: string | undefined;

  protected constructor(cwd: string, dir: string | undefined) {
    this.cwd = cwd;
    this.dir = dir;
  }

  getLeafId(): EntryId | null {
    return this.leafId;
  }

  getLeafUuid(): EntryId | null {
    return this.leafId;
  }

  getLeafEntry(): SessionEntry | undefined {
    return this.leafId === null ? undefined : this.getEntry(this.leafId);
  }

  getCurrentLeaf(): SessionEntry | undefined {
    return this.getLeafEntry();
  }

  getEntry(id: EntryId): SessionEntry | undefined {
    const n = this.store.index.numberOf(id);
    return n < 0 ? undefined : this.store.entryAt(n);
  }

  /** From what a user typed, an id, a label or a unique prefix, to the id. */
  resolveEntry(reference: string): EntryId {
    return resolveEntry(this.store, reference);
  }

  /** The entries from the root to `fromId`, or to the leaf. */
  getBranch(fromId?: EntryId): SessionEntry[] {
    const id = fromId ?? this.leafId;
    return id === null ? [] : this.entries(pathTo(this.store.tree, this.numberOf(id)));
  }

  getPath(fromId?: EntryId): SessionEntry[] {
    return this.getBranch(fromId);
  }

  /** The same path, each entry read when it is asked for. Good as long as this session is open. */
  readBranch(fromId?: EntryId): EntryPath {
    const { store } = this;
    const id = fromId ?? this.leafId;
    return lazyPath(id === null ? [] : pathTo(store.tree, this.numberOf(id)), (n) => store.entryAt(n));
  }

  /** Children of an entry, oldest first; the roots for `null`. */
  getChildren(parentId: EntryId | null): SessionEntry[] {
    return this.entries(childrenOf(this.store.tree, parentId === null ? -1 : this.numberOf(parentId)));
  }

  /** The ids of the same entries. Reads none of them, so a page of many children can be chosen first. */
  getChildIds(parentId: EntryId | null): EntryId[] {
    return this.ids(childrenOf(this.store.tree, parentId === null ? -1 : this.numberOf(parentId)));
  }

  /** How many children an entry has; how many roots there are for `null`. Reads none of them. */
  countChildren(parentId: EntryId | null): number {
    const { tree } = this.store;
    let count = 0;
    let child = tree.firstChildOf(parentId === null ? -1 : this.numberOf(parentId));
    for (; child >= 0; child = tree.nextSiblingOf(child)) count += 1;
    return count;
  }

  /** The ids from the root to `fromId`, or to the leaf. Reads no entry. */
  getBranchIds(fromId?: EntryId): EntryId[] {
    const id = fromId ?? this.leafId;
    return id === null ? [] : this.ids(pathTo(this.store.tree, this.numberOf(id)));
  }

  /** The deepest entry that is on both paths; `null` where they start separately. Reads no entry. */
  getCommonAncestorId(a: EntryId | null, b: EntryId | null): EntryId | null {
    if (a === null || b === null) return null;
    const { tree } = this.store;
    const n = commonAncestor(tree, this.numberOf(a), this.numberOf(b));
    return n < 0 ? null : tree.ids.textOf(n);
  }

  /** The ids of the entries with no conversation below them, in the order of the file. Reads no entry. */
  getTipIds(): EntryId[] {
    return this.ids(tipsOf(this.store.tree));
  }

  /** The roots. Nodes read their entries and make their children when asked, so this is cheap at any size. */
  getTree(): SessionTreeNode[] {
    return nodesBelow(this.store, -1);
  }

  /** The session for those who draw it. It stays true while this session is open; ask again after another was opened. */
  getSource(): TreeSource {
    const { store } = this;
    const leaf = (): number => (this.leafId === null ? -1 : this.numberOf(this.leafId));
    return {
      get tree() {
        return store.tree;
      },
      get leaf() {
        return leaf();
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

  getLabel(id: EntryId): Label | undefined {
    return this.store.labels().get(id)?.label;
  }

  /** Every entry, in the order of the file. Reads them all. */
  getEntries(): SessionEntry[] {
    const { store } = this;
    const entries = store.entriesAt(Int32Array.from({ length: store.tree.count }, (_, n) => n));
    // Reading an entry can bring up others that were hidden in its line.
    for (let n = entries.length; n < store.tree.count; n++) entries.push(store.entryAt(n));
    return entries;
  }

  /** How many entries and branches there are. Reads none of them. */
  getCounts(): EntryCounts {
    const { tree } = this.store;
    let messages = 0;
    for (let n = 0; n < tree.count; n++) if (tree.kindOf(n) === Kind.message) messages += 1;
    return { entries: tree.count, messages, branches: branchCount(tree) };
  }

  getHeader(): SessionHeader {
    return this.store.header;
  }

  getSessionName(): string | undefined {
    return this.store.name();
  }

  getCwd(): string {
    const cwd: unknown = this.store.header.cwd;
    return typeof cwd === "string" && cwd !== "" ? cwd : this.cwd;
  }

  getSessionDir(): string {
    return this.dir ?? sessionFolder(this.cwd);
  }

  getSessionId(): SessionId {
    return this.store.header.id;
  }

  /** Where the session is, or will be with its first entry; undefined in memory. */
  getSessionFile(): string | undefined {
    return this.file;
  }

  isPersisted(): boolean {
    return this.file !== undefined;
  }

  /** What is odd in the file, as far as it has been read. `verifySession` reads all of it. */
  getProblems(): readonly Problem[] {
    return this.store.index.problems;
  }

  /** Why nothing can be written here, as a value; undefined if it can. */
  getReadOnlyReason(): (ReadOnlyReason & { readonly message: string; readonly hint: string }) | undefined {
    return this.readOnly === undefined ? undefined : { ...this.readOnly, ...readOnlySentence(this.readOnly) };
  }

  /** The copy of the original, where opening upgraded the file. */
  getUpgradeBackup(): string | undefined {
    return this.backup;
  }

  /** Entries that are in memory only because the disk did not take them; the next append writes them first. */
  getWaitingCount(): number {
    return this.store.waiting;
  }

  /**
   * What the model is shown at the leaf. Asking again costs what was appended since. The array is yours; its messages
   * are frozen, like every entry of a session.
   */
  buildSessionContext(): SessionContext {
    return this.store.contextAt(this.#leafNumber());
  }

  /** The same in slices, so that a long path blocks nothing else: the context as it was when this was called. */
  buildSessionContextInSlices(): Promise<SessionContext> {
    const turns = new WorkTurns();
    return this.store.contextInSlices(this.#leafNumber(), () => (turns.isDue ? turns.yieldNow() : undefined));
  }

  /** The state at the leaf, without the messages: cheap however long the path is. */
  getState(): SessionState {
    return buildState(this.store.pathSource(this.#leafNumber()));
  }

  #leafNumber(): number {
    return this.leafId === null ? -1 : this.numberOf(this.leafId);
  }

  protected numberOf(id: EntryId): number {
    // Programs without types pass undefined too.
    const n = typeof id === "string" ? this.store.index.numberOf(id) : -1;
    if (n < 0) throw entryNotFound(String(id));
    return n;
  }

  protected ids(numbers: Int32Array | readonly number[]): EntryId[] {
    const ids: EntryId[] = [];
    for (let i = 0; i < numbers.length; i++) ids.push(this.store.tree.ids.textOf(numbers[i] as number));
    return ids;
  }

  protected entries(numbers: Int32Array | readonly number[]): SessionEntry[] {
    return this.store.entriesAt(numbers);
  }
}
