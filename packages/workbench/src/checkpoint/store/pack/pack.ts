/**
 * One pack: an append-only file of contents, and its index. What the index does not cover is found by reading the pack.
 * Records that a killed process left unfinished are skipped, because they do not match their hash.
 */
import { closeSync, fstatSync, openSync, readSync, renameSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "@bough/session/text/index.js";
import { readIndex, SEEN_BYTES } from "./pack-index.js";
import { HEADER_BYTES, nextMark, recordContent, recordHash, recordLength } from "./pack-record.js";
import { PackTable } from "./pack-table.js";

/** The name of a pack in use (`.pack`), or of one being replaced (`.old`), which must no longer be relied on. */
export const PACK_NAME = /^([0-9a-f]{16})\.(pack|old)$/;

export function packPath(folder: string, id: string): string {
  return join(folder, `${id}.pack`);
}

export function oldPackPath(folder: string, id: string): string {
  return join(folder, `${id}.old`);
}

export function indexPath(folder: string, id: string): string {
  return join(folder, `${id}.idx`);
}

export function nowSeconds(): number {
  return Math.min(0xffffffff, Math.max(0, Math.floor(Date.now() / 1000)));
}

export class Pack {
  readonly id: string;
  readonly table = new PackTable();
  readonly #folder: string;
  #isOld: boolean;
  #inode = 0;
  /** Up to which offset the contents of the pack are known. */
  #known = 0;
  /** How many bytes of the index are complete, and up to which offset of the pack they reach. */
  #index = { bytes: 0, to: 0 };
  /** The index, open for updating times; closed by `rest`. */
  #times: number | undefined;

  constructor(folder: string, id: string, { isOld = false } = {}) {
    this.#folder = folder;
    this.id = id;
    this.#isOld = isOld;
  }

  get path(): string {
    return this.#isOld ? oldPackPath(this.#folder, this.id) : packPath(this.#folder, this.id);
  }

  /** The pack is being replaced: it can still be read, but needed contents must be written elsewhere. */
  get isOld(): boolean {
    return this.#isOld;
  }

  get inode(): number {
    return this.#inode;
  }

  /** Up to which offset the contents are known. */
  get known(): number {
    return this.#known;
  }

  get index(): { readonly bytes: number; readonly to: number } {
    return this.#index;
  }

  /** Reads what is new. False if the file is gone or was replaced, so that it must be read from the start. */
  update(): boolean {
    const file = this.#open();
    if (file === undefined) return false;
    try {
      const { ino, size } = fstatSync(file);
      if (this.#inode !== 0 && (ino !== this.#inode || size < this.#known)) return false;
      this.#inode = ino;
      if (size === this.#known) return true;
      this.#readIndex(size);
      if (this.#known < size) this.#scan(file, size);
      return true;
    } finally {
      closeSync(file);
    }
  }

  #open(): number | undefined {
    const file = attempt(() => openSync(this.path, "r"));
    if (file !== undefined || this.#isOld) return file;
    // It may have been renamed in the meantime.
    const old = attempt(() => openSync(oldPackPath(this.#folder, this.id), "r"));
    this.#isOld = old !== undefined;
    return old;
  }

  #readIndex(packBytes: number): void {
    const file = attempt(() => openSync(indexPath(this.#folder, this.id), "r"));
    if (file === undefined) return;
    try {
      const start = this.#index.bytes;
      const bytes = readAt(file, start, fstatSync(file).size - start);
      const about = { id: this.id, from: this.#index.to, packBytes };
      const { end, to } = readIndex(bytes, about, ({ hash, offset, length, seen }, seenAt) => {
        if (offset + length <= packBytes) this.table.set(hash, { offset, length, seen, seenAt: start + seenAt });
      });
      this.#index = { bytes: start + end, to };
      this.#known = Math.max(this.#known, to);
    } finally {
      closeSync(file);
    }
  }

  /**
   * Only records that match their hash count. This skips cut-off records, and what looks like a record inside a
   * content.
   */
  #scan(file: number, size: number): void {
    const bytes = readAt(file, this.#known, size - this.#known);
    const seen = nowSeconds();
    const from = this.#known;
    for (let at = 0; at < bytes.length; ) {
      const length = recordLength(bytes, at);
      if (length === undefined || recordContent(bytes.subarray(at, at + length)) === undefined) {
        at = nextMark(bytes, at + 1);
        continue;
      }
      this.table.set(recordHash(bytes, at), { offset: from + at, length, seen, seenAt: 0 });
      at += length;
      this.#known = from + at;
    }
  }

  /** Whether the file can still be read. */
  get isThere(): boolean {
    return statSync(this.path, { throwIfNoEntry: false })?.ino === this.#inode;
  }

  /** Whether its contents can be relied on. */
  get isInPlace(): boolean {
    return !this.#isOld && this.isThere;
  }

  /** The record as stored. Undefined if it cannot be read. */
  record(n: number): Buffer | undefined {
    const { offset, length } = this.table.row(n);
    const file = this.#open();
    if (file === undefined) return undefined;
    try {
      const record = readAt(file, offset, length);
      return record.length === length ? record : undefined;
    } catch {
      return undefined;
    } finally {
      closeSync(file);
    }
  }

  /** Undefined if the content does not match its hash. */
  content(n: number): Buffer | undefined {
    const record = this.record(n);
    if (record === undefined || record.length < HEADER_BYTES) return undefined;
    return recordHash(record).equals(this.table.hash(n)) ? recordContent(record) : undefined;
  }

  /** Records that a content is in use. False if that could not be written, or the pack is being replaced. */
  touch(n: number, seen: number): boolean {
    const { seenAt } = this.table.row(n);
    if (seenAt === 0) return false;
    const time = Buffer.alloc(SEEN_BYTES);
    time.writeUInt32LE(seen);
    try {
      this.#times ??= openSync(indexPath(this.#folder, this.id), "r+");
      if (fstatSync(this.#times).size < this.#index.bytes) return false;
      writeSync(this.#times, time, 0, SEEN_BYTES, seenAt);
    } catch {
      return false;
    }
    // A process that replaces a pack renames it and then reads the times, so either it sees this time or we see the
    // rename.
    if (!this.isInPlace) return false;
    this.table.setSeen(n, { seen, seenAt });
    return true;
  }

  /** Call this after appending a record to the known end. */
  added(
    hash: Uint8Array,
    { offset, length, seen }: { readonly offset: number; readonly length: number; readonly seen: number },
  ): number {
    this.#known = offset + length;
    return this.table.set(hash, { offset, length, seen, seenAt: 0 });
  }

  /** Call this after appending a piece to the index. */
  indexed(bytes: number, to: number): void {
    this.#index = { bytes: this.#index.bytes + bytes, to };
  }

  /** Makes the pack read-only. False if its file is gone. */
  retire(): boolean {
    if (this.#isOld) return true;
    this.rest();
    try {
      renameSync(this.path, oldPackPath(this.#folder, this.id));
    } catch {
      return false;
    }
    this.#isOld = true;
    return true;
  }

  /** Closes files that are only kept open for a while. */
  rest(): void {
    if (this.#times !== undefined) closeSync(this.#times);
    this.#times = undefined;
  }
}

/** Up to `length` bytes from a position. */
function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(0, length));
  let done = 0;
  while (done < bytes.length) {
    const read = readSync(file, bytes, done, bytes.length - done, position + done);
    if (read === 0) break;
    done += read;
  }
  return bytes.subarray(0, done);
}
