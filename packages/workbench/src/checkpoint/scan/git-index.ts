/**
 * Reads a git index: for each tracked file its stats when git last saw it clean, and its object. Works on the raw
 * bytes, so a file costs about a hundred bytes and no JavaScript object.
 */
import { readFileSync } from "node:fs";

export interface IndexEntry {
  readonly path: string;
  /** In hex. */
  readonly object: string;
  /** Git's mode: 0o100644, 0o100755, 0o120000 (a link) or 0o160000 (a submodule). */
  readonly mode: number;
  /** Bytes on disk, modulo 2^32. Also 0 if git does not trust its value. */
  readonly size: number;
  /** Git does not check the file: it is marked assume-unchanged, or outside a sparse checkout. */
  readonly isUnwatched: boolean;
}

/** The stat data before an object's name: times, device, inode, mode, owner, size. */
const STAT_BYTES = 40;
const MODE_AT = 24;
const SIZE_AT = 36;
const ASSUME_VALID = 0x8000;
const EXTENDED = 0x4000;
const SKIP_WORKTREE = 0x4000;
const NAME_LENGTH = 0xfff;
const TREE_MODE = 0o040000;

export class GitIndex {
  readonly #bytes: Buffer;
  readonly #hashBytes: number;
  /** Where each entry starts, and where the last one ends. */
  readonly #starts: Uint32Array;

  private constructor(bytes: Buffer, hashBytes: number, starts: Uint32Array) {
    this.#bytes = bytes;
    this.#hashBytes = hashBytes;
    this.#starts = starts;
  }

  /** `hashBytes` is the length of an object's name. Undefined for a form of index that git must rewrite first. */
  static read(file: string, hashBytes: number): GitIndex | undefined {
    let bytes: Buffer;
    try {
      bytes = readFileSync(file);
    } catch (error) {
      // A repository without a commit.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      return new GitIndex(Buffer.alloc(0), hashBytes, new Uint32Array([0]));
    }
    if (bytes.length < 12 + hashBytes || bytes.toString("latin1", 0, 4) !== "DIRC") return undefined;
    const version = bytes.readUInt32BE(4);
    if (version !== 2 && version !== 3) return undefined;
    const starts = entryStarts(bytes, hashBytes);
    if (starts === undefined || isPartial(bytes, starts.at(-1) ?? 0, hashBytes)) return undefined;
    return new GitIndex(bytes, hashBytes, starts);
  }

  get count(): number {
    return this.#starts.length - 1;
  }

  /** Files without conflicts; no submodules. */
  *entries(): Generator<IndexEntry> {
    for (let number = 0; number < this.count; number++) {
      const entry = this.#entry(number);
      if (entry !== undefined) yield entry;
    }
  }

  /** Paths that git does not check. */
  *unwatched(): Generator<string> {
    for (let number = 0; number < this.count; number++) {
      const flagsAt = (this.#starts[number] as number) + STAT_BYTES + this.#hashBytes;
      // Without one of these flags, nothing has to be decoded.
      if ((this.#bytes.readUInt16BE(flagsAt) & (ASSUME_VALID | EXTENDED)) === 0) continue;
      const entry = this.#entry(number);
      if (entry?.isUnwatched === true) yield entry.path;
    }
  }

  find(path: string): IndexEntry | undefined {
    const name = Buffer.from(path);
    let [low, high] = [0, this.count - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const [from, to] = this.#name(middle);
      const order = this.#bytes.compare(name, 0, name.length, from, to);
      if (order === 0) return this.#entry(middle);
      if (order < 0) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }

  /** Paths below a folder. */
  *below(folder: string): Generator<string> {
    const start = Buffer.from(`${folder}/`);
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      const [from, to] = this.#name(middle);
      if (this.#bytes.compare(start, 0, start.length, from, to) < 0) low = middle + 1;
      else high = middle;
    }
    for (let number = low; number < this.count; number++) {
      const [from, to] = this.#name(number);
      if (to - from <= start.length || !this.#bytes.subarray(from, from + start.length).equals(start)) return;
      const entry = this.#entry(number);
      if (entry !== undefined) yield entry.path;
    }
  }

  /**
   * Files for which git recorded other times, another size or another inode since an earlier state of the same index.
   */
  *seenAgainSince(earlier: GitIndex): Generator<IndexEntry> {
    const [old, now] = [earlier.#bytes, this.#bytes];
    for (let number = 0; number < this.count; number++) {
      const [was, at] = [earlier.#starts[number], this.#starts[number] as number];
      const isSame = was !== undefined && now.compare(old, was, was + STAT_BYTES, at, at + STAT_BYTES) === 0;
      if (isSame) continue;
      const entry = this.#entry(number);
      if (entry !== undefined) yield entry;
    }
  }

  #entry(number: number): IndexEntry | undefined {
    const bytes = this.#bytes;
    const at = this.#starts[number] as number;
    const flagsAt = at + STAT_BYTES + this.#hashBytes;
    const flags = bytes.readUInt16BE(flagsAt);
    const mode = bytes.readUInt32BE(at + MODE_AT);
    const stage = (flags >> 12) & 3;
    if (stage !== 0 || mode >> 12 === 0o16) return undefined;
    const more = (flags & EXTENDED) === 0 ? 0 : bytes.readUInt16BE(flagsAt + 2);
    const [from, to] = this.#name(number);
    return {
      path: bytes.toString("utf8", from, to),
      object: bytes.toString("hex", at + STAT_BYTES, flagsAt),
      mode,
      size: bytes.readUInt32BE(at + SIZE_AT),
      isUnwatched: (flags & ASSUME_VALID) !== 0 || (more & SKIP_WORKTREE) !== 0,
    };
  }

  #name(number: number): readonly [from: number, to: number] {
    const at = this.#starts[number] as number;
    return nameOf(this.#bytes, at, this.#hashBytes);
  }
}

function nameOf(bytes: Buffer, at: number, hashBytes: number): readonly [from: number, to: number] {
  const flagsAt = at + STAT_BYTES + hashBytes;
  const flags = bytes.readUInt16BE(flagsAt);
  const from = flagsAt + ((flags & EXTENDED) === 0 ? 2 : 4);
  const length = flags & NAME_LENGTH;
  return [from, length < NAME_LENGTH ? from + length : bytes.indexOf(0, from)];
}

/** Undefined if the bytes are malformed. */
function entryStarts(bytes: Buffer, hashBytes: number): Uint32Array | undefined {
  const count = bytes.readUInt32BE(8);
  const shortest = STAT_BYTES + hashBytes + 4;
  if (count > bytes.length / shortest) return undefined;
  const starts = new Uint32Array(count + 1);
  let at = 12;
  for (let number = 0; number < count; number++) {
    if (at + shortest > bytes.length || bytes.readUInt32BE(at + MODE_AT) === TREE_MODE) return undefined;
    starts[number] = at;
    const [, end] = nameOf(bytes, at, hashBytes);
    if (end < 0 || end >= bytes.length || bytes[end] !== 0) return undefined;
    // One to eight zeros, up to a multiple of eight.
    at += (end - at + 8) & ~7;
  }
  starts[count] = at;
  return starts;
}

/** Whether entries are elsewhere: in a shared index, or collapsed into folders. */
function isPartial(bytes: Buffer, from: number, hashBytes: number): boolean {
  for (let at = from; at + 8 <= bytes.length - hashBytes; at += 8 + bytes.readUInt32BE(at + 4)) {
    const name = bytes.toString("latin1", at, at + 4);
    if (name === "link" || name === "sdir") return true;
  }
  return false;
}
