/**
 * Scans a folder without git: a file is identified by size, time and inode, and read when one of them changes. Contents
 * are stored when a file is first seen, because nothing else has them.
 *
 * Works in short synchronous steps: for calls this short, the thread pool takes three times as long.
 */
import { readdirSync, type Stats } from "node:fs";
import { basename, join } from "node:path";
import type { FileState } from "@bough/session/entry/index.js";
import { WorkTurns } from "@bough/session/log/index.js";
import { attempt } from "@bough/session/text/index.js";
import { foldersAbove, statsOf } from "../real-folders.js";
import { ExactNames } from "./exact-names.js";
import { isSameKnown, lookAt, NOTHING } from "./file-table.js";
import { FolderKeys } from "./folder-keys.js";
import { type Entered, FolderRules, rulesKey, rulesKeyAbove } from "./folder-rules.js";
import { FolderScan, type Place } from "./folder-scan.js";
import { FolderTable, type ItemKind } from "./folder-table.js";
import { Included } from "./included.js";
import { type KnownFile, statesOf } from "./known-file.js";
import { isOddName, oddStats } from "./odd-names.js";
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

export class FolderScanner implements Scanner {
  readonly #options: ScannerOptions;
  readonly #included: Included;
  /** By path; the root is "". Undefined before the first scan. */
  #folders: Map<string, FolderTable> | undefined;
  /**
   * Files that tools named and the walk has not reached yet, or never does because they are ignored: checked every
   * time.
   */
  readonly #named = new Map<string, KnownFile>();
  /** The last states of files that are ignored now. */
  readonly #asleep = new Map<string, KnownFile>();
  /** When the last completed scan started. */
  #began = 0;
  /** Paths that a record says are deleted: if they reappear, that must be recorded too. */
  readonly #gone = new Set<string>();
  /** Key of the ignore files above the root. */
  #rulesAbove = Number.NaN;

  constructor(options: ScannerOptions) {
    this.#options = options;
    this.#included = new Included(options.include ?? []);
  }

  async scan(signal?: AbortSignal): Promise<ScanOutcome> {
    const { root, most = MOST_FILES } = this.#options;
    const began = Date.now();
    const above = rulesKeyAbove(root);
    const rules = new FolderRules(root, this.#included);
    const room = this.#folders === undefined ? { room: firstRoom(this.#options) } : {};
    const folderKeys = new FolderKeys(root);
    const known = this.#folders;
    const named = this.#named.keys();
    const scan = new FolderScan({ root, known, named, rules, above, signal, firstRoom: room, folderKeys });
    if (scan.isFirst) {
      const total = await this.#walk(scan, "count");
      if (total > most) throw tooManyFiles(root, most);
      const { onProgress } = this.#options;
      scan.onPause = () => onProgress?.(Math.min(scan.seen, total), total);
    }
    await this.#walk(scan, "look");
    scan.onPause();
    await this.#lookAtOthers(scan);
    // Only now does it count as seen: if anything above failed, the next scan finds it again.
    scan.finish();
    for (const path of scan.met) {
      this.#named.delete(path);
      this.#asleep.delete(path);
    }
    for (const { path, file } of scan.left) this.#asleep.set(path, file);
    this.#folders = scan.folders;
    this.#rulesAbove = above;
    this.#began = began;
    const outcome = scan.found.outcome();
    for (const { path, after } of outcome.changes) if (after === null) this.#gone.add(path);
    return outcome;
  }

  async warm(signal: AbortSignal): Promise<void> {
    const turns = new WorkTurns();
    for (const [folder, table] of this.#folders ?? []) {
      for (const name of table.names) {
        if (turns.isDue) await turns.yieldNow();
        if (signal.aborted) return;
        attempt(() => statsOf(join(this.#options.root, below(folder, name))));
      }
    }
  }

  note(path: string, state: FileState): void {
    // Without a signature it is read at the next scan, so a change made meanwhile is noticed.
    this.#named.set(path, { signature: 0, state });
    if (state === null) this.#gone.add(path);
  }

  recall(path: string, state: FileState): void {
    this.#asleep.set(path, { signature: 0, state });
  }

  async leftOut(paths: readonly string[]): ReturnType<Scanner["leftOut"]> {
    const { root, isLeftOut } = this.#options;
    const rules = new FolderRules(root, this.#included);
    const isFollowed = (path: string): boolean => {
      let above: Entered | undefined = "followed";
      for (const folder of foldersAbove(path).toReversed()) {
        if (above !== undefined) above = rules.folder(folder, basename(folder), above);
      }
      return above !== undefined && rules.file(path, basename(path), above) !== undefined;
    };
    return new Set(paths.filter((path) => isLeftOut?.(path) === true || !isFollowed(path)));
  }

  async lastSeen(paths: readonly string[]): ReturnType<Scanner["lastSeen"]> {
    return statesOf(paths, (path) => this.#named.get(path) ?? this.#lastListed(path));
  }

  /** What the tables have: the file, or that nothing was there. Undefined for folders and for what is not recorded. */
  #lastListed(path: string): KnownFile | undefined {
    const slash = path.lastIndexOf("/");
    const folder = path.slice(0, Math.max(0, slash));
    const table = this.#folders?.get(folder);
    if (table === undefined) {
      const isNoFolder = folder !== "" && this.#lastListed(folder) !== undefined;
      return isNoFolder ? NOTHING : undefined;
    }
    const at = table.names.indexOf(path.slice(slash + 1));
    if (at < 0) return NOTHING;
    return table.kind(at) === "file" ? table.file(at) : undefined;
  }

  get began(): number {
    return this.#began;
  }

  get basis(): number {
    return this.#folders === undefined ? 0 : 1;
  }

  get facts(): ScannerFacts {
    return { named: [...this.#named.keys()] };
  }

  *known(): Generator<readonly [string, KnownFile]> {
    for (const [folder, table] of this.#folders ?? []) {
      for (const [at, name] of table.names.entries()) {
        if (table.kind(at) === "file") yield [below(folder, name), table.file(at)];
      }
    }
    yield* this.#named;
  }

  resume({ began, known, facts }: Parameters<Scanner["resume"]>[0]): void {
    const folders = new Map<string, [name: string, file: KnownFile][]>();
    const named = new Set(facts.named);
    for (const [path, file] of known) {
      if (file.state === null) this.#gone.add(path);
      if (named.has(path)) this.#named.set(path, file);
      if (file.state === null || named.has(path)) continue;
      const slash = path.lastIndexOf("/");
      const folder = path.slice(0, Math.max(0, slash));
      const files = folders.get(folder) ?? [];
      files.push([path.slice(slash + 1), file]);
      folders.set(folder, files);
    }
    this.#began = began;
    this.#folders = new Map();
    for (const [folder, files] of folders) {
      // Without rules, so that they are applied again.
      const table = new FolderTable(
        files.map(([name]) => name),
        Number.NaN,
      );
      for (const [at, [, file]] of files.entries()) table.setFile(at, file);
      table.isInUse = true;
      this.#folders.set(folder, table);
    }
  }

  /** Returns how many files are recorded; stops counting at the limit. */
  async #walk(scan: FolderScan, purpose: "count" | "look"): Promise<number> {
    const { most = MOST_FILES } = this.#options;
    const waiting: Waiting[] = [
      {
        folder: "",
        entered: "followed",
        isFresh: scan.above !== this.#rulesAbove,
        isNew: false,
        key: scan.folderKeys.ofRoot,
      },
    ];
    let count = 0;
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      scan.signal?.throwIfAborted();
      if (scan.turns.isDue) await scan.pause();
      if (purpose === "look") await this.#look(scan, at, waiting);
      else count += this.#count(scan, at, waiting);
      if (count > most) break;
    }
    return count;
  }

  #count({ rules }: FolderScan, { folder, entered }: Waiting, waiting: Waiting[]): number {
    const items = listed(() => readdirSync(join(this.#options.root, folder), { withFileTypes: true }));
    if (items === undefined || isRepository(folder, items, ({ name }) => name)) return 0;
    let count = 0;
    for (const item of items) {
      const path = below(folder, item.name);
      if (item.isDirectory()) {
        const next = rules.folder(path, item.name, entered);
        if (next !== undefined) waiting.push({ folder: path, entered: next, isFresh: true, isNew: false, key: 0 });
      } else if (rules.file(path, item.name, entered) !== undefined) count += 1;
    }
    return count;
  }

  async #look(scan: FolderScan, at: Waiting, waiting: Waiting[]): Promise<void> {
    const { folder, entered, isFresh: freshAbove, isNew, key } = at;
    const place = join(this.#options.root, folder);
    const old = scan.known.get(folder);
    const isListed = old !== undefined && key !== 0 && old.listed === key;
    const names = isListed ? old.names : listed(() => readdirSync(place));
    if (names === undefined) return keepAll(scan, folder);
    if (!isListed && isRepository(folder, names, (name) => name)) return;
    const rules = isListed && old.rules === 0 ? 0 : rulesKey(place, names);
    const isFresh = freshAbove || old === undefined || old.rules !== rules;
    const isSame = old?.rules === rules && (isListed || old.hasNames(names));
    const table = isSame ? old : new FolderTable(names, rules);
    const placeOf = isSame ? undefined : places(old);
    scan.folders.set(folder, table);
    table.listed = key;
    const isQuick = !isFresh && table === old && !scan.namedIn.has(folder);
    for (let at = 0; at < names.length; at++) {
      if (scan.turns.isDue) await scan.pause();
      const looked = isQuick ? firstOther(table, scan.paths.start + below(folder, ""), names, at) : undefined;
      if (looked !== undefined) at = looked.at;
      if (looked?.isSame === true) continue;
      const name = names[at] as string;
      const path = below(folder, name);
      scan.seen += 1;
      const seen = looked === undefined ? statsOf(`${place}/${name}`) : looked.stats;
      const stats = seen === undefined && isOddName(name) ? oddStats(this.#options.root, path) : seen;
      const was = placeOf === undefined ? at : placeOf.get(name);
      const known = was === undefined || old === undefined ? undefined : { table: old, at: was };
      const kind = stats && this.#kind(scan, { path, name, stats, entered, known: isFresh ? undefined : known });
      if (stats !== undefined && kind === "file") {
        const isHidden = old === undefined ? !isNew : known?.table.kind(known.at) === "left file";
        await this.#lookAtFile(scan, { path, stats, known, table, at, isHidden });
        continue;
      }
      const before = knownFile(known);
      if (before !== undefined) scan.gone.push({ path, file: before });
      // Deleted since the folder was listed.
      if (stats === undefined || kind === undefined || kind === "file") {
        scan.change({ table, at, file: NOTHING });
        continue;
      }
      // Nothing is known about a folder that was hidden, nor about its subfolders.
      const isSameFolder =
        known === undefined ? old === undefined && !isNew : known.table.isFolder(known.at, stats.ino);
      scan.change({ table, at, kind, inode: stats.ino });
      if (kind === "folder" || kind === "searched folder") {
        const key = scan.folderKeys.keyOf(stats);
        const next = kind === "folder" ? "followed" : "left";
        waiting.push({ folder: path, entered: next, isFresh, isNew: !isSameFolder, key });
      }
    }
    if (old !== undefined && table !== old) {
      const now = new Set(names);
      for (const [at, name] of old.names.entries()) {
        if (old.kind(at) === "file" && !now.has(name)) {
          scan.gone.push({ path: below(folder, name), file: old.file(at) });
        }
      }
    }
  }

  async #lookAtFile(
    scan: FolderScan,
    { path, stats, known, table, at, isHidden }: Place & Pick<Item, "path" | "stats" | "known"> & Hidden,
  ): Promise<void> {
    const isNamed = this.#named.has(path);
    const signature = signatureOf(stats);
    if (!isNamed && known?.table === table && table.kind(at) === "file" && table.signature(at) === signature) return;
    const before = this.#named.get(path) ?? knownFile(known) ?? this.#asleep.get(path);
    if (isNamed || this.#asleep.has(path)) scan.met.add(path);
    const isSame = before?.signature === signature;
    const now = isSame ? before : await lookAt(path, before, { ...this.#options, ...scan.firstRoom, stats });
    if (!isSame) scan.paths.renew();
    // Keep what a record says; the next scan reports the difference.
    const isOther = scan.isFirst && before !== undefined && !isSameKnown(before, now);
    if (!isSame && !scan.isFirst) {
      const isOld = isHidden && isOlder(stats, this.#began) && !this.#gone.has(path);
      if (before === undefined && isOld) scan.found.appear(path, now);
      else scan.found.compare(path, before ?? NOTHING, now);
    }
    scan.change({ table, at, file: isOther ? before : now });
  }

  /** The previous classification, if neither the rules nor the item changed. */
  #kind(scan: FolderScan, item: Item): ItemKind {
    const { path, name, stats, entered, known } = item;
    // Folders whose names cannot be represented are not entered.
    const isFolder = stats.isDirectory() && !isOddName(name);
    const before = known?.table.kind(known.at);
    if (before !== undefined && before.endsWith("folder") === isFolder) return before;
    if (!isFolder) return scan.rules.file(path, name, entered) === undefined ? "left file" : "file";
    const next = scan.rules.folder(path, name, entered);
    return next === undefined ? "left folder" : next === "left" ? "searched folder" : "folder";
  }

  /** What the walk did not reach: deleted files, files in deleted folders, and what tools named. */
  async #lookAtOthers(scan: FolderScan): Promise<void> {
    const { root } = this.#options;
    for (const [folder, table] of scan.known) {
      if (scan.folders.has(folder)) continue;
      for (const [at, name] of table.names.entries()) {
        if (table.kind(at) === "file") scan.gone.push({ path: below(folder, name), file: table.file(at) });
      }
    }
    const names = new ExactNames(root);
    for (const { path, file } of scan.gone) {
      if (scan.turns.isDue) {
        await scan.pause();
        names.forget();
      }
      if (this.#named.has(path)) continue;
      // If it still exists, it is ignored now or part of a nested repository, and no longer recorded.
      const stats = names.has(path) ? statsOf(join(root, path)) : undefined;
      if (stats === undefined || stats.isDirectory()) scan.found.compare(path, file, NOTHING);
      else scan.left.push({ path, file });
    }
    names.forget();
    if (scan.isFirst) {
      // Deleted since the record; whatever is there now is ignored.
      for (const [path, file] of this.#asleep) {
        if (!scan.met.has(path) && !names.has(path) && !this.#named.has(path)) this.#named.set(path, file);
      }
      return;
    }
    for (const [path, file] of this.#named) {
      if (scan.met.has(path)) continue;
      const now = names.has(path) ? await lookAt(path, file, this.#options) : NOTHING;
      scan.found.compare(path, file, now);
      this.#named.set(path, now);
    }
  }
}

interface Waiting {
  readonly folder: string;
  readonly entered: Entered;
  /** The rules changed since the last scan. */
  readonly isFresh: boolean;
  /** It did not exist at the last scan, or was another folder. */
  readonly isNew: boolean;
  /** See `FolderKeys`. */
  readonly key: number;
}

interface Hidden {
  /** It may have existed but been hidden at the last scan: it, or a folder above it, was not recorded. */
  readonly isHidden: boolean;
}

interface Item {
  readonly path: string;
  readonly name: string;
  readonly stats: Stats;
  readonly entered: Entered;
  readonly known: Place | undefined;
}

/** How many files are checked before other work gets a turn. */
const AT_ONCE = 32;

/** Most files are unchanged. Skips those, and returns the first item that changed, or the last one. */
function firstOther(
  table: FolderTable,
  start: string,
  names: readonly string[],
  from: number,
): { readonly at: number; readonly stats: Stats | undefined; readonly isSame: boolean } {
  const last = Math.min(names.length, from + AT_ONCE) - 1;
  for (let at = from; ; at++) {
    const stats = statsOf(start + (names[at] as string));
    const isSame = stats !== undefined && table.isFile(at, signatureOf(stats));
    if (!isSame || at === last) return { at, stats, isSame };
  }
}

function below(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** Empty if the folder is gone; undefined if it cannot be read. */
function listed<Entry>(read: () => readonly Entry[]): readonly Entry[] | undefined {
  try {
    return read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? [] : undefined;
  }
}

/** A nested project with its own history. */
function isRepository<Entry>(folder: string, items: readonly Entry[], nameOf: (item: Entry) => string): boolean {
  return folder !== "" && items.some((item) => nameOf(item) === ".git");
}

function places(table: FolderTable | undefined): ReadonlyMap<string, number> {
  return new Map(table?.names.map((name, at) => [name, at]));
}

function knownFile(place: Place | undefined): KnownFile | undefined {
  return place?.table.kind(place.at) === "file" ? place.table.file(place.at) : undefined;
}

/** The contents of an unreadable folder do not count as deleted. */
function keepAll({ known, folders }: FolderScan, folder: string): void {
  for (const [path, table] of known) {
    if (path === folder || path.startsWith(`${folder}/`)) folders.set(path, table);
  }
}
