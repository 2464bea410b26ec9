/**
 * One session: a log, a tree over it, and a leaf. Synchronous.
 *
 * Appending adds a child to the leaf and makes it the leaf. Moving changes the leaf and nothing else: `branch` writes
 * nothing on its own, `recordPosition` and `close` write where the leaf is, so that it is the same after reopening
 * (keeps I3). This class knows files and places; asking and appending are in the two it extends, the work in the files
 * next to it.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type EntryId, SessionError, type SessionHeader } from "../entry/index.js";
import {
  announcePresence,
  type Log,
  MemoryLog,
  type Presence,
  type PresentRecord,
  readPresence,
} from "../log/index.js";
import { allLines, pathLines } from "./copy-entries.js";
import { copyOrigins } from "./entry-origins.js";
import { type FollowEvent, type FollowOptions, followSession } from "./follow-session.js";
import {
  type ListOptions,
  listAllSessions,
  listSessions,
  type OnListProgress,
  type SessionInfo,
} from "./list-sessions.js";
import { sessionFolder } from "./locations.js";
import { findMostRecentSession } from "./most-recent.js";
import { logOfLines } from "./open/log-lines.js";
import {
  copiedSession,
  copiedSessionInSlices,
  emptySession,
  inMemoryLog,
  leaveAtOnce,
  type NewSessionOptions,
  newHeader,
  placeBeside,
  type SessionPlace,
} from "./open/new-session.js";
import { type OpenedLog, openGivenLog } from "./open/open-log.js";
import { emptyLog, type FoundSession, readSession, readSessionInSlices } from "./open/read-session.js";
import { fillOptions, type SessionOptions } from "./session-options.js";
import { SessionStore } from "./session-store.js";
import { SessionWriter } from "./session-writer.js";

export type { NewSessionOptions } from "./open/new-session.js";

type Place = Omit<SessionPlace, "newLog"> & Partial<Pick<SessionPlace, "newLog">>;

/** One session: a log, a tree over it, and a leaf that appends and moves. Close it when you are done. */
export class SessionManager extends SessionWriter {
  protected override store: SessionStore;
  readonly #newLog: () => Log;
  #presence: Presence | undefined;

  /** With a file or a log the session that is in it, otherwise a new one, or the one that was found. */
  private constructor(place: Place, source?: string | OpenedLog | FoundSession) {
    super(place.cwd, place.dir, place.options);
    this.#newLog = place.newLog ?? inMemoryLog;
    this.store = this.#goTo(source === undefined ? this.#start({}) : this.#found(source));
  }

  /** A new session. Its file appears with the first entry. */
  static create(cwd: string, dir?: string, options?: SessionOptions): SessionManager {
    const place = resolve(cwd);
    return new SessionManager({ cwd: place, dir: dir ?? sessionFolder(place), options: fillOptions(options) });
  }

  /**
   * The session in a file; a new one if the file does not exist yet. An old version is upgraded first and the original
   * kept; a version from the future and a file without a readable header are opened for reading only: see
   * `getReadOnlyReason`.
   */
  static open(path: string, dir?: string, options?: SessionOptions): SessionManager {
    const file = resolve(path);
    return new SessionManager(placeBeside(file, dir, options), file);
  }

  /** The same, read in slices that let others run. */
  static async openInSlices(path: string, dir?: string, options?: SessionOptions): Promise<SessionManager> {
    const file = resolve(path);
    const place = placeBeside(file, dir, options);
    return new SessionManager(place, await readSessionInSlices(file, newHeader(place), place.options));
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

  /**
   * A session in memory from its JSONL: a whole text, or lines with or without their newlines. Versions, damage and
   * `getReadOnlyReason` are as for a file with the same bytes; an old version is upgraded in memory. Nothing is saved:
   * `toLines` gives the lines back, with what was appended.
   */
  static fromLines(
    lines: string | Uint8Array | Iterable<string | Uint8Array>,
    options?: SessionOptions,
  ): SessionManager {
    const { readOnly } = fillOptions(options);
    const opened = openGivenLog(logOfLines(lines, readOnly ? "read" : "write"), { readOnly, upgrade: "write" });
    return new SessionManager({ cwd: process.cwd(), dir: undefined, options: fillOptions(options) }, opened);
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
    const { cwd = process.cwd(), newLog, ...rest } = options;
    const filled = fillOptions(rest);
    const opened = openGivenLog(log, { readOnly: filled.readOnly, upgrade: "read" });
    const place = { cwd: resolve(cwd), dir: undefined, options: filled, newLog: () => emptyLog(newLog) };
    return new SessionManager(place, opened);
  }

  /** A copy of a whole session, for another working directory; the source is only read. */
  static forkFrom(path: string, targetCwd: string, dir?: string, options?: SessionOptions): SessionManager {
    const source = resolve(path);
    if (!existsSync(source))
      throw new SessionError("session-not-found", `No session at ${source}`, { data: { path: source } });
    const session = SessionManager.create(targetCwd, dir, options);
    const original = SessionManager.open(source, undefined, { ...options, readOnly: true });
    try {
      const header = newHeader(session.#place, { parentSession: source });
      copyOrigins(original.getSessionId(), header.id);
      session.#leaveFor(copiedSession(session.#place, header, allLines(original.store)));
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
    this.#leaveFor(this.#start(options));
    return this.file;
  }

  /** Goes to another file. What `open` says of versions and damage holds here. */
  setSessionFile(path: string): void {
    this.assertOpen();
    this.#leaveFor(this.#found(resolve(path)));
  }

  /** The same, read in slices that let others run. `leave` is called once it is read, and calls `go` to go there. */
  async setSessionFileInSlices(path: string, leave = leaveAtOnce): Promise<void> {
    this.assertOpen();
    await this.#leaveForLater(readSessionInSlices(resolve(path), newHeader(this.#place), this.options), leave);
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
   * The same session once more, at the same leaf: each of the two appends and moves by itself, and `refresh` takes in
   * what the other wrote. Both must be closed. A session on a log of your own throws `no-new-log`.
   */
  openAgain(): SessionManager {
    this.assertOpen();
    const { options, leafId, file } = this;
    this.store.flush();
    const again = new SessionManager(this.#place, file ?? { log: this.#logAgain(), readOnly: this.readOnly });
    if (file === undefined) again.store = new SessionStore(again.store.log, { ...options, header: this.store.header });
    if (leafId === null) again.resetLeaf();
    else again.branch(leafId);
    return again;
  }

  /**
   * Makes a new session of the path to `leafId` and goes there: labels rebuilt, compaction anchors valid,
   * `parentSession` set. Returns its file, or undefined in memory. This session's file is left as it is.
   */
  createBranchedSession(leafId: EntryId): string | undefined {
    this.#leaveFor(copiedSession(this.#place, ...this.#branched(leafId)));
    return this.file;
  }

  /** The same in slices that let others run. `leave` is called once it is written, and calls `go` to go there. */
  async createBranchedSessionInSlices(leafId: EntryId, leave = leaveAtOnce): Promise<string | undefined> {
    await this.#leaveForLater(copiedSessionInSlices(this.#place, ...this.#branched(leafId)), leave);
    return this.file;
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

  /** Records the position, writes what waits, and lets go of the file. Closing twice does nothing. */
  close(): void {
    if (this.closed) return;
    try {
      this.#finish();
    } finally {
      this.closed = true;
      this.attachments.left("closed");
    }
  }

  #logAgain(): Log {
    const { log } = this.store;
    if (log instanceof MemoryLog) return log.another();
    throw new SessionError("no-new-log", "This log cannot be opened a second time");
  }

  /** For `using`. */
  [Symbol.dispose](): void {
    this.close();
  }

  /** What is in a file or a log, while this session is still where it was. */
  #found(source: string | OpenedLog | FoundSession): FoundSession {
    if (typeof source === "object" && "store" in source) return source;
    return readSession(source, newHeader(this.#place), this.options);
  }

  #start(options: NewSessionOptions): FoundSession {
    return emptySession(this.#place, newHeader(this.#place, options));
  }

  /** The header and the lines of a session made from the path to an entry. */
  #branched(leafId: EntryId): [SessionHeader, Iterable<Buffer>] {
    this.assertOpen();
    const leaf = this.numberOf(leafId);
    this.#recordOwnPosition();
    const header = newHeader(this.#place, this.file === undefined ? {} : { parentSession: this.file });
    // Before the copy: a kill in between leaves a note about lines that are not there.
    if (this.file !== undefined) copyOrigins(this.getSessionId(), header.id);
    return [header, pathLines(this.store, leaf, { now: this.options.now, newId: this.options.newId })];
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

  #leaveFor(found: FoundSession): void {
    this.#finish();
    this.attachments.left("elsewhere");
    this.#goTo(found);
  }

  /** Throws `closed`, and leaves nothing open, where this session was closed meanwhile. */
  async #leaveForLater(finding: Promise<FoundSession>, leave: typeof leaveAtOnce): Promise<void> {
    const found = await finding;
    await leave(() => {
      if (this.closed) found.store.close();
      this.assertOpen();
      this.#leaveFor(found);
    });
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

  get #place(): SessionPlace {
    const { cwd, dir, options } = this;
    return { cwd, dir, options, newLog: this.#newLog };
  }
}
