/**
 * One session: a log, a tree over it, and a leaf. Synchronous.
 *
 * Appending adds a child to the leaf and makes it the leaf. Moving changes only the leaf: `branch` itself writes
 * nothing; `recordPosition` and `close` write the leaf's position, so that it is the same after reopening (keeps I3).
 * This class holds the state and delegates: queries are in `reading.ts`, appending and moving in `appending.ts`, files
 * and locations in `opening.ts`.
 */
import type { SessionContext, SessionState } from "../context/index.js";
import type {
  AgentMessage,
  ContextReplacement,
  EntryId,
  Label,
  MoveCause,
  Problem,
  SessionEntry,
  SessionHeader,
  SessionId,
  Usage,
  UserContent,
} from "../entry/index.js";
import type { Log, Presence, PresentRecord } from "../log/index.js";
import { defined } from "../text/index.js";
import type { TreeSource } from "../tree/index.js";
import {
  append,
  appendContextEdit,
  appendLabelChange,
  appendMessage,
  branch,
  branchWithSummary,
  fileLeafId,
  flush,
  type NewEntryFields,
  recordPosition,
  saveEntry,
  startAt,
  sync,
  toLines,
  type UsageRecord,
} from "./appending.js";
import { type FollowEvent, type FollowOptions, followSession } from "./follow-session.js";
import {
  type ListOptions,
  listAllSessions,
  listSessions,
  type OnListProgress,
  type SessionInfo,
} from "./list-sessions.js";
import { sessionFolder } from "./locations.js";
import type { EntryPath } from "./memory/lazy-path.js";
import { type LeaveSession, leaveAtOnce, type NewSessionOptions } from "./open/new-session.js";
import { type ExplainedReadOnly, readOnlySentence } from "./open/open-log.js";
import type { OpenSession } from "./open-session.js";
import {
  announce,
  close,
  continueRecent,
  create,
  createBranchedSession,
  createBranchedSessionInSlices,
  forkFrom,
  fromLines,
  getOthers,
  inMemory,
  newSession,
  type OpenAgainOptions,
  onLog,
  open,
  openAgain,
  openInSlices,
  refresh,
  reopenForWriting,
  setSessionFile,
  setSessionFileInSlices,
} from "./opening.js";
import {
  buildSessionContext,
  buildSessionContextInSlices,
  countChildren,
  type EntryCounts,
  getBranch,
  getBranchIds,
  getChildIds,
  getChildren,
  getCommonAncestorId,
  getCounts,
  getCwd,
  getEntries,
  getEntry,
  getSource,
  getState,
  getTipIds,
  readBranch,
} from "./reading.js";
import { resolveEntry } from "./resolve-entry.js";
import type { SessionOptions } from "./session-options.js";
import { nodesBelow, type SessionTreeNode } from "./tree-node.js";

export type { NewSessionOptions } from "./open/new-session.js";

/** The part that queries and appends, without the part that opens, follows and closes. */
export type SessionWriter = Omit<
  SessionManager,
  | "announce"
  | "close"
  | "createBranchedSession"
  | "createBranchedSessionInSlices"
  | "follow"
  | "getOthers"
  | "newSession"
  | "openAgain"
  | "refresh"
  | "reopenForWriting"
  | "setSessionFile"
  | "setSessionFileInSlices"
  | typeof Symbol.dispose
>;

/** One session: a log, a tree over it, and a leaf that appends and moves. Close it when you are done. */
export class SessionManager {
  readonly #session: OpenSession;

  private constructor(session: OpenSession) {
    this.#session = session;
  }

  /** Creates a new session. Its file is created with the first entry. */
  static create(cwd: string, dir?: string, options?: SessionOptions): SessionManager {
    return new SessionManager(create(cwd, dir, options));
  }

  /**
   * Opens the session in a file, or a new one if the file does not exist yet. An old version is upgraded first and the
   * original kept; a future version and a file without a readable header are opened read-only: see `getReadOnlyReason`.
   */
  static open(path: string, dir?: string, options?: SessionOptions): SessionManager {
    return new SessionManager(open(path, dir, options));
  }

  /** Like `open`, in slices that let other work run. */
  static async openInSlices(path: string, dir?: string, options?: SessionOptions): Promise<SessionManager> {
    return new SessionManager(await openInSlices(path, dir, options));
  }

  /** Opens the session of this folder that was written to last, or creates a new one. */
  static continueRecent(cwd: string, dir?: string, options?: SessionOptions): SessionManager {
    return new SessionManager(continueRecent(cwd, dir, options));
  }

  /** Creates a session that is never saved. */
  static inMemory(cwd: string = process.cwd(), options?: SessionOptions): SessionManager {
    return new SessionManager(inMemory(cwd, options));
  }

  /**
   * Opens a session in memory from its JSONL: a whole text, or lines with or without their newlines. Versions, damage
   * and `getReadOnlyReason` are as for a file with the same bytes; an old version is upgraded in memory. Nothing is
   * saved: `toLines` returns the lines, including what was appended.
   */
  static fromLines(
    lines: string | Uint8Array | Iterable<string | Uint8Array>,
    options?: SessionOptions,
  ): SessionManager {
    return new SessionManager(fromLines(lines, options));
  }

  /**
   * Opens the session in your own log (`bough/log`), or a new one if the log is empty; `close` closes the log. An old
   * version is read-only, because a log is never rewritten: write its `toLines` to another log. `newLog` makes the
   * empty logs of `newSession` and `createBranchedSession`, which throw `no-new-log` without it. `cwd` is for a new
   * session.
   */
  static onLog(
    log: Log,
    options: SessionOptions & { readonly cwd?: string; readonly newLog?: () => Log } = {},
  ): SessionManager {
    return new SessionManager(onLog(log, options));
  }

  /** Copies a whole session for another working directory; the source is only read. */
  static forkFrom(path: string, targetCwd: string, dir?: string, options?: SessionOptions): SessionManager {
    return new SessionManager(forkFrom(path, targetCwd, dir, options));
  }

  /** Sessions of a working directory, newest first. */
  static list(cwd: string, dir?: string, onProgress?: OnListProgress, options?: ListOptions): Promise<SessionInfo[]> {
    return listSessions(dir ?? sessionFolder(cwd), onProgress, options);
  }

  /** Sessions of every working directory, newest first. */
  static listAll(onProgress?: OnListProgress, options?: ListOptions): Promise<SessionInfo[]> {
    return listAllSessions(onProgress, options);
  }

  getLeafId(): EntryId | null {
    return this.#session.at.leafId;
  }

  getLeafUuid(): EntryId | null {
    return this.#session.at.leafId;
  }

  getLeafEntry(): SessionEntry | undefined {
    const { leafId } = this.#session.at;
    return leafId === null ? undefined : getEntry(this.#session, leafId);
  }

  getCurrentLeaf(): SessionEntry | undefined {
    return this.getLeafEntry();
  }

  getEntry(id: EntryId): SessionEntry | undefined {
    return getEntry(this.#session, id);
  }

  /** The ID of the entry that a user's input means: an ID, a label or a unique prefix. */
  resolveEntry(reference: string): EntryId {
    return resolveEntry(this.#session.at.store, reference);
  }

  /** The entries from the root to `fromId` (default: the leaf). */
  getBranch(fromId?: EntryId): SessionEntry[] {
    return getBranch(this.#session, fromId);
  }

  getPath(fromId?: EntryId): SessionEntry[] {
    return getBranch(this.#session, fromId);
  }

  /** Like `getBranch`, but each entry is read when accessed. Valid while this session is open. */
  readBranch(fromId?: EntryId): EntryPath {
    return readBranch(this.#session, fromId);
  }

  /** Children of an entry, oldest first; the roots for `null`. */
  getChildren(parentId: EntryId | null): SessionEntry[] {
    return getChildren(this.#session, parentId);
  }

  /** The IDs of the same entries. Reads no entry, so you can choose a page of many children first. */
  getChildIds(parentId: EntryId | null): EntryId[] {
    return getChildIds(this.#session, parentId);
  }

  /** The number of children of an entry; the number of roots for `null`. Reads no entry. */
  countChildren(parentId: EntryId | null): number {
    return countChildren(this.#session, parentId);
  }

  /** The IDs from the root to `fromId` (default: the leaf). Reads no entry. */
  getBranchIds(fromId?: EntryId): EntryId[] {
    return getBranchIds(this.#session, fromId);
  }

  /** The deepest entry on both paths; `null` if they have different roots. Reads no entry. */
  getCommonAncestorId(a: EntryId | null, b: EntryId | null): EntryId | null {
    return getCommonAncestorId(this.#session, a, b);
  }

  /** The IDs of the entries with no conversation below them, in file order. Reads no entry. */
  getTipIds(): EntryId[] {
    return getTipIds(this.#session);
  }

  /** The roots. Nodes read their entries and create their children on access, so this is cheap at any size. */
  getTree(): SessionTreeNode[] {
    return nodesBelow(this.#session.at.store, -1);
  }

  /**
   * A view of the session for rendering. Stays current while this session is open; call again after switching to
   * another file.
   */
  getSource(): TreeSource {
    return getSource(this.#session);
  }

  getLabel(id: EntryId): Label | undefined {
    return this.#session.at.store.labels().get(id)?.label;
  }

  /** Every entry, in file order. Reads all of them. */
  getEntries(): SessionEntry[] {
    return getEntries(this.#session);
  }

  /** The number of entries, messages and branches. Reads no entry. */
  getCounts(): EntryCounts {
    return getCounts(this.#session);
  }

  getHeader(): SessionHeader {
    return this.#session.at.store.header;
  }

  getSessionName(): string | undefined {
    return this.#session.at.store.name();
  }

  getCwd(): string {
    return getCwd(this.#session);
  }

  getSessionDir(): string {
    const { dir, cwd } = this.#session;
    return dir ?? sessionFolder(cwd);
  }

  getSessionId(): SessionId {
    return this.#session.at.store.header.id;
  }

  /** The path of the session's file, even before the first entry creates it; undefined in memory. */
  getSessionFile(): string | undefined {
    return this.#session.at.file;
  }

  isPersisted(): boolean {
    return this.#session.at.file !== undefined;
  }

  /** The problems found in the part of the file read so far. `verifySession` reads all of it. */
  getProblems(): readonly Problem[] {
    return this.#session.at.store.index.problems;
  }

  /** Why the session cannot be written to; undefined if it can. */
  getReadOnlyReason(): ExplainedReadOnly | undefined {
    const { readOnly } = this.#session.at;
    return readOnly === undefined ? undefined : { ...readOnly, ...readOnlySentence(readOnly) };
  }

  /** The copy of the original, if opening upgraded the file. */
  getUpgradeBackup(): string | undefined {
    return this.#session.at.backup;
  }

  /** The number of entries that are only in memory because writing them failed; the next append writes them first. */
  getWaitingCount(): number {
    return this.#session.at.store.waiting;
  }

  /**
   * What the model sees at the leaf. Calling again costs only what was appended since. The array is yours; its messages
   * are frozen, like every entry of a session.
   */
  buildSessionContext(): SessionContext {
    return buildSessionContext(this.#session);
  }

  /** Like `buildSessionContext`, in slices, so that a long path blocks nothing else: the context as of this call. */
  buildSessionContextInSlices(): Promise<SessionContext> {
    return buildSessionContextInSlices(this.#session);
  }

  /** The state at the leaf, without the messages: cheap however long the path is. */
  getState(): SessionState {
    return getState(this.#session);
  }

  // Each append adds a child to the leaf, makes it the leaf, and returns its ID.

  appendMessage(message: AgentMessage): EntryId {
    return appendMessage(this.#session, message);
  }

  appendThinkingLevelChange(thinkingLevel: string): EntryId {
    return append(this.#session, "thinking_level_change", { thinkingLevel });
  }

  appendModelChange(provider: string, modelId: string): EntryId {
    return append(this.#session, "model_change", { provider, modelId });
  }

  appendModeChange(mode: string, data?: unknown): EntryId {
    return append(this.#session, "mode_change", { mode, ...defined({ data }) });
  }

  appendCompaction(
    summary: string,
    firstKeptEntryId: EntryId,
    tokensBefore: number,
    details?: unknown,
    fromHook?: boolean,
    usage?: Usage,
  ): EntryId {
    const fields = { summary, firstKeptEntryId, tokensBefore, ...defined({ details, fromHook, usage }) };
    return append(this.#session, "compaction", fields);
  }

  /** State of an extension: on the branch, but never shown to the model. */
  appendCustomEntry(customType: string, data?: unknown): EntryId {
    return append(this.#session, "custom", { customType, ...defined({ data }) });
  }

  appendCustomMessageEntry(customType: string, content: UserContent, display: boolean, details?: unknown): EntryId {
    return append(this.#session, "custom_message", { customType, content, display, ...defined({ details }) });
  }

  /** Labels an entry; an empty or absent label removes it. Throws `Entry <id> not found`. */
  appendLabelChange(targetId: EntryId, label?: string): EntryId {
    return appendLabelChange(this.#session, targetId, label);
  }

  appendSessionInfo(name: string): EntryId {
    return append(this.#session, "session_info", { name: name.replace(/\s+/g, " ").trim() });
  }

  appendContextEdit(targetId: EntryId, replacement: ContextReplacement): EntryId {
    return appendContextEdit(this.#session, targetId, replacement);
  }

  appendUsage(record: UsageRecord): EntryId {
    const { kind, provider, model, usage } = record;
    return append(this.#session, "usage", { kind, provider, model, usage });
  }

  /**
   * Appends an entry of any type with all its fields, also those that Bough does not know, and `origin`. An `id`,
   * `parentId` or `timestamp` in it is ignored: the session assigns them. Throws `not-serializable` for a header and for a value without a type.
   */
  saveEntry(entry: NewEntryFields): EntryId {
    return saveEntry(this.#session, entry);
  }

  /**
   * Moves the leaf in this file: the next entry starts a branch there. (`AgentSession.branch` is the older name of
   * `AgentSession.fork`, which makes a new file.) `branch(null)` is `resetLeaf()`: before the first entry. Writes nothing. Throws `Entry <id> not
   * found` (`entry-not-found`), also for undefined.
   */
  branch(id: EntryId | null): void {
    branch(this.#session, id);
  }

  /**
   * Moves the leaf as if the file had been closed there: unlike after `branch`, closing does not record the position
   * unless something was appended. Writes nothing. Throws `Entry <id> not found`.
   */
  startAt(id: EntryId): void {
    startAt(this.#session, id);
  }

  /** Moves before the first entry: the next append creates another root. */
  resetLeaf(): void {
    branch(this.#session, null);
  }

  /**
   * Moves the leaf and appends a summary of the branch left behind. `fromId` is the previous leaf, or `"root"`; `cause`
   * is the reason for the move.
   */
  branchWithSummary(
    id: EntryId | null,
    summary: string,
    details?: unknown,
    fromHook?: boolean,
    usage?: Usage,
    cause?: MoveCause,
  ): EntryId {
    return branchWithSummary(this.#session, id, { summary, details, fromHook, usage, cause });
  }

  /**
   * Writes the leaf's position, and the cause, if loading the file would give a different leaf: after a move without an
   * append, or after other processes moved on. Returns the ID of the record.
   */
  recordPosition({ cause }: { readonly cause?: MoveCause } = {}): EntryId | undefined {
    return recordPosition(this.#session, cause);
  }

  /**
   * Every line as it is in the file or log, without its newline. The header comes first, even if there are no entries.
   * For a session in memory also after `close`, which records the position. Bytes that are not UTF-8 become U+FFFD, as
   * whenever they are read as text.
   */
  toLines(): string[] {
    return toLines(this.#session);
  }

  /** Everything appended so far is on the medium when this returns. Blocks the event loop; `flush` does not. */
  sync(): void {
    sync(this.#session);
  }

  /**
   * Resolves when everything appended so far is on the medium, while other work continues; with durability `none` it
   * writes waiting entries without syncing the disk. Called at the end of a turn. Rejects with a SessionError. If not
   * awaited, a failure is thrown by the next append, `flush`, `sync` or `close` instead.
   *
   * With `store`, it also waits until the attached store (`attachStore` of `bough/store`) has everything; rejects with
   * its error, or `no-store` if none is attached.
   */
  flush(options: { readonly store?: boolean } = {}): Promise<void> {
    return flush(this.#session, options);
  }

  /**
   * Reports what is appended here until the returned function is called; used by `attachStore` of `bough/store`. The
   * functions are called right after the fact; they must return immediately and not throw. A turn ends with `flush`;
   * `onLeave` is called when the file is complete, because the session was closed or switched to another file.
   */
  attach(attachment: {
    onAppend(id: EntryId): void;
    onTurnEnd(): void;
    onLeave(why: "closed" | "elsewhere"): void;
    /** Resolves when everything appended so far has arrived there. */
    flush(): Promise<void>;
  }): () => void {
    return this.#session.attachments.add(attachment);
  }

  /**
   * The leaf that the session would have if its file were loaded now. A session that only follows others moves there.
   */
  getFileLeafId(): EntryId | null {
    return fileLeafId(this.#session.at.store);
  }

  /** Creates another session in the same folder and switches to it. Returns its file, or undefined in memory. */
  newSession(options: NewSessionOptions = {}): string | undefined {
    return newSession(this.#session, options);
  }

  /** Switches to another file. Versions and damage are handled as in `open`. */
  setSessionFile(path: string): void {
    setSessionFile(this.#session, path);
  }

  /**
   * Like `setSessionFile`, read in slices that let other work run. `leave` is called once the file is read, and calls
   * `go` to switch.
   */
  async setSessionFileInSlices(path: string, leave: LeaveSession = leaveAtOnce): Promise<void> {
    await setSessionFileInSlices(this.#session, path, leave);
  }

  /**
   * Reopens the same file for writing if it was opened read-only on request, and stays at the same leaf. Throws what
   * `setSessionFile` throws, and is then unchanged. A file that can only be read stays read-only: `getReadOnlyReason`.
   */
  reopenForWriting(): void {
    reopenForWriting(this.#session);
  }

  /**
   * Opens the same session a second time, at the same leaf: the two append and move independently, and `refresh` reads
   * what the other wrote. Both must be closed. A session on a log of your own throws `no-new-log`.
   */
  openAgain(options: OpenAgainOptions = {}): SessionManager {
    return new SessionManager(openAgain(this.#session, options));
  }

  /**
   * Makes a new session of the path to `leafId` and switches to it: labels rebuilt, compaction anchors valid,
   * `parentSession` set. Returns its file, or undefined in memory. This session's file is unchanged.
   */
  createBranchedSession(leafId: EntryId): string | undefined {
    return createBranchedSession(this.#session, leafId);
  }

  /**
   * Like `createBranchedSession`, in slices that let other work run. `leave` is called once the file is written, and
   * calls `go` to switch.
   */
  async createBranchedSessionInSlices(leafId: EntryId, leave: LeaveSession = leaveAtOnce): Promise<string | undefined> {
    return createBranchedSessionInSlices(this.#session, leafId, leave);
  }

  /** Reads what other processes wrote; the leaf stays. Returns the IDs of their entries, oldest first. */
  refresh(): EntryId[] {
    return refresh(this.#session);
  }

  /**
   * Reports what other processes write, as they write it, until the signal fires or the returned function is called.
   */
  follow(listener: (event: FollowEvent) => void, options: FollowOptions = {}): () => void {
    return followSession(this, listener, options);
  }

  /**
   * Announces that this process has the session open. Other processes see it until `close`, or until this process ends.
   */
  announce(program: string, note?: string): Presence | undefined {
    return announce(this.#session, program, note);
  }

  /** The other processes that have this session open. */
  getOthers(): readonly PresentRecord[] {
    return getOthers(this.#session);
  }

  /** Records the position, writes waiting entries, and closes the file. Closing twice does nothing. */
  close(): void {
    close(this.#session);
  }

  /** For `using`. */
  [Symbol.dispose](): void {
    this.close();
  }
}
