/**
 * One session: a log, a tree over it, and a leaf. Synchronous.
 *
 * Appending adds a child to the leaf and makes it the leaf. Moving changes the leaf and nothing else: `branch` writes
 * nothing on its own, `recordPosition` and `close` write where the leaf is, so that it is the same after reopening
 * (keeps I3). This class holds the state and delegates: asking is in `reading.ts`, adding and moving in `appending.ts`,
 * files and places in `opening.ts`.
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
import { leaveAtOnce, type NewSessionOptions } from "./open/new-session.js";
import { type ReadOnlyReason, readOnlySentence } from "./open/open-log.js";
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

/** What asks and appends, without what opens, follows and closes. */
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

  /** A new session. Its file appears with the first entry. */
  static create(cwd: string, dir?: string, options?: SessionOptions): SessionManager {
    return new SessionManager(create(cwd, dir, options));
  }

  /**
   * The session in a file; a new one if the file does not exist yet. An old version is upgraded first and the original
   * kept; a version from the future and a file without a readable header are opened for reading only: see
   * `getReadOnlyReason`.
   */
  static open(path: string, dir?: string, options?: SessionOptions): SessionManager {
    return new SessionManager(open(path, dir, options));
  }

  /** The same, read in slices that let others run. */
  static async openInSlices(path: string, dir?: string, options?: SessionOptions): Promise<SessionManager> {
    return new SessionManager(await openInSlices(path, dir, options));
  }

  /** The session of this folder that was written to last, or a new one. */
  static continueRecent(cwd: string, dir?: string, options?: SessionOptions): SessionManager {
    return new SessionManager(continueRecent(cwd, dir, options));
  }

  /** A session that is never saved. */
  static inMemory(cwd: string = process.cwd(), options?: SessionOptions): SessionManager {
    return new SessionManager(inMemory(cwd, options));
  }

  /**
   * A session in memory from its JSONL: a whole text, or lines with or without their newlines. Versions, damage and
   * `getReadOnlyReason` are as for a file with the same bytes; an old version is upgraded in memory. Nothing is saved:
   * `toLines` gives the lines back, with what was appended.
   */
  static fromLines(
    lines: string | Uint8Array | Iterable<string | Uint8Array>,
    options?: SessionOptions,
  ): SessionManager {
    return new SessionManager(fromLines(lines, options));
  }

  /**
   * The session in your own log (`bough/log`), or a new one in an empty log; `close` closes the log. An old version
   * is read-only, because a log is never rewritten: write its `toLines` to another. `newLog` makes the empty logs of
   * `newSession` and `createBranchedSession`, which throw `no-new-log` without it. `cwd` is for a new session.
   */
  static onLog(
    log: Log,
    options: SessionOptions & { readonly cwd?: string; readonly newLog?: () => Log } = {},
  ): SessionManager {
    return new SessionManager(onLog(log, options));
  }

  /** A copy of a whole session, for another working directory; the source is only read. */
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

  /** From what a user typed, an id, a label or a unique prefix, to the id. */
  resolveEntry(reference: string): EntryId {
    return resolveEntry(this.#session.at.store, reference);
  }

  /** The entries from the root to `fromId`, or to the leaf. */
  getBranch(fromId?: EntryId): SessionEntry[] {
    return getBranch(this.#session, fromId);
  }

  getPath(fromId?: EntryId): SessionEntry[] {
    return getBranch(this.#session, fromId);
  }

  /** The same path, each entry read when it is asked for. Good as long as this session is open. */
  readBranch(fromId?: EntryId): EntryPath {
    return readBranch(this.#session, fromId);
  }

  /** Children of an entry, oldest first; the roots for `null`. */
  getChildren(parentId: EntryId | null): SessionEntry[] {
    return getChildren(this.#session, parentId);
  }

  /** The ids of the same entries. Reads none of them, so a page of many children can be chosen first. */
  getChildIds(parentId: EntryId | null): EntryId[] {
    return getChildIds(this.#session, parentId);
  }

  /** How many children an entry has; how many roots there are for `null`. Reads none of them. */
  countChildren(parentId: EntryId | null): number {
    return countChildren(this.#session, parentId);
  }

  /** The ids from the root to `fromId`, or to the leaf. Reads no entry. */
  getBranchIds(fromId?: EntryId): EntryId[] {
    return getBranchIds(this.#session, fromId);
  }

  /** The deepest entry that is on both paths; `null` where they start separately. Reads no entry. */
  getCommonAncestorId(a: EntryId | null, b: EntryId | null): EntryId | null {
    return getCommonAncestorId(this.#session, a, b);
  }

  /** The ids of the entries with no conversation below them, in the order of the file. Reads no entry. */
  getTipIds(): EntryId[] {
    return getTipIds(this.#session);
  }

  /** The roots. Nodes read their entries and make their children when asked, so this is cheap at any size. */
  getTree(): SessionTreeNode[] {
    return nodesBelow(this.#session.at.store, -1);
  }

  /** The session for those who draw it. It stays true while this session is open; ask again after another was opened. */
  getSource(): TreeSource {
    return getSource(this.#session);
  }

  getLabel(id: EntryId): Label | undefined {
    return this.#session.at.store.labels().get(id)?.label;
  }

  /** Every entry, in the order of the file. Reads them all. */
  getEntries(): SessionEntry[] {
    return getEntries(this.#session);
  }

  /** How many entries and branches there are. Reads none of them. */
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

  /** Where the session is, or will be with its first entry; undefined in memory. */
  getSessionFile(): string | undefined {
    return this.#session.at.file;
  }

  isPersisted(): boolean {
    return this.#session.at.file !== undefined;
  }

  /** What is odd in the file, as far as it has been read. `verifySession` reads all of it. */
  getProblems(): readonly Problem[] {
    return this.#session.at.store.index.problems;
  }

  /** Why nothing can be written here, as a value; undefined if it can. */
  getReadOnlyReason(): (ReadOnlyReason & { readonly message: string; readonly hint: string }) | undefined {
    const { readOnly } = this.#session.at;
    return readOnly === undefined ? undefined : { ...readOnly, ...readOnlySentence(readOnly) };
  }

  /** The copy of the original, where opening upgraded the file. */
  getUpgradeBackup(): string | undefined {
    return this.#session.at.backup;
  }

  /** Entries that are in memory only because the disk did not take them; the next append writes them first. */
  getWaitingCount(): number {
    return this.#session.at.store.waiting;
  }

  /**
   * What the model is shown at the leaf. Asking again costs what was appended since. The array is yours; its messages
   * are frozen, like every entry of a session.
   */
  buildSessionContext(): SessionContext {
    return buildSessionContext(this.#session);
  }

  /** The same in slices, so that a long path blocks nothing else: the context as it was when this was called. */
  buildSessionContextInSlices(): Promise<SessionContext> {
    return buildSessionContextInSlices(this.#session);
  }

  /** The state at the leaf, without the messages: cheap however long the path is. */
  getState(): SessionState {
    return getState(this.#session);
  }

  // Each append adds a child to the leaf, makes it the leaf, and returns its id.

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
    return append(this.#session, "mode_change", { mode, data });
  }

  appendCompaction(
    summary: string,
    firstKeptEntryId: EntryId,
    tokensBefore: number,
    details?: unknown,
    fromHook?: boolean,
    usage?: Usage,
  ): EntryId {
    const fields = { summary, firstKeptEntryId, tokensBefore, details, fromHook, usage };
    return append(this.#session, "compaction", fields);
  }

  /** State of an extension: on the branch, never shown to the model. */
  appendCustomEntry(customType: string, data?: unknown): EntryId {
    return append(this.#session, "custom", { customType, data });
  }

  appendCustomMessageEntry(customType: string, content: UserContent, display: boolean, details?: unknown): EntryId {
    return append(this.#session, "custom_message", { customType, content, display, details });
  }

  /** Names an entry; an empty or absent label clears the name. Throws `Entry <id> not found`. */
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
   * Appends an entry of any type with the fields it has. Its place is given here: an `id`, `parentId` or `timestamp` it
   * comes with is not used. Throws `not-serializable` for a header and for something without a type.
   */
  saveEntry(entry: NewEntryFields): EntryId {
    return saveEntry(this.#session, entry);
  }

  /**
   * Moves the leaf. `branch(null)` is `resetLeaf()`: the place before the first entry. Writes nothing. Throws
   * `Entry <id> not found` (`entry-not-found`), for undefined too.
   */
  branch(id: EntryId | null): void {
    branch(this.#session, id);
  }

  /**
   * Goes to an entry as if the file had been left there: unlike after `branch`, closing does not record the position
   * unless something was added. Writes nothing. Throws `Entry <id> not found`.
   */
  startAt(id: EntryId): void {
    startAt(this.#session, id);
  }

  /** Moves before the first entry: the next append makes another root. */
  resetLeaf(): void {
    branch(this.#session, null);
  }

  /**
   * Moves and appends a summary of what was left there. `fromId` names the leaf that was left, or `"root"`; `cause` is
   * why the move was made.
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
   * Writes where the leaf is, and why, if loading the file would give another one: after a move that added nothing, and
   * after others moved on. Returns the id of the record.
   */
  recordPosition({ cause }: { readonly cause?: MoveCause } = {}): EntryId | undefined {
    return recordPosition(this.#session, cause);
  }

  /**
   * Every line as it is in the file or log, without its newline: the header first, which a session without entries has
   * too. Also after `close`, which records the position, if the session is in memory. Bytes that are not UTF-8 become
   * U+FFFD, as whenever they are read as text.
   */
  toLines(): string[] {
    return toLines(this.#session);
  }

  /** Everything appended so far is on the medium when this returns. Holds up the event loop; `flush` does not. */
  sync(): void {
    sync(this.#session);
  }

  /**
   * Answers when everything appended so far is on the medium, and lets other work continue meanwhile; with durability
   * `none` it writes what waits and does not ask the disk. Called at the end of a turn. Rejects with a SessionError.
   * Without `await` a failure is thrown by the next append, `flush`, `sync` or `close` instead.
   *
   * With `store`, also when the store that is attached (`attachStore` of `bough/store`) has everything; rejects with
   * its error, or `no-store` if none is attached.
   */
  flush(options: { readonly store?: boolean } = {}): Promise<void> {
    return flush(this.#session, options);
  }

  /**
   * Tells what is appended here until the returned function is called; `attachStore` of `bough/store` is the use of it.
   * The functions are called right after the fact: they return at once and do not throw. A turn ends with `flush`;
   * `onLeave` is called when the file is complete, because the session was closed or becomes another one.
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

  /** Where the session would be if its file were loaded now: who only follows others goes there. */
  getFileLeafId(): EntryId | null {
    return fileLeafId(this.#session.at.store);
  }

  /** Starts another session in the same place and goes there. Returns its file, or undefined in memory. */
  newSession(options: NewSessionOptions = {}): string | undefined {
    return newSession(this.#session, options);
  }

  /** Goes to another file. What `open` says of versions and damage holds here. */
  setSessionFile(path: string): void {
    setSessionFile(this.#session, path);
  }

  /** The same, read in slices that let others run. `leave` is called once it is read, and calls `go` to go there. */
  async setSessionFileInSlices(path: string, leave = leaveAtOnce): Promise<void> {
    await setSessionFileInSlices(this.#session, path, leave);
  }

  /**
   * Opens the same file for writing if it was opened for reading on request, and stays at the same leaf. Throws what
   * `setSessionFile` throws, and is then as it was. A file that can only be read stays read-only: `getReadOnlyReason`.
   */
  reopenForWriting(): void {
    reopenForWriting(this.#session);
  }

  /**
   * The same session once more, at the same leaf: each of the two appends and moves by itself, and `refresh` takes in
   * what the other wrote. Both must be closed. A session on a log of your own throws `no-new-log`.
   */
  openAgain(): SessionManager {
    return new SessionManager(openAgain(this.#session));
  }

  /**
   * Makes a new session of the path to `leafId` and goes there: labels rebuilt, compaction anchors valid,
   * `parentSession` set. Returns its file, or undefined in memory. This session's file is left as it is.
   */
  createBranchedSession(leafId: EntryId): string | undefined {
    return createBranchedSession(this.#session, leafId);
  }

  /** The same in slices that let others run. `leave` is called once it is written, and calls `go` to go there. */
  async createBranchedSessionInSlices(leafId: EntryId, leave = leaveAtOnce): Promise<string | undefined> {
    return createBranchedSessionInSlices(this.#session, leafId, leave);
  }

  /** Takes in what other processes wrote; the leaf stays. Returns the ids of their entries, oldest first. */
  refresh(): EntryId[] {
    return refresh(this.#session);
  }

  /** Tells what other processes write, as they write it, until the signal fires or the returned function is called. */
  follow(listener: (event: FollowEvent) => void, options: FollowOptions = {}): () => void {
    return followSession(this, listener, options);
  }

  /** Says that this process has the session open. Others see it until `close`, or until this process ends. */
  announce(program: string, note?: string): Presence | undefined {
    return announce(this.#session, program, note);
  }

  /** Who else has this session open. */
  getOthers(): readonly PresentRecord[] {
    return getOthers(this.#session);
  }

  /** Records the position, writes what waits, and lets go of the file. Closing twice does nothing. */
  close(): void {
    close(this.#session);
  }

  /** For `using`. */
  [Symbol.dispose](): void {
    this.close();
  }
}
