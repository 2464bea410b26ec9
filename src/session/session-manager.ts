/**
 * One session: a log, a tree over it, and a leaf. Synchronous.
 *
 * Appending adds a child to the leaf and makes it the leaf. Moving changes the leaf and nothing else: `branch` writes
 * nothing by itself, `recordPosition` and `close` write where the leaf is, so that it is the same after reopening
 * (keeps I3). This class knows files and places; asking and appending are in the two it extends, the work in the files
 * beside it.
 */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { CURRENT_SESSION_VERSION, type EntryId, SessionError, type SessionHeader } from "../entry/index.js";
import { announcePresence, MemoryLog, type Presence, type PresentRecord, readPresence } from "../log/index.js";
import { allLines, pathLines, writeSessionFile } from "./copy-entries.js";
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
import { openLog, type ReadOnlyReason } from "./open/open-log.js";
import { type FilledOptions, fillOptions, type SessionOptions } from "./session-options.js";
import { SessionStore } from "./session-store.js";
import { SessionWriter } from "./session-writer.js";
import { headerLine } from "./write/entry-line.js";

export interface NewSessionOptions {
  readonly id?: string;
  readonly parentSession?: string;
}

interface Place {
  readonly cwd: string;
  /** `undefined` in memory. */
  readonly dir: string | undefined;
  readonly options: FilledOptions;
}

/** A session that was read from a file. */
interface FoundSession {
  readonly file: string;
  readonly store: SessionStore;
  readonly readOnly: ReadOnlyReason | undefined;
  readonly backup: string | undefined;
}

export class SessionManager extends SessionWriter {
  protected override store: SessionStore;
  #presence: Presence | undefined;

  /** With `file` the session that is in it, otherwise a new one. */
  private constructor(place: Place, file?: string) {
    super(place.cwd, place.dir, place.options);
    this.store = file === undefined ? this.#startStore({}) : this.#goTo(this.#read(file));
  }

  /** A new session. Its file appears with the first entry. */
  static create(cwd: string, dir?: string, options?: SessionOptions): SessionManager {
    const place = resolve(cwd);
    return new SessionManager({ cwd: place, dir: dir ?? sessionFolder(place), options: fillOptions(options) });
  }

  /**
   * The session in a file; a new one if file not found yet. An old version is upgraded first and the original
   * kept; a version from the future and a file without a readable header are opened for reading only: see
   * `getReadOnlyReason`.
   */
  static open(path: string, dir?: string, options?: SessionOptions): SessionManager {
    const file = resolve(path);
    const place = { cwd: process.cwd(), dir: dir ?? resolve(file, ".."), options: fillOptions(options) };
    return new SessionManager(place, file);
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
      session.#copyInto(source, allLines(original.store));
      session.leafId = original.leafId;
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

  /** Starts another session in the same place and goes there. Returns its file, or undefined in memory. */
  newSession(options: NewSessionOptions = {}): string | undefined {
    this.assertOpen();
    this.#finish();
    this.store = this.#startStore(options);
    return this.file;
  }

  /** Goes to another file. What `open` says of versions and damage holds here. */
  setSessionFile(path: string): void {
    this.assertOpen();
    const found = this.#read(resolve(path));
    this.#finish();
    this.#goTo(found);
  }

  /**
   * Opens the same file for writing if it was opened for reading on request, and stays at the same leaf. Throws what
   * `setSessionFile` throws, and is then as it was. A file that can only be read stays read-only: `getReadOnlyReason`.
   */
  reopenForWriting(): void {
    this.assertOpen();
    if (this.file === undefined || this.readOnly?.kind !== "asked") return;
    const { leafId, options } = this;
    this.options = { ...options, readOnly: false };
    try {
      this.setSessionFile(this.file);
    } catch (error) {
      this.options = options;
      throw error;
    }
    if (leafId === null) this.resetLeaf();
    else this.branch(leafId);
  }

  /**
   * Makes a new session of the path to `leafId` and goes there: labels made anew, compaction anchors valid,
   * `parentSession` set. Returns its file, or undefined in memory. This session's file is left as it is.
   */
  createBranchedSession(leafId: EntryId): string | undefined {
    this.assertOpen();
    const leaf = this.numberOf(leafId);
    const source = this.store;
    this.#recordOwnPosition();
    const lines = pathLines(source, leaf, { now: this.options.now, newId: this.options.newId });
    return this.#copyInto(this.file, lines);
  }

  /** Takes in what other processes wrote; the leaf stays. Returns the ids of their entries, oldest first. */
  refresh(): EntryId[] {
    this.assertOpen();
    const news = this.store.refresh();
    if (news.length > 0) this.holdsPosition = true;
    if (this.leafId !== null) this.leafId = this.store.survivorOf(this.leafId);
    return news;
  }

  /** Tells what other processes write, as they write it, until the signal fires or the returned function is called. */
  follow(listener: (event: FollowEvent) => void, options: FollowOptions = {}): () => void {
    return followSession(this, listener, options);
  }

  /** Says that this process has the session open. Others see it until `close`, or until this process ends. */
  announce(program: string, note?: string): Presence | undefined {
    if (this.file === undefined) return undefined;
    this.#presence?.leave();
    const mode = this.readOnly === undefined ? "write" : "read";
    const { now } = this.options;
    this.#presence = announcePresence(this.file, { program, mode, now, ...(note === undefined ? {} : { note }) });
    return this.#presence;
  }

  /** Who else has this session open. */
  getOthers(): readonly PresentRecord[] {
    if (this.file === undefined) return [];
    if (this.#presence !== undefined) return this.#presence.others();
    return readPresence(this.file, { now: this.options.now }).present;
  }

  /** Everything appended so far is on the medium when this returns. Holds up the event loop; `flush` does not. */
  sync(): void {
    this.assertOpen();
    this.store.flush();
    this.store.sync();
  }

  /**
   * Answers when everything appended so far is on the medium, and lets other work go on meanwhile; with durability
   * `none` it writes what waits and does not ask the disk. Called at the end of a turn. Rejects with a SessionError.
   * Without `await` a failure is thrown by the next append, `flush`, `sync` or `close` instead.
   */
  flush(): Promise<void> {
    // Closing has seen to it.
    return this.closed ? Promise.resolve() : this.store.flushInBackground();
  }

  /** Records the position, writes what waits, and lets go of the file. Closing twice does nothing. */
  close(): void {
    if (this.closed) return;
    try {
      this.#finish();
    } finally {
      this.closed = true;
    }
  }

  /** What is in a file, while this session is still where it was. */
  #read(file: string): FoundSession {
    const { durability, readOnly } = this.options;
    const opened = openLog(file, { access: readOnly ? "read" : "write", durability });
    const store = new SessionStore(opened.log, { header: this.#newHeader({}), ...this.options });
    const unknown = store.index.header === undefined && opened.log.end > 0;
    if (unknown && store.tree.count === 0) {
      store.close();
      throw new SessionError("not-a-session", `${file} is not a session file`, {
        data: { path: file, problems: store.index.problems.length },
        hint: "A session file starts with a header line of type session.",
      });
    }
    const reason = opened.readOnly ?? (unknown ? ({ kind: "no-header" } as const) : undefined);
    return { file, store, readOnly: reason, backup: opened.backup };
  }

  #goTo({ file, store, readOnly, backup }: FoundSession): SessionStore {
    this.file = file;
    this.store = store;
    this.cwd = this.getCwd();
    this.backup = backup;
    this.readOnly = readOnly;
    this.settleLeaf();
    return store;
  }

  #finish(): void {
    try {
      if (this.readOnly === undefined) {
        this.#recordOwnPosition();
        this.store.flush();
        if (this.options.durability !== "none") this.store.sync();
      }
    } finally {
      this.#presence?.leave();
      this.#presence = undefined;
      this.store.close();
    }
  }

  #recordOwnPosition(): void {
    if (this.holdsPosition) this.recordPosition();
  }

  /** Fills a new session with lines made from another and goes there. */
  #copyInto(parentSession: string | undefined, lines: Iterable<Buffer>): string | undefined {
    const header = this.#newHeader(parentSession === undefined ? {} : { parentSession });
    if (this.dir === undefined) {
      const log = new MemoryLog();
      log.fill(Buffer.from(`${headerLine(header)}\n`));
      for (const line of lines) log.fill(line);
      this.#finish();
      this.#leaveFile();
      this.store = new SessionStore(log, { header, ...this.options });
      this.settleLeaf();
      return undefined;
    }
    const file = this.#fileFor(header);
    writeSessionFile(file, header, lines);
    this.setSessionFile(file);
    return file;
  }

  /** An empty session: a log that does not exist yet, and its header. */
  #startStore(options: NewSessionOptions): SessionStore {
    this.leafId = null;
    this.holdsPosition = false;
    this.#leaveFile();
    const header = this.#newHeader(options);
    if (this.dir === undefined) return new SessionStore(new MemoryLog(), { header, ...this.options });
    this.file = this.#fileFor(header);
    const { log } = openLog(this.file, { access: "write", durability: this.options.durability });
    return new SessionStore(log, { header, ...this.options });
  }

  /** What was known of the last file holds no longer. */
  #leaveFile(): void {
    this.file = undefined;
    this.readOnly = undefined;
    this.backup = undefined;
  }

  #newHeader(options: NewSessionOptions): SessionHeader {
    return {
      type: "session",
      version: CURRENT_SESSION_VERSION,
      id: options.id ?? this.options.newSessionId(),
      timestamp: this.options.now().toISOString(),
      cwd: this.cwd,
      ...(options.parentSession === undefined ? {} : { parentSession: options.parentSession }),
    };
  }

  #fileFor(header: SessionHeader): string {
    return join(this.dir as string, sessionFileName(header.timestamp, header.id));
  }
}
