/**
 * Scans a git repository: git says which files differ from an index of ours, only those are looked at. What a clean file
 * was before it changed is in git's objects.
 */
import { rmSync, statSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FileDelta, FileState } from "../../entry/index.js";
import type { SkippedFile } from "../../entry/internal.js";
import type { BlobStore } from "../store/blob-store.js";
import { isSameKnown, type KnownFile, lookAt } from "./file-table.js";
import { checkOutIndexed, copyIndex, differingFiles, type GitPlace } from "./git-files.js";
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

  constructor(options: GitScannerOptions) {
    this.#options = options;
  }

  async scan(signal?: AbortSignal): Promise<ScanOutcome> {
    const known = this.#known;
    if (known === undefined) {
      await this.#begin(signal);
      return { changes: [], skipped: [] };
    }
    const git = await this.#differing(signal);
    const paths = new Set([...git.differing, ...known.keys()]);
    const before = await this.#indexed([...git.differing].filter((path) => !known.has(path)));
    const changes: FileDelta[] = [];
    const skipped: SkippedFile[] = [];
    const next = new Map<string, KnownFile>();
    const differing = new Set(git.differing);
    for (const path of paths) {
      signal?.throwIfAborted();
      const old = known.get(path) ?? before.get(path) ?? NOTHING;
      const now = await lookAt(path, known.get(path), this.#options);
      if (differing.has(path)) next.set(path, now);
      if (isSameKnown(old, now)) continue;
      if (old.state === undefined || now.state === undefined)
        skipped.push(now.skipped ?? old.skipped ?? unreadable(path));
      else changes.push({ path, before: old.state, after: now.state });
    }
    this.#known = next;
    if (next.size > COPY_AGAIN) await this.#begin(signal);
    return { changes: changes.sort((a, b) => (a.path < b.path ? -1 : 1)), skipped };
  }

  note(path: string, state: FileState): void {
    // Without a signature it is read at the next scan, so whoever changed it meanwhile is found out.
    this.#known?.set(path, { signature: "", state });
  }

  async #begin(signal?: AbortSignal): Promise<void> {
    if (!(await copyIndex(this.#options))) throw new Error("git does not answer");
    const { differing } = await this.#differing(signal);
    const next = new Map<string, KnownFile>();
    for (const path of differing) next.set(path, await lookAt(path, this.#known?.get(path), this.#options));
    this.#known = next;
  }

  async #differing(signal?: AbortSignal) {
    const found = await differingFiles(this.#options, signal);
    signal?.throwIfAborted();
    if (found === undefined) throw new Error("git does not answer");
    return found;
  }

  /** What clean files were. A path that is not in the index was not there. */
  async #indexed(paths: readonly string[]): Promise<ReadonlyMap<string, KnownFile>> {
    const found = new Map<string, KnownFile>();
    if (paths.length === 0) return found;
    const folder = await mkdtemp(join(dirname(this.#options.index), "indexed-"));
    try {
      await checkOutIndexed(this.#options, paths, folder);
      for (const path of paths) found.set(path, await lookAt(path, undefined, { ...this.#options, root: folder }));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    return found;
  }
}

const NOTHING: KnownFile = { signature: "", state: null };

function unreadable(path: string): SkippedFile {
  return { path, why: "unreadable" };
}

/** Whether there is a repository to be scanned. */
export function isRepository(root: string): boolean {
  return statSync(join(root, ".git"), { throwIfNoEntry: false }) !== undefined;
}
