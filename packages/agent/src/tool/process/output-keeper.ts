/** Keeps the end of an output in memory and, once it is long, writes all of it to a file. */
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "@bough/session/log/index.js";
import { failureSentence, systemCode } from "../tool-failure.js";

interface OutputKeeperOptions {
  readonly folder: string;
  /** File name without extension. */
  readonly name: string;
  /** Number of bytes at the end to keep in memory. */
  readonly keepBytes: number;
  /** A file is created once the output exceeds this; must not exceed `keepBytes`. */
  readonly fileAfterBytes: number;
  /** Maximum file size, so that endless output cannot fill the disk. */
  readonly maxFileBytes: number;
}

/** Both are absent if the output was short. */
interface KeptOutput {
  readonly path?: string;
  /** What is missing from the file, or why there is no file. */
  readonly problem?: string;
}

/**
 * Uses less memory than twice `keepBytes` plus one chunk, whatever the length. The file is private (0600, its folder
 * 0700) and has the raw bytes. If the file cannot be written, the command still runs.
 */
export class OutputKeeper {
  readonly #options: OutputKeeperOptions;
  #chunks: Buffer[] = [];
  #held = 0;
  #total = 0;
  #file: { readonly descriptor: number; readonly path: string } | undefined;
  #inFile = 0;
  #problem: string | undefined;

  constructor(options: OutputKeeperOptions) {
    this.#options = options;
  }

  /** Bytes received. */
  get total(): number {
    return this.#total;
  }

  /** Path of the file, once it is created. */
  get path(): string | undefined {
    return this.#file?.path;
  }

  /** Bytes in memory. */
  get held(): number {
    return this.#held;
  }

  add(chunk: Buffer): void {
    this.#total += chunk.length;
    if (this.#file !== undefined) this.#write(chunk);
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    if (this.#total > this.#options.fileAfterBytes && this.#file === undefined && this.#problem === undefined) {
      this.#beginFile();
    }
    if (this.#held > 2 * this.#options.keepBytes) this.#shorten();
  }

  /** The last bytes: at most `most`, and at most `keepBytes`. */
  end(most: number): Buffer {
    const wanted = Math.min(most, this.#options.keepBytes);
    const parts: Buffer[] = [];
    let size = 0;
    for (let index = this.#chunks.length - 1; index >= 0 && size < wanted; index--) {
      const chunk = this.#chunks[index] ?? Buffer.alloc(0);
      parts.push(chunk);
      size += chunk.length;
    }
    return Buffer.concat(parts.reverse()).subarray(-wanted);
  }

  close(): KeptOutput {
    const problem = this.#problem;
    if (this.#file === undefined) return { problem };
    const { descriptor, path } = this.#file;
    closeSync(descriptor);
    this.#file = undefined;
    return { path, problem };
  }

  #shorten(): void {
    const all = Buffer.concat(this.#chunks);
    // Copied, because a slice would keep the whole buffer alive.
    const end = Buffer.from(all.subarray(Math.max(0, all.length - this.#options.keepBytes)));
    this.#chunks = [end];
    this.#held = end.length;
  }

  #beginFile(): void {
    try {
      makeFolder(this.#options.folder);
      this.#file = openNew(join(this.#options.folder, this.#options.name));
    } catch (error) {
      this.#problem = `it could not be saved to a file: ${failureSentence(error)}`;
      return;
    }
    for (const chunk of this.#chunks) this.#write(chunk);
  }

  #write(chunk: Buffer): void {
    if (this.#file === undefined || this.#problem !== undefined) return;
    const room = this.#options.maxFileBytes - this.#inFile;
    const part = chunk.length > room ? chunk.subarray(0, room) : chunk;
    try {
      for (let at = 0; at < part.length; ) at += writeSync(this.#file.descriptor, part, at);
      this.#inFile += part.length;
    } catch (error) {
      this.#problem = `the file ends early: ${failureSentence(error)}`;
      return;
    }
    if (part.length < chunk.length) this.#problem = `the file has only the first ${this.#inFile} bytes`;
  }
}

/** Removes a kept file that is not needed after all. */
export function dropKeptFile({ path }: KeptOutput): void {
  if (path !== undefined) rmSync(path, { force: true });
}

function openNew(prefix: string): { readonly descriptor: number; readonly path: string } {
  for (let attempt = 1; ; attempt++) {
    const path = attempt === 1 ? `${prefix}.txt` : `${prefix}-${attempt}.txt`;
    try {
      return { descriptor: openSync(path, "wx", 0o600), path };
    } catch (error) {
      if (systemCode(error) !== "EEXIST" || attempt === 1000) throw error;
    }
  }
}
