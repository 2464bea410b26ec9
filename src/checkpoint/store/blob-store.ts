/**
 * Contents of files by their hash, compressed, each once. Several processes may write at the same time: a content is
 * written beside its place and renamed, and whoever comes second writes the same.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import { makeFolder, ownerMark } from "../../log/index.js";
import { CheckpointError } from "../checkpoint-error.js";

const compress = promisify(deflateRaw);
const expand = promisify(inflateRaw);

export interface PutOptions {
  /** Whether the bytes are on the disk before it returns. */
  readonly durable?: boolean;
}

export class BlobStore {
  readonly folder: string;
  #writes = 0;

  constructor(folder: string) {
    this.folder = folder;
  }

  pathOf(hash: string): string {
    return join(this.folder, hash.slice(0, 2), hash.slice(2));
  }

  has(hash: string): boolean {
    return existsSync(this.pathOf(hash));
  }

  /** Answers the hash. A content that is there already is not written again. */
  async put(content: Uint8Array, { durable = false }: PutOptions = {}): Promise<string> {
    const hash = hashOf(content);
    const path = this.pathOf(hash);
    if (existsSync(path)) return hash;
    makeFolder(dirname(path));
    const temporary = `${path}.${this.#writes++}.${ownerMark()}.new`;
    try {
      const file = await open(temporary, "wx", 0o600);
      try {
        await file.writeFile(await compress(content));
        if (durable) await file.datasync();
      } finally {
        await file.close();
      }
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    return hash;
  }

  /** Throws `blob-missing` or `blob-damaged`: a content that is not what its name says is never given out. */
  async get(hash: string): Promise<Buffer> {
    let stored: Buffer;
    try {
      stored = await readFile(this.pathOf(hash));
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "ENOENT") throw this.#damaged(hash, cause);
      throw new CheckpointError("blob-missing", `The content ${hash.slice(0, 12)} is not on this machine`, {
        data: { hash },
        hint: "It was stored by another machine, or removed. Everything else can still be restored.",
        cause,
      });
    }
    const content = await expand(stored).catch((cause: unknown) => {
      throw this.#damaged(hash, cause);
    });
    if (hashOf(content) !== hash) throw this.#damaged(hash);
    return content;
  }

  #damaged(hash: string, cause?: unknown): CheckpointError {
    return new CheckpointError("blob-damaged", `The stored content ${hash.slice(0, 12)} is damaged`, {
      data: { hash, path: this.pathOf(hash) },
      hint: "Everything else can still be restored.",
      cause,
    });
  }
}

export function hashOf(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
