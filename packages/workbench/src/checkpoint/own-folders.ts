/**
 * Folders that exist on their own, not only for the files in them: folders that were empty before files came, and
 * folders that remained after their files were deleted. A restore leaves them alone.
 */
import { opendirSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import type { FileDelta } from "@bough/session/entry/index.js";
import { attempt } from "@bough/session/text/index.js";
import type { TreeSource } from "@bough/session/tree/index.js";
import { foldersAbove, RealFolders, statsOf } from "./real-folders.js";
import { isOlder } from "./scan/signature.js";
import { recordAt } from "./steps-between.js";

/** Keeps the log line short; real projects have only a few. */
const MOST = 500;

/** Among the folders of changes found together; `since` is when the previous look began. */
export function ownFolders(
  root: string,
  { changes, since }: { readonly changes: readonly FileDelta[]; readonly since: number },
): readonly string[] {
  const made = changes.flatMap(({ path, before, after }) => (before === null && after !== null ? [path] : []));
  const gone = changes.flatMap(({ path, after }) => (after === null ? [path] : []));
  const held = new Set(gone.flatMap(foldersAbove));
  const filled = filledFolders(root, { made, since }).filter((folder) => !held.has(folder));
  const found = new Set([...filled, ...emptiedFolders(root, gone)]);
  return [...found].sort().slice(0, MOST);
}

/** From all records of a session. */
export function recordedFolders(source: Pick<TreeSource, "tree" | "entryAt">): readonly string[] {
  const found = new Set<string>();
  for (let number = 0; number < source.tree.count; number++) {
    for (const folder of recordAt(source, number)?.record.folders ?? []) found.add(folder);
  }
  return [...found];
}

/** Folders that contain only files created just now, and existed before them. */
function filledFolders(
  root: string,
  { made, since }: { readonly made: readonly string[]; readonly since: number },
): readonly string[] {
  const news = new NewFolders(root, { made, since });
  const folders = [...new Set(made.flatMap(foldersAbove))].sort((a, b) => b.length - a.length);
  const own = new Set(made);
  const found: string[] = [];
  // Deepest first: a folder is empty otherwise only if its subfolders are.
  for (const folder of folders) {
    if (!holdsOnly(join(root, folder), (name) => own.has(`${folder}/${name}`))) continue;
    own.add(folder);
    if (!news.has(folder)) found.push(folder);
  }
  return found;
}

/** Folders that did not exist under this name at the last look. */
class NewFolders {
  readonly #root: string;
  readonly #since: number;
  readonly #known = new Map<string, boolean>();
  /** Folders whose files predate the last look but were not there then: the files came with the folder. */
  readonly #moved: ReadonlySet<string>;

  constructor(root: string, { made, since }: { readonly made: readonly string[]; readonly since: number }) {
    this.#root = root;
    this.#since = since;
    const isOld = (path: string) => {
      const stats = attempt(() => statsOf(join(root, path)));
      return stats !== undefined && isOlder(stats, since);
    };
    this.#moved = new Set(made.filter(isOld).map((path) => dirname(path)));
  }

  has(folder: string): boolean {
    const known = this.#known.get(folder) ?? this.#isNew(folder);
    this.#known.set(folder, known);
    return known;
  }

  #isNew(folder: string): boolean {
    if (folder.includes("/") && this.has(dirname(folder))) return true;
    const stats = attempt(() => statsOf(join(this.#root, folder)));
    return stats === undefined || this.#moved.has(folder) || this.#isMade(stats) || this.#isMoved(stats);
  }

  /** If a file system does not report creation times, the folder counts as new. */
  #isMade({ birthtimeMs }: Stats): boolean {
    return birthtimeMs === 0 || !isOlder({ ctimeMs: birthtimeMs }, this.#since);
  }

  /** Renamed, without anything put into it. */
  #isMoved(stats: Stats): boolean {
    return !isOlder(stats, this.#since) && isOlder({ ctimeMs: stats.mtimeMs }, this.#since);
  }
}

/** Of the folders whose files were deleted, those that still exist and are empty. */
function emptiedFolders(root: string, gone: readonly string[]): readonly string[] {
  const folders = new RealFolders(root);
  const nearest = gone.map((path) => foldersAbove(path).find((folder) => folders.above(`${folder}/x`) === undefined));
  return [...new Set(nearest)].flatMap((folder) => {
    return folder !== undefined && holdsOnly(join(root, folder), () => false) ? [folder] : [];
  });
}

/** Stops at the first other name, because a folder may be large. False if it cannot be read. */
function holdsOnly(folder: string, isIts: (name: string) => boolean): boolean {
  const items = attempt(() => opendirSync(folder));
  if (items === undefined) return false;
  try {
    for (let item = items.readSync(); item !== null; item = items.readSync()) if (!isIts(item.name)) return false;
    return true;
  } catch {
    return false;
  } finally {
    items.closeSync();
  }
}
