/**
 * Folders that are there on their own, not only for the files in them: those that were there, with nothing in them, before
 * files came, and those that are still there now that their files are gone. A restore leaves them alone.
 */
import { opendirSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import type { FileDelta } from "@bough/session/entry/index.js";
import { attempt } from "@bough/session/text/index.js";
import type { TreeSource } from "@bough/session/tree/index.js";
import { foldersAbove, RealFolders, statsOf } from "./real-folders.js";
import { isOlder } from "./scan/signature.js";
import { recordAt } from "./steps-between.js";

/** A line stays a line: nobody has more than a few. */
const MOST = 500;

/** Among the folders of changes that were found together; `since` is when the look before them began. */
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

/** In all of a session. */
export function recordedFolders(source: Pick<TreeSource, "tree" | "entryAt">): readonly string[] {
  const found = new Set<string>();
  for (let number = 0; number < source.tree.count; number++) {
    for (const folder of recordAt(source, number)?.record.folders ?? []) found.add(folder);
  }
  return [...found];
}

/** Folders with nothing in them but files that have just come, and that were there before those. */
function filledFolders(
  root: string,
  { made, since }: { readonly made: readonly string[]; readonly since: number },
): readonly string[] {
  const news = new NewFolders(root, { made, since });
  const folders = [...new Set(made.flatMap(foldersAbove))].sort((a, b) => b.length - a.length);
  const own = new Set(made);
  const found: string[] = [];
  // Deepest first: a folder holds nothing else if those in it do not.
  for (const folder of folders) {
    if (!holdsOnly(join(root, folder), (name) => own.has(`${folder}/${name}`))) continue;
    own.add(folder);
    if (!news.has(folder)) found.push(folder);
  }
  return found;
}

/** Folders that were not there, under this name, at the last look. */
class NewFolders {
  readonly #root: string;
  readonly #since: number;
  readonly #known = new Map<string, boolean>();
  /** Folders of files that are older than the last look and were not there then: they came with the folder. */
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

  /** Where a file system does not say when a folder was made, it counts as made just now. */
  #isMade({ birthtimeMs }: Stats): boolean {
    return birthtimeMs === 0 || !isOlder({ ctimeMs: birthtimeMs }, this.#since);
  }

  /** It has another name than before, and nothing was put into it. */
  #isMoved(stats: Stats): boolean {
    return !isOlder(stats, this.#since) && isOlder({ ctimeMs: stats.mtimeMs }, this.#since);
  }
}

/** Of the folders of files that are gone, those that are there and hold nothing. */
function emptiedFolders(root: string, gone: readonly string[]): readonly string[] {
  const folders = new RealFolders(root);
  const nearest = gone.map((path) => foldersAbove(path).find((folder) => folders.above(`${folder}/x`) === undefined));
  return [...new Set(nearest)].flatMap((folder) => {
    return folder !== undefined && holdsOnly(join(root, folder), () => false) ? [folder] : [];
  });
}

/** Reads no further than to the first name that is another: a folder may be large. False if it cannot be read. */
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
