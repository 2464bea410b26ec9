/** Files that are complete under their name, or not there at all. */
import { randomUUID } from "node:crypto";
import { closeSync, existsSync, fsync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { makeFolder } from "./make-folder.js";
import { ownerMark } from "./owner-mark.js";
import { inOneGo, inSlices, type Steps } from "./work-turns.js";

const fsyncLater = promisify(fsync);

export type Piece = string | Uint8Array;

export interface WholeFileOptions {
  /** `refuse` never overwrites another file, even one created while this one was written. */
  readonly existing: "refuse" | "replace";
  /** Whether the bytes are on the disk before the file gets its name. */
  readonly durable: boolean;
  /** Default 0600. */
  readonly mode?: number;
  /** The error to throw on failure. Default: the system's own error. */
  readonly failure?: (cause: unknown, step: "make-folder" | "write") => Error;
}

/** Characters or bytes gathered before they are written. */
const BATCH = 1 << 20;

/** Writes a whole file and creates missing folders. If it throws, the old file, or none, is still in place. */
export function writeWhole(path: string, pieces: Iterable<Piece>, options: WholeFileOptions): void {
  const file = new WholeFile(path, options);
  try {
    inOneGo(writing(file, pieces));
    file.moveIntoPlace();
  } finally {
    file.close();
  }
}

/** Like `writeWhole`, in slices that let other work run. */
export async function writeWholeInSlices(
  path: string,
  pieces: Iterable<Piece>,
  options: WholeFileOptions,
): Promise<void> {
  const file = new WholeFile(path, options);
  try {
    await inSlices(writing(file, pieces));
    await file.sync();
    file.moveIntoPlace();
  } finally {
    file.close();
  }
}

function* writing(file: WholeFile, pieces: Iterable<Piece>): Steps<void> {
  // A string would be iterated character by character.
  for (const piece of typeof pieces === "string" ? [pieces] : pieces) {
    file.write(piece);
    yield;
  }
}

/** Like `writeWhole`, step by step: for pieces that arrive over time, and files to check before they get their name. */
export class WholeFile {
  /**
   * The path of the bytes until `moveIntoPlace`. Contains the mark of this process, so that leftovers can be
   * recognized.
   */
  readonly temporary: string;
  readonly #path: string;
  readonly #options: WholeFileOptions;
  #descriptor: number | undefined;
  #batch: Piece[] = [];
  #size = 0;
  #written = 0;

  constructor(path: string, options: WholeFileOptions) {
    this.#path = path;
    this.#options = options;
    this.temporary = temporaryName(path);
    this.#try("make-folder", () => makeFolder(dirname(path)));
    this.#descriptor = this.#try("write", () => openSync(this.temporary, "wx", options.mode ?? 0o600));
  }

  /** Bytes passed to the system so far: all of them after `moveIntoPlace`. */
  get written(): number {
    return this.#written;
  }

  write(piece: Piece): void {
    this.#batch.push(piece);
    this.#size += piece.length;
    if (this.#size >= BATCH) this.flush();
  }

  /** Passes everything to the system, so that it can be read back. */
  flush(): void {
    const descriptor = this.#open();
    const bytes = bytesOf(this.#batch);
    this.#batch = [];
    this.#size = 0;
    this.#written += bytes.length;
    this.#try("write", () => {
      for (let sent = 0; sent < bytes.length; ) sent += writeSync(descriptor, bytes, sent);
    });
  }

  /** Syncs everything written so far while other work runs, so that `moveIntoPlace` need not wait. */
  async sync(): Promise<void> {
    const descriptor = this.#open();
    this.flush();
    if (!this.#options.durable) return;
    try {
      await fsyncLater(descriptor);
    } catch (cause) {
      throw this.#options.failure?.(cause, "write") ?? cause;
    }
  }

  /** Gives the file its name, or the first free one of several, and returns it. */
  moveIntoPlace(names: Iterable<string> = [this.#path]): string {
    const descriptor = this.#open();
    this.flush();
    return this.#try("write", () => {
      if (this.#options.durable) fsyncSync(descriptor);
      for (const name of names) {
        if (this.#options.existing === "replace") renameSync(this.temporary, name);
        else if (!takeFreeName(this.temporary, name)) continue;
        return name;
      }
      throw Object.assign(new Error(`EEXIST: file already exists, ${this.#path}`), { code: "EEXIST" });
    });
  }

  /** Closes the file, and removes it if it has no name yet. May be called again. */
  close(): void {
    if (this.#descriptor === undefined) return;
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
    rmSync(this.temporary, { force: true });
  }

  #open(): number {
    if (this.#descriptor === undefined) throw new Error(`bug: ${this.#path} is written after it was closed`);
    return this.#descriptor;
  }

  #try<T>(step: "make-folder" | "write", work: () => T): T {
    try {
      return work();
    } catch (cause) {
      throw this.#options.failure?.(cause, step) ?? cause;
    }
  }
}

function bytesOf(pieces: readonly Piece[]): Buffer {
  // Joining strings first is several times faster than making a buffer for each.
  if (pieces.every((piece) => typeof piece === "string")) return Buffer.from(pieces.join(""));
  return Buffer.concat(pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece)));
}

/**
 * A temporary name next to a file for its new content. Contains the mark of this process, so that leftovers can be
 * recognized.
 */
export function temporaryName(path: string): string {
  // A name can have 255 bytes, and a character up to four of them.
  return join(dirname(path), `${basename(path).slice(0, 40)}.${randomUUID().slice(0, 8)}.${ownerMark()}.new`);
}

/** Gives a file its name unless the name is taken. A rename would overwrite; a hard link does not. */
export function takeFreeName(temporary: string, name: string): boolean {
  try {
    linkSync(temporary, name);
    return true;
  } catch (error) {
    if (existsSync(name)) return false;
    if (!hasNoLinks(error)) throw error;
    // The best possible without links: the name was free just now.
    renameSync(temporary, name);
    return true;
  }
}

const NO_LINKS: ReadonlySet<unknown> = new Set(["EXDEV", "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/** Whether a link failed because the file system has none, or because the paths are on different file systems. */
export function hasNoLinks(error: unknown): boolean {
  return NO_LINKS.has((error as NodeJS.ErrnoException | null)?.code);
}
