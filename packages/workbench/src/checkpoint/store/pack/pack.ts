/**
 * One pack: a file to which contents are only appended, and its index. What is in it is known from the index and, behind
 * that, from reading it: whatever a killed process left half written is passed over, because it is not what its hash says.
 */
import { closeSync, fstatSync, openSync, readSync, renameSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "@bough/session/text/index.js";
import { readIndex, SEEN_BYTES } from "./pack-index.js";
import { HEADER_BYTES, nextMark, recordContent, recordHash, recordLength } from "./pack-record.js";
import { PackTable } from "./pack-table.js";

/** What a pack is called while it is in use, and once it is being replaced: then nothing may rely on it any more. */
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
  /** Up to where the pack is known. */
  #known = 0;
  /** Bytes of the index that are whole, and up to where they know the pack. */
  #index = { bytes: 0, to: 0 };
  /** For times that are written over; closed by `rest`. */
  #times: number | undefined;

  constructor(folder: string, id: string, { isOld = false } = {}) {
    this.#folder = folder;
    this.id = id;
    this.#isOld = isOld;
  }

  get path(): string {
    return this.#isOld ? oldPackPath(this.#folder, this.id) : packPath(this.#folder, this.id);
  }

  /** It is being replaced: it can be read, but what is needed has to be written elsewhere. */
  get isOld(): boolean {
    return this.#isOld;
  }

  get inode(): number {
    return this.#inode;
  }

  /** Up to where it is known. */
  get known(): number {
    return this.#known;
  }

  get index(): { readonly bytes: number; readonly to: number } {
    return this.#index;
  }

  /** Reads what is new in it. False if it is not there, or not as it was: then it has to be read from the start. */
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
    // It may have been renamed since.
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

  /** Only what has its hash counts, so a record that was cut off is passed over, and so is what looks like one inside a content. */
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

  /** Whether it can still be read. */
  get isThere(): boolean {
    return statSync(this.path, { throwIfNoEntry: false })?.ino === this.#inode;
  }

  /** Whether what is in it can be relied on. */
  get isInPlace(): boolean {
    return !this.#isOld && this.isThere;
  }

  /** The record as it is stored. Undefined if it cannot be read. */
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

  /** Undefined if it is not what its hash says. */
  content(n: number): Buffer | undefined {
    const record = this.record(n);
    if (record === undefined || record.length < HEADER_BYTES) return undefined;
    return recordHash(record).equals(this.table.hash(n)) ? recordContent(record) : undefined;
  }

  /** Someone relies on a content from now on. False if it could not be written down, or came too late. */
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
    // A process that replaces a pack renames it first and reads the times then: one of the two sees the other.
    if (!this.isInPlace) return false;
    this.table.setSeen(n, { seen, seenAt });
    return true;
  }

  /** A record was appended to the end that is known. */
  added(
    hash: Uint8Array,
    { offset, length, seen }: { readonly offset: number; readonly length: number; readonly seen: number },
  ): number {
    this.#known = offset + length;
    return this.table.set(hash, { offset, length, seen, seenAt: 0 });
  }

  /** A piece was appended to the index. */
  indexed(bytes: number, to: number): void {
    this.#index = { bytes: this.#index.bytes + bytes, to };
  }

  /** From now on it is only read. False if it is not there. */
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

  /** Closes what is only open for a while. */
  rest(): void {
    if (this.#times !== undefined) closeSync(this.#times);
    this.#times = undefined;
  }
}

/** What is there, at most so many bytes. */
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
