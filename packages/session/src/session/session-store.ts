/**
 * One session's log and index, kept in sync: appends, reads on demand, reads what others wrote, and holds entries that
 * could not be written until they can be (keeps I1, I2, I5, I7).
 *
 * How it works. Opening scans the log in chunks and examines only the first bytes of each line, where Bough writes
 * type, ID, parent and time; the index is typed arrays, so an entry costs neither a string nor an object, and lines
 * that make no sense become problems (I6). Appending gives the entry an ID and the leaf as its parent, writes one line
 * with one call, and adds it to the index; if the write fails, the entry waits in memory. Reading walks parents as
 * numbers and parses only the requested entries, neighbors with one read; they stay in memory, frozen, within a budget
 * for the process. Refreshing checks whether the file is the same one and only longer, and scans what was added; a file
 * that shrank or was replaced is scanned again and the loss is reported. None of this moves your own leaf.
 */
import { type PathSource, type SessionContext, treePathSource } from "../context/index.js";
import { type EntryId, Kind, type Role, type SessionEntry, SessionError, type SessionHeader } from "../entry/index.js";
import { freezeDeep, withParent } from "../entry/internal.js";
import { type Durability, FileLog, type Log, type LogState } from "../log/index.js";
import { defined } from "../text/index.js";
import { Labels, type ResolvedLabel, type TreeIndex } from "../tree/index.js";
import { entryIn, unreadableEntry } from "./entry-reader.js";
import { EntryMemory } from "./memory/entry-memory.js";
import { readEntries } from "./memory/read-runs.js";
import { RecentLines } from "./memory/recent-lines.js";
import { knownLines, rejoinFile, survivorOf } from "./open/rejoin-file.js";
import { lostBytes } from "./scan/index-reports.js";
import { idAndParentIn } from "./scan/recover-line.js";
import { SessionIndex } from "./scan/session-index.js";
import { sessionName } from "./session-name.js";
import { headerLine } from "./write/entry-line.js";
import { UnheardFailure } from "./write/unheard-failure.js";

const RECENT_BYTES = 8 << 20;
const NOTHING = Buffer.alloc(0);

interface StoreOptions {
  /** The header to write if the log has none yet. */
  readonly header: SessionHeader;
  readonly durability?: Durability;
  readonly cacheBytes?: number;
  readonly now: () => Date;
  /** The index of the log, if it has been read already. */
  readonly index?: SessionIndex;
}

/** An entry to append. */
interface NewLine {
  readonly id: EntryId;
  readonly parentId: EntryId | null;
  readonly kind: Kind;
  readonly role: Role;
  /** Without its newline. */
  readonly line: string;
}

/** An entry that could not be written (keeps I7). */
interface WaitingLine extends Omit<NewLine, "line"> {
  /** With its newline. */
  readonly line: Buffer;
}

export class SessionStore {
  #log: Log;
  #index: SessionIndex;
  #labels = new Labels();
  readonly #options: StoreOptions;
  readonly #memory: EntryMemory;
  readonly #recent = new RecentLines(RECENT_BYTES);
  /** Entries that are in memory but not in the log: the next append writes them first. */
  #waiting: WaitingLine[] = [];
  /** IDs of others' entries that have not been reported yet. */
  #news: EntryId[] = [];
  readonly #unheard = new UnheardFailure();

  /** Reads the log. */
  constructor(log: Log, options: StoreOptions) {
    this.#log = log;
    this.#options = options;
    this.#memory = new EntryMemory({ most: options.cacheBytes });
    this.#index = options.index ?? new SessionIndex(log);
    if (options.index === undefined) this.#index.load();
    this.#dropUnreadableLeaf();
  }

  get log(): Log {
    return this.#log;
  }

  get tree(): TreeIndex {
    return this.#index.tree;
  }

  get index(): SessionIndex {
    return this.#index;
  }

  /** The header of the log, or the one it will get with its first entry. */
  get header(): SessionHeader {
    return this.#index.header ?? this.#options.header;
  }

  /** The number of entries waiting to be written. */
  get waiting(): number {
    return this.#waiting.length;
  }

  get waitingLines(): readonly WaitingLine[] {
    return this.#waiting;
  }

  /**
   * Appends one entry, which is part of the tree from then on, no matter what happens. Throws if it could not be
   * written: then it waits in memory, and the next append, `flush` or `close` writes it first.
   */
  append(entry: NewLine): number {
    if (!this.#log.writable) throw new SessionError("read-only", "This session was opened read-only");
    const { id, kind, role } = entry;
    let { parentId } = entry;
    let line = this.#recent.keep(entry.line);
    try {
      this.#unheard.throwPending();
      if (this.#waiting.length > 0) this.flush();
      this.#makeReady(this.#log.prepareToWrite());
      if (this.#former !== undefined && parentId !== null && this.tree.ids.findText(parentId) < 0) {
        parentId = this.survivorOf(parentId);
        line = this.#recent.keep(withParent(entry.line, parentId));
      }
      this.tree.add(id, parentId, { kind, role, offset: this.#write(line), length: line.length - 1 });
      return this.tree.count - 1;
    } catch (error) {
      const waiting = { id, parentId, kind, role, line: Buffer.from(line) };
      this.#addWaiting(waiting);
      this.#waiting.push(waiting);
      throw withWaiting(error, id, this.#waiting.length);
    }
  }

  /** Writes the waiting entries. Throws like `append` as long as that fails. */
  flush(): void {
    while (this.#waiting.length > 0) {
      this.#makeReady();
      const entry = this.#waiting[0] as WaitingLine;
      const n = this.tree.ids.findText(entry.id);
      // A write can fail after its bytes are in the file: then a scan has found them, and the line is not written
      // twice.
      if (this.tree.offsetOf(n) < 0) this.tree.relocate(n, this.#write(entry.line), entry.line.length - 1);
      this.#waiting.shift();
    }
  }

  /** Reads what others wrote. Returns the IDs of their entries since the last call, oldest first. */
  refresh(): EntryId[] {
    if (this.#log.writable) this.#makeReady();
    else this.#refreshReadOnly();
    const news = this.#news;
    this.#news = [];
    return news;
  }

  /** Reads what was added to the file. A file that is gone or was replaced is left for the next append to notice. */
  readGrowth(): void {
    if (this.#hasGrown()) this.#catchUp();
  }

  entryAt(n: number): SessionEntry {
    const cached = this.#memory.get(n, this.tree.lengthOf(n));
    if (cached !== undefined) return cached;
    const id = this.tree.ids.textOf(n);
    const parent = this.tree.parentOf(n);
    if (this.tree.kindOf(n) === Kind.unreadable)
      return unreadableEntry(id, parent < 0 ? null : this.tree.ids.textOf(parent));
    let bytes = this.#bytesOf(n, id);
    let entry = entryIn(bytes, id);
    if (entry === undefined && this.tree.offsetOf(n) >= this.#log.certain && this.#hasGrown()) {
      // Another process wrote between our check of the file and our write: find out where our line really is.
      this.#catchUp();
      bytes = this.#bytesOf(n, id);
      entry = entryIn(bytes, id);
    }
    // The file was truncated: lines that this process wrote are still known.
    if (entry === undefined) entry = entryIn(this.#recent.find(id) ?? NOTHING, id);
    if (entry === undefined) {
      this.#index.recover(n, Buffer.from(bytes));
      return this.entryAt(n);
    }
    this.#memory.set(n, freezeDeep(entry), bytes.length);
    return entry;
  }

  /** Like `entryAt`, for many entries: neighbors in the log are read together. */
  entriesAt(numbers: ArrayLike<number>): SessionEntry[] {
    return readEntries(
      {
        log: this.#log,
        tree: this.tree,
        held: (n) => this.#memory.get(n, this.tree.lengthOf(n)),
        keep: (n, entry, bytes) => this.#memory.set(n, entry, bytes),
        entryAt: (n) => this.entryAt(n),
      },
      numbers,
    );
  }

  /** What the model sees at `leaf`. Frozen, because the next result reuses it. */
  contextAt(leaf: number): SessionContext {
    return this.#memory.context(this.pathSource(leaf), this.tree);
  }

  /** Like `contextAt`, built in slices: `rest` is awaited in between. */
  contextInSlices(leaf: number, rest: () => Promise<void> | undefined): Promise<SessionContext> {
    return this.#memory.contextInSlices(this.pathSource(leaf), this.tree, rest);
  }

  /** The line of an entry as it is in the log, without its newline. Valid until the next read. */
  rawAt(n: number): Buffer {
    return this.#bytesOf(n, this.tree.ids.textOf(n));
  }

  labels(): ReadonlyMap<string, ResolvedLabel> {
    return this.#labels.resolve(this.tree, (n) => this.entryAt(n));
  }

  /** The latest name, from the session or oh-my-pi's title. */
  name(): string | undefined {
    const { nameEntries } = this.tree;
    return sessionName({ nameEntries, title: this.index.title, header: this.header, entryAt: (n) => this.entryAt(n) });
  }

  /** The source for building a context, as seen from `leaf`. */
  pathSource(leaf: number): PathSource {
    const { tree } = this;
    return {
      ...treePathSource(tree, leaf, (n) => this.entryAt(n)),
      entriesAt: (numbers) => this.entriesAt(numbers),
      lengthOf: (n) => tree.lengthOf(n),
    };
  }

  sync(): void {
    this.#log.sync();
    this.#unheard.throwPending();
  }

  /**
   * Writes waiting entries, then syncs them to the medium without blocking the event loop. Rejects if that fails; if
   * the promise is not handled, the next append, flush or sync throws instead.
   */
  flushInBackground(): Promise<void> {
    return this.#unheard.watch(async () => {
      this.flush();
      if (this.#options.durability !== "none") await this.#log.syncInBackground();
      this.#unheard.throwPending();
    });
  }

  /** Releases the file and everything in memory except the index. */
  close(): void {
    this.#log.close();
    this.#memory.clear();
    this.#recent.clear();
  }

  #bytesOf(n: number, id: EntryId): Buffer {
    if (this.tree.offsetOf(n) < 0) {
      const waiting = this.#waiting.find((entry) => entry.id === id);
      if (waiting !== undefined) return waiting.line.subarray(0, -1);
    }
    return this.#log.readAt(this.tree.offsetOf(n), this.tree.lengthOf(n));
  }

  /** Writes a line; the first one together with the header, so that an existing file always has both. */
  #write(line: Buffer): number {
    if (this.#index.header !== undefined) return this.#log.write(line);
    const header = Buffer.from(`${headerLine(this.header)}\n`);
    const offset = this.#log.write(Buffer.concat([header, line]));
    this.#index.wroteHeader(this.header, offset);
    return offset + header.length;
  }

  #addWaiting(entry: WaitingLine): void {
    const { kind, role } = entry;
    this.tree.add(entry.id, entry.parentId, { kind, role, offset: -1, length: entry.line.length - 1 });
  }

  /** Reads new lines. Our own are known already, so new entries come from another process. */
  #catchUp(): void {
    const before = this.tree.count;
    this.#index.catchUp();
    for (let n = before; n < this.tree.count; n++) this.#news.push(this.tree.ids.textOf(n));
  }

  #makeReady(state: LogState = this.#log.prepare()): void {
    const log = this.#log;
    if (state === "ready") return;
    if (state === "grown" && isSameLog(log, this.#index)) {
      this.#catchUp();
      return;
    }
    const file = asFileLog(log);
    if (state !== "vanished" || file.size() < file.end || !file.restore()) this.#rejoin(file);
    else this.#makeReady();
  }

  #hasGrown(): boolean {
    return this.#log.prepare() === "grown" && isSameLog(this.#log, this.#index);
  }

  #refreshReadOnly(): void {
    const state = this.#log.prepare();
    if (state === "grown") this.#catchUp();
    if (state !== "replaced" && state !== "shrunk") return;
    const old = asFileLog(this.#log);
    this.#swap(new FileLog(old.path, { access: "read" }));
    old.close();
  }

  #rejoin(old: FileLog): void {
    const { durability } = this.#options;
    const { log, lost } = rejoinFile({
      path: old.path,
      header: this.header,
      known: knownLines({ tree: this.tree, recent: this.#recent, old }),
      now: this.#options.now,
      ...(durability === undefined ? {} : { durability }),
    });
    old.close();
    this.#swap(log);
    for (const id of lost) this.#index.report(lostBytes(id));
  }

  /** Continues with another log. Entry numbers change: callers that hold one must look it up again by ID. */
  #swap(log: Log): void {
    const known = this.tree.ids;
    this.#former = this.tree;
    this.#log = log;
    this.#index = new SessionIndex(log);
    this.#index.load();
    this.#memory.clear();
    this.#labels = new Labels();
    for (const entry of this.#waiting) this.#addWaiting(entry);
    for (let n = 0; n < this.tree.count; n++) {
      const id = this.tree.ids.textOf(n);
      if (known.findText(id) < 0) this.#news.push(id);
    }
  }

  /** The tree before the last swap. */
  #former: TreeIndex | undefined;

  /** The entry itself, or if it was lost with a part of the file, its nearest ancestor that is left. */
  survivorOf(id: EntryId): EntryId | null {
    return this.#former === undefined ? id : survivorOf(id, this.#former, this.tree);
  }

  /**
   * An unreadable leaf is not a place to continue from, so this checks it at the cost of parsing one line. Damage often
   * comes in runs, so the whole run is checked before the leaf is determined again.
   */
  #dropUnreadableLeaf(): void {
    for (let leaf = this.tree.loadedLeaf; leaf >= 0 && !this.#canRead(leaf); leaf = this.tree.loadedLeaf) {
      for (let n = leaf - 1; n >= 0 && !this.#canRead(n); ) n -= 1;
    }
  }

  #canRead(n: number): boolean {
    this.entryAt(n);
    return this.tree.kindOf(n) !== Kind.unreadable;
  }
}

/** Only a file can be restored or rejoined after its bytes are gone (keeps I7). */
function asFileLog(log: Log): FileLog {
  if (log instanceof FileLog) return log;
  throw new SessionError("log-changed", "The log of this session no longer holds what was written to it", {
    hint: "Save toLines() if you still need them, and check what changed the log: it must only grow.",
  });
}

/** Whether a log still holds what was indexed: the last entry of its certain part is where it was. */
function isSameLog(log: Log, index: SessionIndex): boolean {
  const { tree } = index;
  for (let n = tree.count - 1; n >= 0; n--) {
    const offset = tree.offsetOf(n);
    if (offset < 0 || offset >= log.certain || tree.kindOf(n) === Kind.unreadable) continue;
    const bytes = log.readAt(offset, tree.lengthOf(n));
    return index.isReadable(n) || idAndParentIn(bytes)?.id === tree.ids.textOf(n);
  }
  return true;
}

/** Adds to an error the entry that could not be written and the number of waiting entries. */
function withWaiting(error: unknown, entryId: EntryId, waiting: number): unknown {
  if (!(error instanceof SessionError)) return error;
  const { code, message, data, hint, cause } = error;
  return new SessionError(code, message, {
    data: { ...data, entryId, waiting },
    ...defined({ hint, cause }),
  });
}
