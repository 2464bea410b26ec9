/**
 * Scans a git repository: git says which files differ from our own index, and only those are checked. The earlier
 * content of a clean file is in git's objects, if the file on disk matched its object. If not, its bytes are stored at
 * the first look. Files that git was told not to check are checked here.
 */
import { existsSync, renameSync, rmSync, type Stats } from "node:fs";
import { join } from "node:path";
import type { FileState } from "@bough/session/entry/index.js";
import { isFilePath } from "@bough/session/entry/internal.js";
import { WorkTurns } from "@bough/session/log/index.js";
import { CheckpointError } from "../checkpoint-error.js";
import { RealFolders, statsOf } from "../real-folders.js";
import { CameIntoView } from "./came-into-view.js";
import { ExactNames } from "./exact-names.js";
import { FoundChanges, isSameKnown, lookAt, NOTHING } from "./file-table.js";
import {
  copyIndex,
  type Differing,
  differingFiles,
  type GitPlace,
  gitPlace,
  ignoredFiles,
  ignoredPaths,
  indexedCount,
  indexSignature,
  readIndex,
} from "./git-files.js";
import type { GitIndex, IndexEntry } from "./git-index.js";
import { convertedFiles, type GitSettings, gitSettings, objectContents } from "./git-objects.js";
import { anchoredGlobs, Included } from "./included.js";
import { type KnownFile, statesOf } from "./known-file.js";
import { KnownFiles } from "./known-files.js";
import { isPathLeftOut } from "./left-out.js";
import { isOddName, oddStats } from "./odd-names.js";
import { runGit } from "./run-git.js";
import {
  firstRoom,
  MOST_FILES,
  type Scanner,
  type ScannerFacts,
  type ScannerOptions,
  type ScanOutcome,
  tooManyFiles,
} from "./scanner.js";
import { isOlder, signatureOf } from "./signature.js";

export interface GitScannerOptions extends Omit<GitPlace, "config">, ScannerOptions {}

/**
 * With more differing files than this, the person's index is copied again if it changed, for example after a commit or
 * checkout.
 */
const COPY_AGAIN = 1000;

/** Everything known after the first look. */
interface Known {
  /**
   * Files that are checked every time, because they differ or differed from our index, or because git does not check
   * them.
   */
  readonly files: KnownFiles;
  /**
   * Clean files that do not match git's objects (all other clean files do), and the last states of files that are
   * ignored now.
   */
  readonly kept: KnownFiles;
  /** Files that git was told not to check, by path. Existing ones are in `files`. */
  unwatched: ReadonlySet<string>;
  readonly settings: GitSettings;
  /** Our index after the last scan. */
  index: GitIndex;
  indexSignature: number;
  /** Folders that were repositories of their own at the last scan. */
  repositories: readonly string[];
}

interface Looking {
  readonly known: KnownFiles;
  readonly differing: Differing["files"];
  readonly signal: AbortSignal | undefined;
  /** For the first scan. */
  readonly room?: { bytes: number };
  /** Collects the paths of files that existed before the last scan. */
  readonly older?: Set<string>;
}

export class GitScanner implements Scanner {
  readonly #options: GitScannerOptions;
  #known: Known | undefined;
  /** Files that tools named: checked every time, because git does not report ignored files. */
  readonly #named = new Set<string>();
  /** When the last completed scan started. */
  #began = 0;
  /** Paths that a record says are deleted: if they reappear, that must be recorded too. */
  readonly #gone = new Set<string>();
  /** States recalled before the first scan. */
  readonly #recalled = new Map<string, FileState>();
  /** What another scanner knew, to continue from. */
  #resumed: Parameters<Scanner["resume"]>[0] | undefined;
  #basis = 0;
  /** The person's index, and its signature when it was copied. */
  #theirs = { path: "", signature: 0 };

  constructor(options: GitScannerOptions) {
    this.#options = options;
  }

  async scan(signal?: AbortSignal): Promise<ScanOutcome> {
    if (this.#resumed !== undefined) {
      this.#known = await this.#continue(this.#resumed);
      this.#resumed = undefined;
    }
    const known = this.#known;
    const began = Date.now();
    if (known === undefined) {
      await this.#begin(signal);
      this.#began = began;
      return { changes: [], skipped: [] };
    }
    const { files } = known;
    const { files: differing, repositories } = await this.#differing(this.#place(known), signal);
    const index = await this.#indexNow(known);
    const older = new Set<string>();
    const appeared = this.#thereNow([...known.unwatched].filter((path) => !files.has(path)));
    const look = { known: files, differing, signal, older };
    this.#leaveIgnored(known, differing);
    const looked = new Map(await this.#lookAtAll(new Set([...differing.keys(), ...files.paths(), ...appeared]), look));
    for (const [path, now] of await this.#lookAtAll(this.#belowLinks(known, looked), look)) looked.set(path, now);
    const converted = await this.#convertedSince(known, { index: index.index, differing, signal });
    for (const [path, now] of await this.#lookAtAll(converted, look)) looked.set(path, now);
    const before = await this.#before(
      [...looked.keys()].filter((path) => !files.has(path)),
      known,
    );
    const found = new FoundChanges();
    const view = new CameIntoView(this.#options.root, {
      began: this.#began,
      repositories: known.repositories,
      excludes: known.settings.excludes,
      changedRules: [...looked.keys()].filter((path) => /(^|\/)\.gitignore$/.test(path)),
    });
    for (const [path, now] of looked) {
      const was = files.get(path) ?? before.get(path);
      const isOld = was === undefined && older.has(path) && !this.#gone.has(path);
      if (isOld && !view.isMoved(path)) found.appear(path, now);
      else found.compare(path, was ?? NOTHING, now);
    }
    // Only now does it count as seen: if anything above failed, the next scan finds it again.
    for (const [path, now] of looked) {
      if (converted.has(path)) known.kept.set(path, now);
      else files.set(path, now);
    }
    Object.assign(known, index, { repositories });
    this.#began = began;
    const outcome = found.outcome();
    for (const { path, after } of outcome.changes) if (after === null) this.#gone.add(path);
    if (files.size - this.#named.size > COPY_AGAIN) await this.#tidy(known, differing, signal);
    return outcome;
  }

  async warm(signal: AbortSignal): Promise<void> {
    // With the person's index, read-only: ours may be in use.
    await runGit(["status", "--porcelain", "--ignore-submodules=all"], { cwd: this.#options.root, signal });
  }

  note(path: string, state: FileState): void {
    // Without a signature it is read at the next scan, so a change made meanwhile is noticed.
    if (this.#known === undefined) this.#recalled.set(path, state);
    else this.#known.files.set(path, { signature: 0, state });
    this.#named.add(path);
    if (state === null) this.#gone.add(path);
  }

  recall(path: string, state: FileState): void {
    if (this.#known === undefined) this.#recalled.set(path, state);
    else if (!this.#known.files.has(path)) this.#known.kept.set(path, { signature: 0, state });
  }

  async lastSeen(paths: readonly string[]): ReturnType<Scanner["lastSeen"]> {
    const known = this.#known;
    if (known === undefined) return new Map();
    const { files, index } = known;
    // The kept state of a file that git does not track is older than the last scan.
    const before = await this.#before(
      paths.filter((path) => !files.has(path) && index.find(path) !== undefined),
      known,
    );
    return statesOf(paths, (path) => files.get(path) ?? before.get(path));
  }

  async leftOut(paths: readonly string[]): ReturnType<Scanner["leftOut"]> {
    const { root, isLeftOut, include = [] } = this.#options;
    const included = new Included(include);
    const folders = new RealFolders(root);
    const asked: string[] = [];
    const left = new Set<string>();
    for (const path of paths) {
      const above = folders.above(path);
      const isReached = above === undefined || above === "missing";
      if (!isReached || isPathLeftOut(path) || isLeftOut?.(path) === true) left.add(path);
      else if (!included.has(path)) asked.push(path);
    }
    const ignored = (await ignoredPaths(root, asked)) ?? asked;
    for (const path of ignored) left.add(path);
    return left;
  }

  /** Files that git no longer reports although they exist. */
  #leaveIgnored({ files, kept, unwatched, index }: Known, differing: Differing["files"]): void {
    const names = new ExactNames(this.#options.root);
    for (const path of [...files.paths()]) {
      if (differing.has(path) || this.#named.has(path) || unwatched.has(path) || index.find(path) !== undefined)
        continue;
      const file = files.get(path);
      if (file === undefined || file.state === null || !names.has(path)) continue;
      // A folder has replaced it.
      if (statsOf(join(this.#options.root, path))?.isDirectory() !== false) continue;
      kept.set(path, file);
      files.delete(path);
    }
  }

  get began(): number {
    return this.#began;
  }

  get basis(): number {
    return this.#basis;
  }

  get facts(): ScannerFacts {
    const { unwatched = [], repositories = [] } = this.#known ?? {};
    return { named: [...this.#named], unwatched: [...unwatched], repositories: [...repositories] };
  }

  *known(): Generator<readonly [string, KnownFile, "kept"?]> {
    const { files, kept } = this.#known ?? {};
    for (const path of kept?.paths() ?? []) yield [path, kept?.get(path) ?? NOTHING, "kept"];
    for (const path of files?.paths() ?? []) yield [path, files?.get(path) ?? NOTHING];
  }

  /** The index is the one the other scanner used. */
  resume(look: Parameters<Scanner["resume"]>[0]): void {
    this.#began = look.began;
    this.#resumed = look;
  }

  async #continue({ known, kept, facts }: Parameters<Scanner["resume"]>[0]): Promise<Known> {
    const { root, index } = this.#options;
    const settings = await gitSettings(root);
    const made: Known = {
      files: new KnownFiles(),
      kept: new KnownFiles(),
      unwatched: new Set(facts.unwatched),
      settings,
      index: await this.#readIndex(this.#place({ settings }), settings),
      indexSignature: indexSignature(index),
      repositories: facts.repositories ?? [],
    };
    for (const path of facts.named ?? []) this.#named.add(path);
    for (const [path, file] of kept) made.kept.set(path, file);
    for (const [path, file] of known) {
      made.files.set(path, file);
      if (file.state === null) this.#gone.add(path);
    }
    this.#basis += 1;
    return made;
  }

  async #begin(signal?: AbortSignal): Promise<void> {
    const { root, index: ours, most = MOST_FILES } = this.#options;
    const path = (await gitPlace(root))?.index;
    if (path === undefined) throw this.#silent();
    if (indexedCount(path) > most) throw tooManyFiles(root, most);
    this.#theirs = { path, signature: indexSignature(path) };
    copyIndex(path, ours);
    const settings = await gitSettings(root);
    const place = this.#place({ settings });
    // Before git's own check, which may remove the marks.
    const unwatched = new Set((await this.#readIndex(place, settings)).unwatched());
    const { files: differing, repositories } = await this.#differing(place, signal);
    if (indexedCount(path) + differing.size > most) throw tooManyFiles(root, most);
    const known: Known = {
      files: new KnownFiles(),
      kept: new KnownFiles(),
      unwatched,
      settings,
      index: await this.#readIndex(place, settings),
      indexSignature: indexSignature(ours),
      repositories,
    };
    const look = { known: known.files, differing, signal, room: firstRoom(this.#options) };
    const paths = new Set([...differing.keys(), ...this.#named, ...this.#thereNow(unwatched)]);
    for (const [one, now] of await this.#lookAtAll(paths, look)) known.files.set(one, now);
    for (const clean of inGroups(
      known.index.entries(),
      (one) => !known.files.has(one.path) && !unwatched.has(one.path),
    )) {
      const converted = await this.#converted(known, clean, signal);
      for (const [one, now] of await this.#lookAtAll(converted, look)) known.kept.set(one, now);
    }
    for (const [one, state] of this.#recalled) {
      const seen = known.files.get(one);
      // Keep what a record says; the next scan reports the difference.
      if (seen === undefined || !isSameKnown(seen, { signature: 0, state }))
        known.files.set(one, { signature: 0, state });
    }
    this.#recalled.clear();
    this.#known = known;
    this.#basis += 1;
    this.#basis += 1;
  }

  #place({ settings }: Pick<Known, "settings">): GitPlace {
    const { root, index } = this.#options;
    return { root, index, config: settings.withoutFilters };
  }

  async #readIndex(place: GitPlace, { hashBytes }: GitSettings): Promise<GitIndex> {
    const index = await readIndex(place, hashBytes);
    if (index === undefined) throw this.#silent();
    return index;
  }

  /** Git rewrites it after it has checked a file or a folder again. */
  async #indexNow(known: Known): Promise<Pick<Known, "index" | "indexSignature">> {
    const signature = indexSignature(this.#options.index);
    if (signature === known.indexSignature) return { index: known.index, indexSignature: signature };
    return { index: await this.#readIndex(this.#place(known), known.settings), indexSignature: signature };
  }

  /** Of clean files, those that do not match git's objects. */
  async #converted(
    { settings }: Pick<Known, "settings">,
    entries: readonly IndexEntry[],
    signal?: AbortSignal,
  ): Promise<ReadonlySet<string>> {
    const { root } = this.#options;
    const found = new Set(await convertedFiles(this.#place({ settings }), entries, signal));
    if (settings.hasModes) return found;
    const turns = new WorkTurns();
    for (const { path, mode } of entries) {
      if (turns.isDue) await turns.yieldNow();
      const stats = found.has(path) ? undefined : statsOf(join(root, path));
      if (stats !== undefined && (stats.mode & 0o100) !== (mode & 0o100)) found.add(path);
    }
    return found;
  }

  /** The same for files that were written since the last scan but are still clean for git. */
  async #convertedSince(
    known: Known,
    { index, differing, signal }: Pick<Looking, "differing" | "signal"> & Pick<Known, "index">,
  ): Promise<ReadonlySet<string>> {
    if (index === known.index) return new Set();
    const again = [...index.seenAgainSince(known.index)].filter(
      ({ path }) => !differing.has(path) && !known.files.has(path) && !known.unwatched.has(path),
    );
    const converted = new Set(await this.#converted(known, again, signal));
    for (const { path } of again) if (known.kept.has(path)) converted.add(path);
    return converted;
  }

  /**
   * Tracked files in a folder that is a link now. If the link points to itself, git does not report them as deleted.
   */
  #belowLinks({ files, index }: Known, looked: ReadonlyMap<string, KnownFile>): readonly string[] {
    const links = [...looked].filter(([, { state }]) => state !== undefined && state !== null && "link" in state);
    return links.flatMap(([path]) => [...index.below(path)]).filter((path) => !looked.has(path) && !files.has(path));
  }

  /** Those of sorted paths that exist. Missing folders are skipped as a whole. */
  #thereNow(paths: Iterable<string>): readonly string[] {
    const { root } = this.#options;
    const folders = new RealFolders(root);
    return [...paths].filter((path) => folders.above(path) === undefined && statsOf(join(root, path)) !== undefined);
  }

  /**
   * Files that match our index again need not be checked every time. If there are many because the person's index
   * changed, that index is copied first. What is known stays known: it only moves to another table.
   */
  async #tidy(known: Known, differing: Differing["files"], signal?: AbortSignal): Promise<void> {
    const { root, index } = this.#options;
    const { files } = known;
    const signature = indexSignature(this.#theirs.path);
    let [now, next] = [differing, known.index];
    if (signature !== this.#theirs.signature) {
      const place = { ...this.#place(known), index: `${index}.next` };
      copyIndex(this.#theirs.path, place.index);
      const unwatched = new Set((await this.#readIndex(place, known.settings)).unwatched());
      ({ files: now } = await this.#differing(place, signal));
      next = await this.#readIndex(place, known.settings);
      const fresh = [...now.keys(), ...this.#thereNow(unwatched)].filter((path) => !files.has(path));
      const before = await this.#before(fresh, known);
      for (const path of fresh) files.set(path, { ...(before.get(path) ?? NOTHING), signature: 0 });
      if (existsSync(place.index)) renameSync(place.index, index);
      else rmSync(index, { force: true });
      this.#theirs = { ...this.#theirs, signature };
      Object.assign(known, { index: next, indexSignature: indexSignature(index), unwatched });
    }
    const clean: IndexEntry[] = [];
    for (const path of [...files.paths()]) {
      if (now.has(path) || this.#named.has(path) || known.unwatched.has(path)) continue;
      const stats = statsOf(join(root, path));
      const { signature: seen, state } = files.get(path) ?? NOTHING;
      const entry = next.find(path);
      if (stats === undefined && state === null && entry === undefined) files.delete(path);
      else if (stats !== undefined && entry !== undefined && signatureOf(stats) === seen) clean.push(entry);
    }
    const converted = await this.#converted(known, clean, signal);
    for (const { path } of clean) {
      if (converted.has(path)) known.kept.set(path, files.get(path) ?? NOTHING);
      else known.kept.delete(path);
      files.delete(path);
    }
    this.#basis += 1;
  }

  async #differing(place: GitPlace, signal?: AbortSignal): Promise<Differing> {
    const { include = [] } = this.#options;
    const found = await differingFiles(place, signal);
    const ignored = include.length === 0 ? [] : await ignoredFiles(place, anchoredGlobs(include), signal);
    signal?.throwIfAborted();
    if (found === undefined || ignored === undefined) throw this.#silent();
    for (const [path, state] of found.files) if (state === "untracked" && isPathLeftOut(path)) found.files.delete(path);
    for (const path of ignored) found.files.set(path, "untracked");
    return found;
  }

  #silent(): CheckpointError {
    const { root } = this.#options;
    if (!existsSync(root)) {
      return new CheckpointError("root-gone", `${root} no longer exists`, {
        data: { root },
        hint: "Its files can no longer be recorded. Start Bough in another folder.",
      });
    }
    return new CheckpointError("scan-failed", `git could not list the changed files in ${root}`, {
      data: { root },
      hint: "Run git status there to see why.",
    });
  }

  /** What is at each path that changed. A file behind a link in a folder above is a different file. */
  async #lookAtAll(
    paths: Iterable<string>,
    { known, differing, signal, older, ...first }: Looking,
  ): Promise<ReadonlyMap<string, KnownFile>> {
    const { root } = this.#options;
    const looked = new Map<string, KnownFile>();
    const folders = new RealFolders(root);
    const names = new ExactNames(root);
    const turns = new WorkTurns();
    // A name that git does not report may have changed its spelling.
    const isThere = (path: string) => (differing.has(path) ? folders.above(path) === undefined : names.has(path));
    const statsAt = (path: string): Stats | undefined => {
      if (isOddName(path)) return oddStats(root, path);
      return isThere(path) ? statsOf(join(root, path)) : undefined;
    };
    for (const path of paths) {
      if (turns.isDue) {
        await turns.yieldNow();
        folders.forget();
        names.forget();
        signal?.throwIfAborted();
      }
      const stats = statsAt(path);
      const old = known.get(path);
      if (stats === undefined) looked.set(path, NOTHING);
      else if (old?.signature !== signatureOf(stats)) {
        if (isOlder(stats, this.#began)) older?.add(path);
        looked.set(path, await lookAt(path, old, { ...this.#options, ...first, stats }));
      }
    }
    return looked;
  }

  /**
   * The previous states of files that were clean until now: the kept state, or git's object; nothing for a file that
   * git was told not to check and that did not exist. Undefined for a path that is not in the index.
   */
  async #before(paths: readonly string[], { kept, unwatched, index, settings }: Known): Promise<Before> {
    const { store, largest, isLeftOut } = this.#options;
    const found = new Map<string, KnownFile>();
    const indexed: IndexEntry[] = [];
    for (const path of paths) {
      const known = unwatched.has(path) ? NOTHING : kept.get(path);
      const entry = known === undefined ? index.find(path) : undefined;
      if (known !== undefined) found.set(path, known);
      else if (entry === undefined) continue;
      else if (isLeftOut?.(path) === true) found.set(path, NOTHING);
      else if (!isFilePath(path) || isOddName(path)) found.set(path, unknown(path, "name"));
      else indexed.push(entry);
    }
    const turns = new WorkTurns();
    for await (const { entry, content, size } of objectContents(this.#place({ settings }), indexed, largest)) {
      if (turns.isDue) await turns.yieldNow();
      const { path, mode } = entry;
      if (content === undefined) found.set(path, unknown(path, size === undefined ? "not-stored" : "too-large", size));
      else found.set(path, { signature: 0, state: await stored(content, mode, store) });
    }
    return found;
  }
}

type Before = ReadonlyMap<string, KnownFile>;

async function stored(content: Buffer, mode: number, store: ScannerOptions["store"]): Promise<FileState> {
  const hash = await store.put(content);
  return { hash, mode: (mode & 0o100) === 0 ? "644" : "755", size: content.length };
}

/** Single entries take much more memory than the index. */
const GROUP = 20_000;

function* inGroups(entries: Iterable<IndexEntry>, isWanted: (entry: IndexEntry) => boolean): Generator<IndexEntry[]> {
  let group: IndexEntry[] = [];
  for (const entry of entries) {
    if (isWanted(entry)) group.push(entry);
    if (group.length < GROUP) continue;
    yield group;
    group = [];
  }
  yield group;
}

function unknown(path: string, why: "name" | "not-stored" | "too-large", size?: number): KnownFile {
  return { signature: 0, state: undefined, skipped: { path, why, ...(size === undefined ? {} : { size }) } };
}
