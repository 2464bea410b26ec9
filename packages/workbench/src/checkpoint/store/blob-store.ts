/**
 * Contents of files by hash, compressed, each stored once. Small ones share packs; each larger one has a file of its
 * own, written under a temporary name and renamed. Several processes may write at the same time.
 *
 * Small contents are handled synchronously, because the thread pool would cost more than the work itself.
 */
import { hash as digest } from "node:crypto";
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { deflateRaw, inflateRaw, inflateRawSync } from "node:zlib";
import { makeFolder, namesIn, ownerMark } from "@bough/session/log/index.js";
import { errorText } from "@bough/session/text/index.js";
import { CheckpointError } from "../checkpoint-error.js";
import { type BlobSource, fallbackSource } from "./blob-source.js";
import { compressed } from "./pack/pack-record.js";
import { Packs } from "./pack/packs.js";
import { syncFile } from "./sync-file.js";

const compress = promisify(deflateRaw);
const expand = promisify(inflateRaw);

/** The largest size in bytes at which a content counts as small. */
const SMALL = 256 * 1024;
/** More than any recorded file: limits how much memory a small but hostile content can expand to. */
const AT_MOST = { maxOutputLength: 1024 * 1024 * 1024 };
/** How many hashes to remember as intact, or as synced, before starting over. */
const MOST_REMEMBERED = 20_000;
/** A content written less than this long ago may not be on disk yet. */
const RECENT_MS = 60_000;
const LONG_MS = 24 * 60 * 60_000;
/**
 * How often to look for folders made by other processes. In between, a content may be stored twice, which costs only
 * space.
 */
const LIST_AGAIN_MS = 500;
/** How many contents to sync at once. */
const AT_A_TIME = 8;

export interface PutOptions {
  /** Also verify a content that exists, and write it again if it is damaged. `flush` makes it durable. */
  readonly checked?: boolean;
  /** The hash of this content, if it is known. */
  readonly hash?: string | undefined;
}

export interface BlobStoreOptions {
  /** Where contents that are missing or damaged here come from. */
  readonly contents?: BlobSource | undefined;
}

export class BlobStore {
  readonly folder: string;
  /** Where contents that are missing or damaged here come from. */
  readonly contents: BlobSource | undefined;
  #writes = 0;
  readonly #mark = ownerMark();
  /** Folders known to exist. */
  readonly #folders = new Set<string>();
  #listedAt = Number.NEGATIVE_INFINITY;
  /** Hashes of contents that this process has written or verified. */
  readonly #trusted = new Set<string>();
  /** Hashes of contents that are certainly on disk. */
  readonly #synced = new Set<string>();
  readonly #packs: Packs;

  constructor(folder: string, { contents }: BlobStoreOptions = {}) {
    this.folder = folder;
    this.contents = contents;
    this.#packs = Packs.of(folder);
  }

  /** The path of a content that has its own file. */
  #pathOf(hash: string): string {
    return join(this.folder, hash.slice(0, 2), hash.slice(2));
  }

  has(hash: string): boolean {
    return existsSync(this.#pathOf(hash)) || this.#packs.find(hash) !== undefined;
  }

  /** Returns the hash. Does not write a content that exists. */
  async put(content: Uint8Array, { checked = false, hash = hashOf(content) }: PutOptions = {}): Promise<string> {
    if (this.#isHere(hash) && (!checked || (await this.#isWhole(hash)))) return hash;
    await this.#write(hash, content);
    return hash;
  }

  /** Renews the time of a content that was not used for a long time, so that garbage collection keeps it for now. */
  #isHere(hash: string): boolean {
    if (this.#packs.keep(hash)) return true;
    const path = this.#pathOf(hash);
    if (!this.#hasFolder(dirname(path))) return false;
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return false;
    const now = new Date();
    if (now.getTime() - stats.mtimeMs > LONG_MS) utimesSync(path, now, now);
    return true;
  }

  async #write(hash: string, content: Uint8Array): Promise<void> {
    const isSmall = content.length <= SMALL;
    const stored = isSmall ? compressed(content) : await compress(content);
    if (!isSmall || !this.#packs.put(hash, content, stored)) this.#writeFile(hash, stored);
    remember(this.#trusted, hash);
  }

  /** Saves a file lookup: if all contents are small, these folders do not exist. */
  #hasFolder(folder: string): boolean {
    if (this.#folders.has(folder)) return true;
    const now = performance.now();
    if (now - this.#listedAt > LIST_AGAIN_MS) {
      this.#listedAt = now;
      for (const name of namesIn(this.folder)) this.#folders.add(join(this.folder, name));
    }
    return this.#folders.has(folder);
  }

  #writeFile(hash: string, stored: Buffer): void {
    const path = this.#pathOf(hash);
    const folder = dirname(path);
    if (!this.#folders.has(folder)) makeFolder(folder);
    const temporary = `${path}.${this.#writes++}.${this.#mark}.new`;
    try {
      const file = openSync(temporary, "wx", 0o600);
      try {
        for (let sent = 0; sent < stored.length; ) sent += writeSync(file, stored, sent);
      } finally {
        closeSync(file);
      }
      renameSync(temporary, path);
    } catch (error) {
      this.#folders.delete(folder);
      rmSync(temporary, { force: true });
      throw error;
    }
    this.#folders.add(folder);
  }

  /** Verifies a content unless this process has already done so. Fetches one that is missing here. */
  async condition(hash: string): Promise<"whole" | "missing" | "damaged"> {
    if (this.has(hash)) return (await this.#isWhole(hash)) ? "whole" : "damaged";
    try {
      await this.get(hash);
      return "whole";
    } catch {
      return "missing";
    }
  }

  async #isWhole(hash: string): Promise<boolean> {
    if (this.#trusted.has(hash)) return true;
    try {
      await this.get(hash);
    } catch {
      return false;
    }
    remember(this.#trusted, hash);
    return true;
  }

  /** When this resolves, the contents are on disk and not only in the system's cache. */
  async flush(hashes: Iterable<string>): Promise<void> {
    const unsynced = [...new Set(hashes)].filter((hash) => !this.#synced.has(hash));
    const waiting = [...new Set(unsynced.flatMap((hash) => this.#filesOf(hash)))];
    const work = async () => {
      for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
        if (Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < RECENT_MS) await syncFile(path);
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, work));
    for (const hash of unsynced) remember(this.#synced, hash);
  }

  /** All files that contain a content. */
  #filesOf(hash: string): readonly string[] {
    return [this.#pathOf(hash), ...Array.from(this.#packs.places(hash), ({ pack }) => pack.path)];
  }

  /**
   * The verified content. If it is missing or damaged here, it is fetched from the option `contents` and kept. Throws `blob-missing` or `blob-damaged`; a content that does not match its hash is never returned.
   */
  async get(hash: string): Promise<Buffer> {
    try {
      return await this.#read(hash);
    } catch (error) {
      const fetched = await this.#fetch(hash, error);
      if (fetched === undefined) throw error;
      return fetched;
    }
  }

  /** `here` is the error with the content on this machine. */
  async #fetch(hash: string, here: unknown): Promise<Buffer | undefined> {
    let content: Uint8Array | undefined;
    try {
      content = await (this.contents ?? fallbackSource())?.get(hash);
    } catch (cause) {
      throw this.#missing(hash, cause, `It could not be fetched: ${errorText(cause)}`);
    }
    if (content === undefined) return undefined;
    if (hashOf(content) !== hash) {
      throw new CheckpointError("blob-damaged", `File version ${hash.slice(0, 12)} in the store is damaged`, {
        data: { hash },
        hint: "It was not used. Everything else can still be restored.",
        cause: here,
      });
    }
    await this.#write(hash, content);
    return Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  }

  async #read(hash: string): Promise<Buffer> {
    const packed = this.#packs.knownContent(hash);
    if (packed !== undefined) return packed;
    let failure: CheckpointError;
    try {
      return await this.#readFile(hash);
    } catch (error) {
      failure = error as CheckpointError;
    }
    const found = this.#packs.content(hash);
    if (found !== undefined) return found;
    throw this.#packs.find(hash) === undefined ? failure : this.#damaged(hash);
  }

  async #readFile(hash: string): Promise<Buffer> {
    let stored: Buffer;
    try {
      stored = readFileSync(this.#pathOf(hash));
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "ENOENT") throw this.#damaged(hash, cause);
      throw this.#missing(
        hash,
        cause,
        "It was stored by another machine, or removed. Everything else can still be restored.",
      );
    }
    let content: Buffer;
    try {
      content = stored.length <= SMALL ? inflateRawSync(stored, AT_MOST) : await expand(stored, AT_MOST);
    } catch (cause) {
      throw this.#damaged(hash, cause);
    }
    if (hashOf(content) !== hash) throw this.#damaged(hash);
    return content;
  }

  #missing(hash: string, cause: unknown, hint: string): CheckpointError {
    const says = `File version ${hash.slice(0, 12)} is not on this machine`;
    return new CheckpointError("blob-missing", says, { data: { hash }, hint, cause });
  }

  #damaged(hash: string, cause?: unknown): CheckpointError {
    return new CheckpointError("blob-damaged", `Stored file version ${hash.slice(0, 12)} is damaged`, {
      data: { hash, path: this.#packs.find(hash)?.pack.path ?? this.#pathOf(hash) },
      hint: "Everything else can still be restored.",
      cause,
    });
  }
}

function remember(known: Set<string>, hash: string): void {
  if (known.size >= MOST_REMEMBERED) known.clear();
  known.add(hash);
}

export function hashOf(content: Uint8Array): string {
  return digest("sha256", content, "hex");
}
