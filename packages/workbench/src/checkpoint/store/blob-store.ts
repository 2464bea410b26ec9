/**
 * Contents of files by their hash, compressed, each once. Small ones are in packs, which many share; each of the others has
 * a file of its own, written beside its place and renamed. Several processes may write at the same time.
 *
 * Small contents are handled at once, without a trip through the thread pool, which costs more than the work itself.
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
import { blobSource } from "./blob-source.js";
import { compressed } from "./pack/pack-record.js";
import { Packs } from "./pack/packs.js";
import { syncFile } from "./sync-file.js";

const compress = promisify(deflateRaw);
const expand = promisify(inflateRaw);

/** Bytes up to which a content is small. */
const SMALL = 256 * 1024;
/** More than any file that is kept: a few bytes that someone put there may not fill the memory. */
const AT_MOST = { maxOutputLength: 1024 * 1024 * 1024 };
/** Contents that are remembered as whole, or as synced; beyond it the memory starts over. */
const MOST_REMEMBERED = 20_000;
/** A content that was written this recently may not be on the disk yet. */
const RECENT_MS = 60_000;
const LONG_MS = 24 * 60 * 60_000;
/** Folders that others make are found this often: the same content twice costs only room. */
const LIST_AGAIN_MS = 500;
/** Contents that are synced at a time. */
const AT_A_TIME = 8;

export interface PutOptions {
  /** Also looks into a content that is there already: one that is damaged is written again. `flush` makes it durable. */
  readonly checked?: boolean;
  /** Of this content, if it is known. */
  readonly hash?: string | undefined;
}

export class BlobStore {
  readonly folder: string;
  #writes = 0;
  readonly #mark = ownerMark();
  /** Folders that are there, and when they were last listed. */
  readonly #folders = new Set<string>();
  #listedAt = Number.NEGATIVE_INFINITY;
  /** Written or looked into by this process. */
  readonly #trusted = new Set<string>();
  /** On the disk for sure. */
  readonly #synced = new Set<string>();
  readonly #packs: Packs;

  constructor(folder: string) {
    this.folder = folder;
    this.#packs = Packs.of(folder);
  }

  /** Of a content that has a file of its own. */
  #pathOf(hash: string): string {
    return join(this.folder, hash.slice(0, 2), hash.slice(2));
  }

  has(hash: string): boolean {
    return existsSync(this.#pathOf(hash)) || this.#packs.find(hash) !== undefined;
  }

  /** Answers the hash. A content that is there already is not written again. */
  async put(content: Uint8Array, { checked = false, hash = hashOf(content) }: PutOptions = {}): Promise<string> {
    if (this.#isHere(hash) && (!checked || (await this.#isWhole(hash)))) return hash;
    await this.#write(hash, content);
    return hash;
  }

  /** One that has not been asked for in a long time counts as new again, so that nobody removes it just now. */
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

  /** Where all contents are small there are no such folders, and no file need be looked for. */
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

  /** Reads a content that this process has not read or written yet, and fetches one that is not here. */
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

  /** These contents are on the disk, not only handed to the system, before it returns. */
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

  /** All files that have it. */
  #filesOf(hash: string): readonly string[] {
    return [this.#pathOf(hash), ...Array.from(this.#packs.places(hash), ({ pack }) => pack.path)];
  }

  /**
   * One that is missing or damaged here is fetched from elsewhere and kept, if there is an elsewhere. Throws `blob-missing`
   * or `blob-damaged`: a content that is not what its name says is never given out.
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

  /** `here` is what is wrong with the content on this machine. */
  async #fetch(hash: string, here: unknown): Promise<Buffer | undefined> {
    let content: Uint8Array | undefined;
    try {
      content = await blobSource()?.get(hash);
    } catch (cause) {
      throw this.#missing(hash, cause, `It could not be fetched: ${errorText(cause)}`);
    }
    if (content === undefined) return undefined;
    if (hashOf(content) !== hash) {
      throw new CheckpointError("blob-damaged", `The content ${hash.slice(0, 12)} in the store is damaged`, {
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
    const says = `The content ${hash.slice(0, 12)} is not on this machine`;
    return new CheckpointError("blob-missing", says, { data: { hash }, hint, cause });
  }

  #damaged(hash: string, cause?: unknown): CheckpointError {
    return new CheckpointError("blob-damaged", `The stored content ${hash.slice(0, 12)} is damaged`, {
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
