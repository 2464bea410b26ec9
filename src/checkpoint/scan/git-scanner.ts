/**
 * Scans a git repository: git says which files differ from an index of ours, only those are looked at. What a clean file
 * was before it changed is in git's objects.
 */
import { existsSync, renameSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FileState } from "../../entry/index.js";
import { WorkTurns } from "../../log/index.js";
import { CheckpointError } from "../checkpoint-error.js";
import { RealFolders, statsOf } from "../real-folders.js";
import { ExactNames } from "./exact-names.js";
import { FoundChanges, isSameKnown, type KnownFile, lookAt, NOTHING } from "./file-table.js";
import {
  checkOutIndexed,
  copyIndex,
  differingFiles,
  type GitPlace,
  gitPlace,
  type IndexState,
  ignoredFiles,
  indexedCount,
  indexSignature,
} from "./git-files.js";
import { anchoredGlobs } from "./included.js";
import { KnownFiles } from "./known-files.js";
import { isPathLeftOut } from "./left-out.js";
import { firstRoom, MOST_FILES, type Scanner, type ScannerOptions, type ScanOutcome, tooManyFiles } from "./scanner.js";
import { isOlder, signatureOf } from "./signature.js";

export interface GitScannerOptions extends GitPlace, ScannerOptions {}

/** With more differing files than this the person's index is copied again, if it changed: after a commit or a checkout. */
const COPY_AGAIN = 1000;

type Differing = ReadonlyMap<string, IndexState>;

interface Looking {
  readonly known: KnownFiles;
  readonly differing: Differing;
  readonly signal: AbortSignal | undefined;
  /** Of the first scan. */
  readonly room?: { bytes: number };
  /** Gets the paths of files that were there before the last scan. */
  readonly older?: Set<string>;
}

export class GitScanner implements Scanner {
  readonly #options: GitScannerOptions;
  /** Files that differ from the index of ours. Every other file is as it is there. */
  #known: KnownFiles | undefined;
  /** What tools named: looked at every time, because git does not speak of ignored files. */
  readonly #named = new Set<string>();
  /** When the last scan that came to its end began. */
  #began = 0;
  /** Paths that a record says are gone: whatever is there again has to be in one too. */
  readonly #gone = new Set<string>();
  /** The person's index, and what it was when it was copied. */
  #theirs = { path: "", signature: 0 };

  constructor(options: GitScannerOptions) {
    this.#options = options;
  }

  async scan(signal?: AbortSignal): Promise<ScanOutcome> {
    const known = this.#known;
    const began = Date.now();
    if (known === undefined) {
      await this.#begin(signal);
      this.#began = began;
      return { changes: [], skipped: [] };
    }
    const differing = await this.#differing(this.#options, signal);
    const older = new Set<string>();
    const looked = await this.#lookAtAll(new Set([...differing.keys(), ...known.paths()]), {
      known,
      differing,
      signal,
      older,
    });
    const before = await this.#before(
      [...looked.keys()].filter((path) => !known.has(path)),
      differing,
    );
    const found = new FoundChanges();
    for (const [path, now] of looked) {
      const was = known.get(path) ?? before.get(path);
      if (was === undefined && older.has(path) && !this.#gone.has(path)) found.appear(path, now);
      else found.compare(path, was ?? NOTHING, now);
    }
    // Only from here on it counts as seen: whatever failed above is found again.
    for (const path of [...known.paths()]) {
      if (differing.has(path) || this.#named.has(path)) continue;
      const now = looked.get(path);
      // What changed after git had looked stays known until git has seen it too.
      if (now === undefined || isSameKnown(known.get(path) ?? NOTHING, now)) known.delete(path);
      else known.set(path, now);
    }
    for (const [path, now] of looked) if (differing.has(path) || this.#named.has(path)) known.set(path, now);
    this.#began = began;
    if (known.size > COPY_AGAIN) await this.#copyAgain(known, signal);
    const outcome = found.outcome();
    for (const { path, after } of outcome.changes) if (after === null) this.#gone.add(path);
    return outcome;
  }

  note(path: string, state: FileState): void {
    // Without a signature it is read at the next scan, so whoever changed it meanwhile is found out.
    this.#known?.set(path, { signature: 0, state });
    this.#named.add(path);
    if (state === null) this.#gone.add(path);
  }

  async #begin(signal?: AbortSignal): Promise<void> {
    const { root, index, most = MOST_FILES } = this.#options;
    const path = (await gitPlace(root))?.index;
    if (path === undefined) throw this.#silent();
    if (indexedCount(path) > most) throw tooManyFiles(root, most);
    this.#theirs = { path, signature: indexSignature(path) };
    copyIndex(path, index);
    const differing = await this.#differing(this.#options, signal);
    if (indexedCount(path) + differing.size > most) throw tooManyFiles(root, most);
    const known = new KnownFiles();
    const room = firstRoom(this.#options);
    const paths = new Set([...differing.keys(), ...this.#named]);
    const looked = await this.#lookAtAll(paths, { known, differing, signal, room });
    for (const [one, now] of looked) known.set(one, now);
    this.#known = known;
  }

  /** Nothing counts as seen that was not: what was known stays known, and is only dropped where the new index says it. */
  async #copyAgain(known: KnownFiles, signal?: AbortSignal): Promise<void> {
    const { root, index } = this.#options;
    const signature = indexSignature(this.#theirs.path);
    if (signature === this.#theirs.signature) return;
    const next = { root, index: `${index}.next` };
    copyIndex(this.#theirs.path, next.index);
    const differing = await this.#differing(next, signal);
    const fresh = [...differing.keys()].filter((path) => !known.has(path));
    const before = await this.#before(fresh, await this.#differing(this.#options, signal));
    for (const path of fresh) known.set(path, { ...(before.get(path) ?? NOTHING), signature: 0 });
    for (const path of [...known.paths()]) {
      if (differing.has(path) || this.#named.has(path)) continue;
      const stats = statsOf(join(root, path));
      const { signature: seen, state } = known.get(path) ?? NOTHING;
      if (stats === undefined ? state === null : signatureOf(stats) === seen) known.delete(path);
    }
    if (existsSync(next.index)) renameSync(next.index, index);
    else rmSync(index, { force: true });
    this.#theirs = { ...this.#theirs, signature };
  }

  async #differing(place: GitPlace, signal?: AbortSignal): Promise<Differing> {
    const { include = [] } = this.#options;
    const found = await differingFiles(place, signal);
    const ignored = include.length === 0 ? [] : await ignoredFiles(place, anchoredGlobs(include), signal);
    signal?.throwIfAborted();
    if (found === undefined || ignored === undefined) throw this.#silent();
    for (const [path, state] of found) if (state === "untracked" && isPathLeftOut(path)) found.delete(path);
    for (const path of ignored) found.set(path, "untracked");
    return found;
  }

  #silent(): CheckpointError {
    const { root } = this.#options;
    if (!existsSync(root)) {
      return new CheckpointError("root-gone", `${root} no longer exists`, {
        data: { root },
        hint: "Its files cannot be followed any more. Start Bough in another folder.",
      });
    }
    return new CheckpointError("scan-failed", `git could not say which files changed in ${root}`, {
      data: { root },
      hint: "Run git status there to see why.",
    });
  }

  /** What is at each path that is not as it was known. A file behind a link in a folder above is another file. */
  async #lookAtAll(
    paths: Iterable<string>,
    { known, differing, signal, older, ...first }: Looking,
  ): Promise<ReadonlyMap<string, KnownFile>> {
    const { root } = this.#options;
    const looked = new Map<string, KnownFile>();
    const folders = new RealFolders(root);
    const names = new ExactNames(root);
    const turns = new WorkTurns();
    for (const path of paths) {
      if (turns.isDue) {
        await turns.yieldNow();
        folders.forget();
        names.forget();
        signal?.throwIfAborted();
      }
      // What git does not speak of may have got another spelling of its name.
      const isThere = differing.has(path) ? folders.above(path) === undefined : names.has(path);
      const stats = isThere ? statsOf(join(root, path)) : undefined;
      const old = known.get(path);
      if (stats === undefined) looked.set(path, NOTHING);
      else if (old?.signature !== signatureOf(stats)) {
        if (isOlder(stats, this.#began)) older?.add(path);
        looked.set(path, await lookAt(path, old, { ...this.#options, ...first, stats }));
      }
    }
    return looked;
  }

  /** What files were that have not differed until now: what the index has, or nothing for a path that is not in it. */
  async #before(paths: readonly string[], differing: Differing): Promise<ReadonlyMap<string, KnownFile>> {
    const found = new Map<string, KnownFile>();
    const indexed = paths.filter((path) => differing.get(path) === "indexed");
    for (const path of paths) if (differing.get(path) === "unmerged") found.set(path, unknown(path));
    if (indexed.length === 0) return found;
    const folder = await mkdtemp(join(dirname(this.#options.index), "indexed-"));
    const turns = new WorkTurns();
    try {
      await checkOutIndexed(this.#options, indexed, folder);
      for (const path of indexed) {
        if (turns.isDue) await turns.yieldNow();
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
  return { signature: 0, state: undefined, skipped: { path, why: "unreadable" } };
}
