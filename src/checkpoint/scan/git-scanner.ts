/**
 * Scans a git repository: git says which files differ from an index of ours, only those are looked at. What a clean file
 * was before it changed is in git's objects.
 */
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FileState } from "../../entry/index.js";
import { parentOf } from "../disk-file.js";
import type { BlobStore } from "../store/blob-store.js";
import { FoundChanges, type KnownFile, lookAt, NOTHING } from "./file-table.js";
import { checkOutIndexed, copyIndex, differingFiles, type GitPlace, type IndexState } from "./git-files.js";
import type { Scanner, ScanOutcome } from "./scanner.js";

export interface GitScannerOptions extends GitPlace {
  readonly store: BlobStore;
  /** Bytes; larger files are not kept. */
  readonly largest: number;
}

/** With more differing files than this, the person's index is copied again: a branch was checked out, or a commit made. */
const COPY_AGAIN = 1000;

export class GitScanner implements Scanner {
  readonly #options: GitScannerOptions;
  /** Files that differ from the index of ours. Every other file is as it is there. */
  #known: Map<string, KnownFile> | undefined;
  /** What tools named: looked at every time, because git does not speak of ignored files. */
  readonly #named = new Set<string>();

  constructor(options: GitScannerOptions) {
    this.#options = options;
  }

  async scan(signal?: AbortSignal): Promise<ScanOutcome> {
    const known = this.#known;
    if (known === undefined) {
      await this.#begin(signal);
      return { changes: [], skipped: [] };
    }
    const differing = await this.#differing(signal);
    const before = await this.#before([...differing].filter(([path]) => !known.has(path)));
    const found = new FoundChanges();
    const next = new Map<string, KnownFile>();
    for (const path of new Set([...differing.keys(), ...known.keys()])) {
      signal?.throwIfAborted();
      const now = await this.#look(path, known.get(path));
      if (differing.has(path) || this.#named.has(path)) next.set(path, now);
      found.compare(path, known.get(path) ?? before.get(path) ?? NOTHING, now);
    }
    this.#known = next;
    if (next.size > COPY_AGAIN) await this.#begin(signal);
    return found.outcome();
  }

  note(path: string, state: FileState): void {
    // Without a signature it is read at the next scan, so whoever changed it meanwhile is found out.
    this.#known?.set(path, { signature: "", state });
    this.#named.add(path);
  }

  async #begin(signal?: AbortSignal): Promise<void> {
    if (!(await copyIndex(this.#options))) throw new Error("git does not answer");
    const differing = await this.#differing(signal);
    const next = new Map<string, KnownFile>();
    for (const path of new Set([...differing.keys(), ...this.#named])) {
      next.set(path, await this.#look(path, this.#known?.get(path)));
    }
    this.#known = next;
  }

  async #differing(signal?: AbortSignal) {
    const found = await differingFiles(this.#options, signal);
    signal?.throwIfAborted();
    if (found === undefined) throw new Error("git does not answer");
    return found;
  }

  /** A file behind a link in a folder above it is another file: here there is none. */
  async #look(path: string, known: KnownFile | undefined): Promise<KnownFile> {
    return parentOf(this.#options.root, path) === undefined ? lookAt(path, known, this.#options) : NOTHING;
  }

  /** What files were that have not differed until now: what the index has, or nothing for a path that is not in it. */
  async #before(files: readonly (readonly [string, IndexState])[]): Promise<ReadonlyMap<string, KnownFile>> {
    const found = new Map<string, KnownFile>();
    const indexed = files.filter(([, state]) => state === "indexed").map(([path]) => path);
    for (const [path, state] of files) if (state === "unmerged") found.set(path, unknown(path));
    if (indexed.length === 0) return found;
    const folder = await mkdtemp(join(dirname(this.#options.index), "indexed-"));
    try {
      await checkOutIndexed(this.#options, indexed, folder);
      for (const path of indexed) {
        const was = await lookAt(path, undefined, { ...this.#options, root: folder });
        // It is in the index, but a filter failed: what it was is not known, which is not the same as nothing.
        found.set(path, was.state === null ? unknown(path) : was);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    return found;
  }
}

function unknown(path: string): KnownFile {
  return { signature: "", state: undefined, skipped: { path, why: "unreadable" } };
}
