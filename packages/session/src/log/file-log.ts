/** A log in a file: an append-mode descriptor, one write per line, and a check of the path before each (I1, I5, I7). */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
  fdatasyncSync,
  fstatSync,
  linkSync,
  openSync,
  readSync,
  rmSync,
  type Stats,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { SessionError } from "../entry/index.js";
import { closeWhenSynced, syncInBackground } from "./background-sync.js";
import type { Log, LogState } from "./log.js";
import { makeFolder } from "./make-folder.js";
import { ReadWindow } from "./read-window.js";
import { type LineVisitor, type ScanEnd, scanLines } from "./scan-lines.js";
import { statsOf } from "./stats-of.js";
import { isDiskFull, openFailure, writeError } from "./write-error.js";
import { takeFreeName, temporaryName } from "./write-whole.js";

/**
 * During a burst of appends, the path is not checked again within this time. Whatever happens to it then could as well
 * have happened right after the check, and the next check notices it; nothing is lost, because our descriptor still has
 * the file.
 */
const LOOK_AGAIN_MS = 0.025;
const NEWLINE = 0x0a;
const NOTHING = Buffer.alloc(0);

/** When written lines are synced to disk: after every line, when the caller says so, or never. */
export type Durability = "none" | "turn" | "fsync";

interface FileLogOptions {
  readonly access: "read" | "write";
  /** `fsync`: every line is on the medium before `write` returns. Otherwise the caller decides with `sync`. */
  readonly durability?: Durability;
}

export class FileLog implements Log {
  readonly path: string;
  readonly writable: boolean;
  readonly #fsync: boolean;
  /** -1 until the file exists. */
  #fd = -1;
  #device = -1;
  #inode = -1;
  #certain = 0;
  #end = 0;
  /** The log ends without a newline: the next write starts a new line. */
  #tailOpen = false;
  /** Something was written after bytes that were never scanned. */
  #unscanned = false;
  /** The number of writes, and of those on the medium. */
  #written = 0;
  #synced = 0;
  #syncing: { readonly upTo: number; readonly done: Promise<void> } | undefined;
  /** When the path was last checked and in order; milliseconds of the process's own clock. */
  #lookedAt = Number.NEGATIVE_INFINITY;
  readonly #window = new ReadWindow();

  /** Opens the file if it exists; otherwise the first write creates it. */
  constructor(path: string, options: FileLogOptions) {
    this.path = path;
    this.writable = options.access === "write";
    this.#fsync = options.durability === "fsync";
    if (existsSync(path)) this.#open(0);
    else if (!this.writable) throw new SessionError("session-not-found", `No session at ${path}`, { data: { path } });
  }

  get certain(): number {
    return this.#certain;
  }

  get end(): number {
    return this.#end;
  }

  size(): number {
    return this.#fd < 0 ? 0 : fstatSync(this.#fd).size;
  }

  prepareToWrite(): LogState {
    const recently = performance.now() - this.#lookedAt < LOOK_AGAIN_MS;
    return recently && this.#fd >= 0 && !this.#unscanned && !this.#tailOpen ? "ready" : this.prepare();
  }

  prepare(): LogState {
    let stats: Stats | undefined;
    try {
      stats = statsOf(this.path);
    } catch (cause) {
      throw writeError(this.path, cause);
    }
    if (this.#fd < 0) {
      if (stats === undefined) return "ready";
      this.#open(0);
      return "grown";
    }
    if (stats === undefined) return "vanished";
    if (stats.ino !== this.#inode || stats.dev !== this.#device) return "replaced";
    if (stats.size < this.#end) return "shrunk";
    if (stats.size > this.#end || this.#unscanned) return "grown";
    if (!this.#tailOpen) this.#certain = this.#end;
    this.#lookedAt = performance.now();
    return "ready";
  }

  write(line: Uint8Array): number {
    if (!this.writable) throw new SessionError("read-only", `${this.path} was opened read-only`);
    if (this.#fd < 0) {
      if (this.#createWith(line)) return 0;
      this.#open(constants.O_CREAT);
    }
    const torn = this.#tailOpen && !this.#hasGotNewline();
    const bytes = torn ? Buffer.concat([Buffer.from("\n"), line]) : line;
    let written: number;
    try {
      written = writeSync(this.#fd, bytes, 0, bytes.length);
    } catch (cause) {
      throw writeError(this.path, cause);
    }
    if (written < bytes.length) {
      // A part of the line is in the file. It stays as a torn line; the next write starts a new one.
      this.#end += written;
      this.#tailOpen = true;
      this.#unscanned = true;
      throw writeError(this.path, Object.assign(new Error("short write"), { code: "ENOSPC" }));
    }
    const offset = this.#end + (bytes.length - line.length);
    this.#end += bytes.length;
    if (this.#tailOpen) {
      this.#tailOpen = false;
      this.#unscanned = true;
    }
    this.#written += 1;
    if (this.#fsync) this.#syncWritten();
    return offset;
  }

  scan(from: number, visit: LineVisitor): ScanEnd {
    if (this.#fd < 0) return { certain: 0, end: 0 };
    try {
      return scanLines((buffer, at, length, offset) => readSync(this.#fd, buffer, at, length, offset), from, visit);
    } catch (cause) {
      if (cause instanceof SessionError) throw cause;
      throw new SessionError("read-failed", `Could not read ${this.path}`, { data: { path: this.path }, cause });
    }
  }

  accept(end: ScanEnd): void {
    this.#certain = end.certain;
    this.#end = end.end;
    this.#tailOpen = end.end > end.certain;
    this.#unscanned = false;
    this.#window.forget();
  }

  readAt(offset: number, length: number): Buffer {
    if (this.#fd < 0) throw new SessionError("closed", `${this.path} is no longer open`);
    return this.#window.read(offset, length, (bytes, from) => this.#readFully(bytes, from));
  }

  /**
   * Writes everything that our descriptor still reads to a new file at the path, if there is none any more. Offsets are
   * unchanged. Returns false and changes nothing if someone else created a file there in the meantime.
   */
  restore(): boolean {
    const temporary = `${this.path}.${randomBytes(6).toString("hex")}.restore`;
    let fresh = -1;
    try {
      makeFolder(dirname(this.path));
      fresh = openSync(temporary, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL, 0o600);
      copyBytes(this.#fd, fresh);
      fdatasyncSync(fresh);
      linkSync(temporary, this.path);
    } catch (cause) {
      if (fresh >= 0) closeSync(fresh);
      if ((cause as { code?: unknown }).code === "EEXIST") return false;
      throw writeError(this.path, cause);
    } finally {
      rmSync(temporary, { force: true });
    }
    closeWhenSynced(this.#fd);
    this.#fd = fresh;
    this.#remember(fstatSync(fresh));
    return true;
  }

  /**
   * Whether the line that seemed torn has its newline now: a reader can see part of another process's write while it is
   * in progress. Writing zero bytes waits for that write, because both lock the file.
   */
  #hasGotNewline(): boolean {
    try {
      writeSync(this.#fd, NOTHING, 0, 0);
      const { size } = fstatSync(this.#fd);
      const last = Buffer.alloc(1);
      if (size === 0 || readSync(this.#fd, last, 0, 1, size - 1) === 0 || last[0] !== NEWLINE) return false;
      this.#end = size;
      return true;
    } catch (cause) {
      throw writeError(this.path, cause);
    }
  }

  /** A line that is written but perhaps not on the medium counts as not written; the next scan finds it anyway. */
  #syncWritten(): void {
    try {
      this.sync();
    } catch (error) {
      this.#unscanned = true;
      throw error;
    }
  }

  sync(): void {
    if (this.#fd < 0 || this.#synced === this.#written) return;
    try {
      fdatasyncSync(this.#fd);
    } catch (cause) {
      throw writeError(this.path, cause);
    }
    this.#synced = this.#written;
  }

  async syncInBackground(): Promise<void> {
    if (this.#fd < 0 || this.#synced === this.#written) return;
    // A sync in progress may have started before the last write: then another is needed.
    if (this.#syncing?.upTo !== this.#written) {
      this.#syncing = { upTo: this.#written, done: this.#syncFile(this.#fd, this.#written) };
    }
    await this.#syncing.done;
  }

  async #syncFile(fd: number, upTo: number): Promise<void> {
    try {
      await syncInBackground(fd);
      this.#synced = Math.max(this.#synced, upTo);
    } catch (cause) {
      throw writeError(this.path, cause);
    } finally {
      if (this.#syncing?.upTo === upTo) this.#syncing = undefined;
    }
  }

  close(): void {
    if (this.#fd < 0) return;
    closeWhenSynced(this.#fd);
    this.#fd = -1;
    this.#window.release();
  }

  /**
   * Creates the file with its first line in it, so that a killed process never leaves an empty one. Returns false, and
   * leaves nothing, if the name is taken by now.
   */
  #createWith(line: Uint8Array): boolean {
    const temporary = temporaryName(this.path);
    let fresh: number;
    try {
      makeFolder(dirname(this.path));
      fresh = openSync(temporary, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL, 0o600);
    } catch (cause) {
      throw openError(this.path, this.writable, cause);
    }
    try {
      const written = writeSync(fresh, line, 0, line.length);
      if (written < line.length) throw Object.assign(new Error("short write"), { code: "ENOSPC" });
      if (!takeFreeName(temporary, this.path)) {
        closeSync(fresh);
        return false;
      }
    } catch (cause) {
      closeSync(fresh);
      // A dangling link.
      if ((cause as { code?: unknown }).code === "EEXIST") return false;
      throw writeError(this.path, cause);
    } finally {
      rmSync(temporary, { force: true });
    }
    this.#fd = fresh;
    this.#remember(fstatSync(fresh));
    this.#end = line.length;
    this.#written += 1;
    if (this.#fsync) this.#syncWritten();
    return true;
  }

  #open(create: number): void {
    const mode = this.writable ? constants.O_RDWR | constants.O_APPEND | create : constants.O_RDONLY;
    try {
      if (create !== 0) makeFolder(dirname(this.path));
      this.#fd = openSync(this.path, mode, 0o600);
    } catch (cause) {
      throw openError(this.path, this.writable, cause);
    }
    const stats = fstatSync(this.#fd);
    if (stats.isDirectory()) {
      this.close();
      throw new SessionError("is-directory", `${this.path} is a folder, not a session file`, {
        data: { path: this.path },
      });
    }
    this.#remember(stats);
  }

  #remember(stats: Stats): void {
    this.#device = stats.dev;
    this.#inode = stats.ino;
  }

  #readFully(bytes: Buffer, offset: number): number {
    let filled = 0;
    try {
      while (filled < bytes.length) {
        const got = readSync(this.#fd, bytes, filled, bytes.length - filled, offset + filled);
        if (got === 0) break;
        filled += got;
      }
    } catch (cause) {
      throw new SessionError("read-failed", `Could not read ${this.path}`, { data: { path: this.path }, cause });
    }
    return filled;
  }
}

/** Copies everything, including what others wrote and no one has scanned. */
function copyBytes(from: number, to: number): void {
  const chunk = Buffer.allocUnsafe(1 << 20);
  for (let offset = 0; ; ) {
    const got = readSync(from, chunk, 0, chunk.length, offset);
    if (got === 0) return;
    for (let sent = 0; sent < got; ) sent += writeSync(to, chunk, sent, got - sent);
    offset += got;
  }
}

function openError(path: string, writable: boolean, cause: unknown): SessionError {
  const code = (cause as { code?: unknown } | null)?.code;
  if (code === "EISDIR") {
    return new SessionError("is-directory", `${path} is a folder, not a session file`, { data: { path }, cause });
  }
  if (code === "ENOENT")
    return new SessionError("session-not-found", `No session at ${path}`, { data: { path }, cause });
  if (isDiskFull(cause)) return writeError(path, cause);
  const { reason, hint } = openFailure(code);
  return new SessionError(writable ? "write-failed" : "read-failed", `Could not open ${path}${reason}`, {
    data: { path, systemCode: code },
    hint,
    cause,
  });
}
