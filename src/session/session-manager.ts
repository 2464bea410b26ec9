/**
 * One session: a log, a tree over it, and a leaf. Synchronous.
 *
 * Appending adds a child to the leaf and makes it the leaf. Moving changes the leaf and nothing else: `branch` writes
 * nothing by itself, `recordPosition` and `close` write where the leaf is, so that it is the same after reopening
 * (keeps I3). This class only delegates: the work is in the files beside it.
 */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { buildContext, type SessionContext } from "../context/index.js";
import {
  type AgentMessage,
  type BranchSummaryEntry,
  type ContextReplacement,
  CURRENT_SESSION_VERSION,
  type EntryId,
  Kind,
  kindOfType,
  POSITION_TYPE,
  type Problem,
  Role,
  roleOfName,
  type SessionEntry,
  SessionError,
  type SessionHeader,
  type Usage,
  type UserContent,
} from "../entry/index.js";
import { announcePresence, MemoryLog, type Presence, type PresentRecord, readPresence } from "../log/index.js";
import { branchCount, childrenOf, pathTo } from "../tree/index.js";
import { allLines, pathLines, writeSessionFile } from "./copy-entries.js";
import { entryLine, headerLine } from "./entry-line.js";
import { type FollowEvent, type FollowOptions, followSession } from "./follow-session.js";
import {
  type ListOptions,
  listAllSessions,
  listSessions,
  type OnListProgress,
  type SessionInfo,
} from "./list-sessions.js";
import { sessionFileName, sessionFolder } from "./locations.js";
import { findMostRecentSession } from "./most-recent.js";
import { openLog, type ReadOnlyReason, readOnlySentence } from "./open-log.js";
import { entryNotFound, resolveEntry } from "./resolve-entry.js";
import { type FilledOptions, fillOptions, type SessionOptions } from "./session-options.js";
import { SessionStore } from "./session-store.js";
import { nodesBelow, type SessionTreeNode } from "./tree-node.js";

export interface NewSessionOptions {
  readonly id?: string;
  readonly parentSession?: string;
}

export interface UsageRecord {
  readonly kind: string;
  readonly provider: string;
  readonly model: string;
  readonly usage: Usage;
}

interface Place {
  readonly cwd: string;
  /** `undefined` in memory. */
  readonly dir: string | undefined;
  readonly options: FilledOptions;
}

export class SessionManager {
  readonly #options: FilledOptions;
  #cwd: string;
  readonly #dir: string | undefined;
  #file: string | undefined;
  #store: SessionStore;
  #readOnly: ReadOnlyReason | undefined;
  #backup: string | undefined;
  #leafId: EntryId | null = null;
  /** The leaf was moved and no entry says so yet. */
  #moved = false;
  #closed = false;
  #presence: Presence | undefined;

  private constructor(place: Place) {
    this.#cwd = place.cwd;
    this.#dir = place.dir;
    this.#options = place.options;
    this.#store = this.#startStore({});
  }

  /** A new session. Its file appears with the first entry. */
  static create(cwd: string, dir?: string, options?: SessionOptions): SessionManager {
    const place = resolve(cwd);
    return new SessionManager({ cwd: place, dir: dir ?? sessionFolder(place), options: fillOptions(options) });
  }

  /**
   * The session in a file; a new one if there is no such file yet. An old version is upgraded first and the original
   * kept; a version from the future and a file without a readable header are opened for reading only: see
   * `getReadOnlyReason`.
   */
  static open(path: string, dir?: string, options?: SessionOptions): SessionManager {
    const file = resolve(path);
    const session = new SessionManager({
      cwd: process.cwd(),
      dir: dir ?? resolve(file, ".."),
      options: fillOptions(options),
    });
    session.setSessionFile(file);
    return session;
  }

  /** The session of this folder that was written to last, or a new one. */
  static continueRecent(cwd: string, dir?: string, options?: SessionOptions): SessionManager {
    const folder = dir ?? sessionFolder(cwd);
    const recent = findMostRecentSession(folder);
    return recent === null ? SessionManager.create(cwd, folder, options) : SessionManager.open(recent, folder, options);
  }

  /** A session that is never saved. */
  static inMemory(cwd: string = process.cwd(), options?: SessionOptions): SessionManager {
    return new SessionManager({ cwd: resolve(cwd), dir: undefined, options: fillOptions(options) });
  }

  /** A copy of a whole session, for another working directory; the source is only read. */
  static forkFrom(path: string, targetCwd: string, dir?: string, options?: SessionOptions): SessionManager {
    const source = resolve(path);
    if (!existsSync(source))
      throw new SessionError("session-not-found", `No session at ${source}`, { data: { path: source } });
    const session = SessionManager.create(targetCwd, dir, options);
    const original = SessionManager.open(source, undefined, { ...options, readOnly: true });
    try {
      session.#copyInto(source, allLines(original.#store));
      session.#leafId = original.#leafId;
      session.#moved = true;
      session.recordPosition();
    } finally {
      original.close();
    }
    return session;
  }

  /** Sessions of a working directory, newest first. */
  static list(cwd: string, dir?: string, onProgress?: OnListProgress, options?: ListOptions): Promise<SessionInfo[]> {
    return listSessions(dir ?? sessionFolder(cwd), onProgress, options);
  }

  /** Sessions of every working directory, newest first. */
  static listAll(onProgress?: OnListProgress, options?: ListOptions): Promise<SessionInfo[]> {
    return listAllSessions(onProgress, options);
  }

  appendMessage(message: AgentMessage): EntryId {
    const role: unknown = (message as { role?: unknown } | null | undefined)?.role;
    if (typeof role !== "string") throw new SessionError("not-serializable", "A message needs a role");
    return this.#append("message", { message }, roleOfName(role));
  }

  appendThinkingLevelChange(thinkingLevel: string): EntryId {
    return this.#append("thinking_level_change", { thinkingLevel });
  }

  appendModelChange(provider: string, modelId: string): EntryId {
    return this.#append("model_change", { provider, modelId });
  }

  appendModeChange(mode: string, data?: unknown): EntryId {
    return this.#append("mode_change", { mode, data });
  }

  appendCompaction(
    summary: string,
    firstKeptEntryId: EntryId,
    tokensBefore: number,
    details?: unknown,
    fromHook?: boolean,
  ): EntryId {
    return this.#append("compaction", { summary, firstKeptEntryId, tokensBefore, details, fromHook });
  }

  /** State of an extension: on the branch, never shown to the model. */
  appendCustomEntry(customType: string, data?: unknown): EntryId {
    return this.#append("custom", { customType, data });
  }

  appendCustomMessageEntry(customType: string, content: UserContent, display: boolean, details?: unknown): EntryId {
    return this.#append("custom_message", { customType, content, display, details });
  }

  /** Names an entry; an empty or absent label clears the name. Throws `Entry <id> not found`. */
  appendLabelChange(targetId: EntryId, label?: string): EntryId {
    this.#numberOf(targetId);
    return this.#append("label", { targetId, label: label === "" ? undefined : label });
  }

  appendSessionInfo(name: string): EntryId {
    return this.#append("session_info", { name: name.replace(/\s+/g, " ").trim() });
  }

  appendContextEdit(targetId: EntryId, replacement: ContextReplacement): EntryId {
    this.#numberOf(targetId);
    return this.#append("context_edit", { targetId, replacement });
  }

  appendUsage(record: UsageRecord): EntryId {
    const { kind, provider, model, usage } = record;
    return this.#append("usage", { kind, provider, model, usage });
  }

  getLeafId(): EntryId | null {
    return this.#leafId;
  }

  getLeafUuid(): EntryId | null {
    return this.#leafId;
  }

  getLeafEntry(): SessionEntry | undefined {
    return this.#leafId === null ? undefined : this.getEntry(this.#leafId);
  }

  getEntry(id: EntryId): SessionEntry | undefined {
    const n = this.#store.tree.ids.findText(id);
    return n < 0 ? undefined : this.#store.entryAt(n);
  }

  /** From what a person typed, an id, a label or a unique prefix, to the id. */
  resolveEntry(reference: string): EntryId {
    return resolveEntry(this.#store, reference);
  }

  /** The entries from the root to `fromId`, or to the leaf. */
  getBranch(fromId?: EntryId): SessionEntry[] {
    const id = fromId ?? this.#leafId;
    return id === null ? [] : this.#entries(pathTo(this.#store.tree, this.#numberOf(id)));
  }

  getPath(fromId?: EntryId): SessionEntry[] {
    return this.getBranch(fromId);
  }

  /** Children of an entry, oldest first; the roots for `null`. */
  getChildren(parentId: EntryId | null): SessionEntry[] {
    return this.#entries(childrenOf(this.#store.tree, parentId === null ? -1 : this.#numberOf(parentId)));
  }

  /** The roots. Nodes read their entries and make their children when asked, so this is cheap at any size. */
  getTree(): readonly SessionTreeNode[] {
    return nodesBelow(this.#store, -1);
  }

  getLabel(id: EntryId): string | undefined {
    return this.#store.labels().get(id)?.label;
  }

  /** Every entry, in the order of the file. Reads them all. */
  getEntries(): SessionEntry[] {
    const entries: SessionEntry[] = [];
    for (let n = 0; n < this.#store.tree.count; n++) entries.push(this.#store.entryAt(n));
    return entries;
  }

  /** How many entries and branches there are. Reads none of them. */
  getCounts(): { readonly entries: number; readonly messages: number; readonly branches: number } {
    const { tree } = this.#store;
    let messages = 0;
    for (let n = 0; n < tree.count; n++) if (tree.kindOf(n) === Kind.message) messages += 1;
    return { entries: tree.count, messages, branches: branchCount(tree) };
  }

  getHeader(): SessionHeader {
    return this.#store.header;
  }

  getSessionName(): string | undefined {
    return this.#store.name();
  }

  getCwd(): string {
    const cwd: unknown = this.#store.header.cwd;
    return typeof cwd === "string" && cwd !== "" ? cwd : this.#cwd;
  }

  getSessionDir(): string {
    return this.#dir ?? sessionFolder(this.#cwd);
  }

  getSessionId(): string {
    return this.#store.header.id;
  }

  /** Where the session is, or will be with its first entry; undefined in memory. */
  getSessionFile(): string | undefined {
    return this.#file;
  }

  isPersisted(): boolean {
    return this.#file !== undefined;
  }

  /** What is odd in the file, as far as it has been read. `verifySession` reads all of it. */
  getProblems(): readonly Problem[] {
    return this.#store.index.problems;
  }

  /** Why nothing can be written here, as a value; undefined where it can. */
  getReadOnlyReason(): (ReadOnlyReason & { readonly message: string; readonly hint: string }) | undefined {
    return this.#readOnly === undefined ? undefined : { ...this.#readOnly, ...readOnlySentence(this.#readOnly) };
  }

  /** The copy of the original, where opening upgraded the file. */
  getUpgradeBackup(): string | undefined {
    return this.#backup;
  }

  /** Entries that are in memory only because the disk did not take them; the next append writes them first. */
  getWaitingCount(): number {
    return this.#store.waiting;
  }

  /** Moves the leaf. Writes nothing. Throws `Entry <id> not found`. */
  branch(id: EntryId): void {
    const n = this.#numberOf(id);
    // A record of a position is no place of its own: going there means going where it points.
    const target = this.#store.tree.kindOf(n) === Kind.position ? this.#store.tree.parentOf(n) : n;
    this.#moveTo(target < 0 ? null : this.#store.tree.ids.textOf(target));
  }

  /** Moves before the first entry: the next append makes another root. */
  resetLeaf(): void {
    this.#moveTo(null);
  }

  /** Moves and appends a summary of what was left there. `fromId` names the leaf that was left, or `"root"`. */
  branchWithSummary(id: EntryId | null, summary: string, details?: unknown, fromHook?: boolean): EntryId {
    const left = this.#leafId;
    if (id === null) this.resetLeaf();
    else this.branch(id);
    const fields: Partial<BranchSummaryEntry> = {
      fromId: id === null || left === null ? "root" : left,
      summary,
      ...(left === null ? {} : { abandonedLeafId: left }),
    };
    return this.#append("branch_summary", { ...fields, details, fromHook });
  }

  /** Writes where the leaf is, if a move left no trace of it. Returns the id of the record. */
  recordPosition(): EntryId | undefined {
    if (!this.#moved || this.#readOnly !== undefined || this.#store.tree.count === 0) return undefined;
    this.#moved = false;
    if (this.#loadedLeafId() === this.#leafId) return undefined;
    return this.#write("custom", { customType: POSITION_TYPE }, { kind: Kind.position, role: Role.none });
  }

  /** Starts another session in the same place and goes there. Returns its file, or undefined in memory. */
  newSession(options: NewSessionOptions = {}): string | undefined {
    this.#finish();
    this.#store = this.#startStore(options);
    return this.#file;
  }

  /** Goes to another file. What `open` says of versions and damage holds here. */
  setSessionFile(path: string): void {
    const file = resolve(path);
    const { durability, readOnly } = this.#options;
    const opened = openLog(file, { access: readOnly ? "read" : "write", durability });
    const store = this.#newStore(opened.log, {});
    const unknown = store.index.header === undefined && opened.log.end > 0;
    if (unknown && store.tree.count === 0) {
      store.close();
      throw new SessionError("not-a-session", `${file} is not a session file`, {
        data: { path: file, problems: store.index.problems.length },
        hint: "A session file starts with a header line of type session.",
      });
    }
    this.#finish();
    this.#file = file;
    this.#store = store;
    this.#cwd = this.getCwd();
    this.#backup = opened.backup;
    this.#readOnly = opened.readOnly ?? (unknown ? { kind: "no-header" } : undefined);
    this.#settleLeaf();
  }

  /**
   * Makes a new session of the path to `leafId` and goes there: labels made anew, compaction anchors valid,
   * `parentSession` set. Returns its file, or undefined in memory. This session's file is left as it is.
   */
  createBranchedSession(leafId: EntryId): string | undefined {
    const leaf = this.#numberOf(leafId);
    const source = this.#store;
    this.recordPosition();
    const lines = pathLines(source, leaf, { now: this.#options.now, newId: this.#options.newId });
    return this.#copyInto(this.#file, lines);
  }

  buildSessionContext(): SessionContext {
    return buildContext(this.#store.pathSource(this.#leafId === null ? -1 : this.#numberOf(this.#leafId)));
  }

  /** Takes in what other processes wrote; the leaf stays. Returns the ids of their entries, oldest first. */
  refresh(): EntryId[] {
    this.#assertOpen();
    return this.#store.refresh();
  }

  /** Tells what other processes write, as they write it, until the signal fires or the returned function is called. */
  follow(listener: (event: FollowEvent) => void, options: FollowOptions = {}): () => void {
    return followSession(this, listener, options);
  }

  /** Says that this process has the session open. Others see it until `close`, or until this process ends. */
  announce(program: string, note?: string): Presence | undefined {
    if (this.#file === undefined) return undefined;
    this.#presence?.leave();
    const mode = this.#readOnly === undefined ? "write" : "read";
    const { now } = this.#options;
    this.#presence = announcePresence(this.#file, { program, mode, now, ...(note === undefined ? {} : { note }) });
    return this.#presence;
  }

  /** Who else has this session open. */
  getOthers(): readonly PresentRecord[] {
    if (this.#file === undefined) return [];
    if (this.#presence !== undefined) return this.#presence.others();
    return readPresence(this.#file, { now: this.#options.now }).present;
  }

  /** Everything appended so far is on the medium when this returns. Called at the end of a turn. */
  sync(): void {
    this.#assertOpen();
    this.#store.flush();
    this.#store.sync();
  }

  /** Records the position, writes what waits, and lets go of the file. Closing twice does nothing. */
  close(): void {
    if (this.#closed) return;
    try {
      this.#finish();
    } finally {
      this.#closed = true;
    }
  }

  #finish(): void {
    try {
      if (this.#readOnly === undefined) {
        this.recordPosition();
        this.#store.flush();
        this.#store.sync();
      }
    } finally {
      this.#presence?.leave();
      this.#presence = undefined;
      this.#store.close();
    }
  }

  #append(type: string, fields: object, role: Role = Role.none): EntryId {
    let kind = kindOfType(type);
    if (kind === Kind.custom && (fields as { customType?: unknown }).customType === POSITION_TYPE) kind = Kind.position;
    return this.#write(type, fields, { kind, role });
  }

  /** The one place that writes an entry. The leaf moves even where the disk fails: the entry is in the tree. */
  #write(type: string, fields: object, what: { readonly kind: Kind; readonly role: Role }): EntryId {
    this.#assertOpen();
    if (this.#readOnly !== undefined) {
      const { message, hint } = readOnlySentence(this.#readOnly);
      throw new SessionError("read-only", message, { hint, data: { reason: this.#readOnly.kind } });
    }
    const { tree } = this.#store;
    const id = this.#options.newId((candidate) => tree.ids.findText(candidate) >= 0);
    const place = { id, parentId: this.#leafId, timestamp: this.#options.now().toISOString() };
    const line = entryLine(type, place, fields);
    if (what.kind !== Kind.position) {
      this.#leafId = id;
      this.#moved = false;
    }
    this.#store.append({ id, parentId: place.parentId, line, ...what });
    return id;
  }

  #moveTo(id: EntryId | null): void {
    if (id === this.#leafId) return;
    this.#leafId = id;
    this.#moved = true;
  }

  #settleLeaf(): void {
    this.#leafId = this.#loadedLeafId();
    this.#moved = false;
  }

  #loadedLeafId(): EntryId | null {
    const { tree } = this.#store;
    return tree.loadedLeaf < 0 ? null : tree.ids.textOf(tree.loadedLeaf);
  }

  #entries(numbers: Int32Array | readonly number[]): SessionEntry[] {
    const entries: SessionEntry[] = [];
    for (let i = 0; i < numbers.length; i++) entries.push(this.#store.entryAt(numbers[i] as number));
    return entries;
  }

  #numberOf(id: EntryId): number {
    const n = this.#store.tree.ids.findText(id);
    if (n < 0) throw entryNotFound(id);
    return n;
  }

  #assertOpen(): void {
    if (this.#closed) throw new SessionError("closed", "This session is closed");
  }

  /** Fills a new session with lines made from another and goes there. */
  #copyInto(parentSession: string | undefined, lines: Iterable<Buffer>): string | undefined {
    const header = this.#newHeader(parentSession === undefined ? {} : { parentSession });
    if (this.#dir === undefined) {
      const log = new MemoryLog();
      log.fill(headerLine(header));
      for (const line of lines) log.fill(line);
      this.#finish();
      this.#store = new SessionStore(log, { header, ...this.#options });
      this.#settleLeaf();
      return undefined;
    }
    const file = this.#fileFor(header);
    writeSessionFile(file, header, lines);
    this.setSessionFile(file);
    return file;
  }

  /** An empty session: a log that does not exist yet, and its header. */
  #startStore(options: NewSessionOptions): SessionStore {
    this.#leafId = null;
    this.#moved = false;
    this.#readOnly = undefined;
    this.#backup = undefined;
    const header = this.#newHeader(options);
    if (this.#dir === undefined) return new SessionStore(new MemoryLog(), { header, ...this.#options });
    this.#file = this.#fileFor(header);
    const { log } = openLog(this.#file, { access: "write", durability: this.#options.durability });
    return new SessionStore(log, { header, ...this.#options });
  }

  #newStore(log: ConstructorParameters<typeof SessionStore>[0], options: NewSessionOptions): SessionStore {
    return new SessionStore(log, { header: this.#newHeader(options), ...this.#options });
  }

  #newHeader(options: NewSessionOptions): SessionHeader {
    return {
      type: "session",
      version: CURRENT_SESSION_VERSION,
      id: options.id ?? this.#options.newSessionId(),
      timestamp: this.#options.now().toISOString(),
      cwd: this.#cwd,
      ...(options.parentSession === undefined ? {} : { parentSession: options.parentSession }),
    };
  }

  #fileFor(header: SessionHeader): string {
    return join(this.#dir as string, sessionFileName(header.timestamp, header.id));
  }
}
