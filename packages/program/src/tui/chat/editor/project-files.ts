/** The project files that `@` offers: collected now and then, without ignored files. */
import type { Dirent } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import ignore, { type Ignore } from "ignore";

interface ProjectFilesOptions {
  readonly root: string;
  /** Milliseconds. */
  readonly now: () => number;
  /** At most this many paths are collected, those in the nearest folders first. */
  readonly most?: number;
}

/** After this long, the next request starts a new scan; the old result is used until it is done. */
const FRESH_MS = 10_000;
const MOST = 20_000;
const IGNORE_FILES = [".gitignore", ".ignore", ".rgignore"];
/** Never interesting, and often huge if not ignored. */
const NEVER = new Set([".git", "node_modules"]);

export class ProjectFiles {
  readonly #options: ProjectFilesOptions;
  #known: { readonly paths: readonly string[]; readonly at: number } | undefined;
  #looking: Promise<readonly string[]> | undefined;

  constructor(options: ProjectFilesOptions) {
    this.#options = options;
  }

  /** Paths from the root with `/`; folders end with one. */
  list(): Promise<readonly string[]> {
    const { now } = this.#options;
    if (this.#known !== undefined && now() - this.#known.at < FRESH_MS) return Promise.resolve(this.#known.paths);
    this.#looking ??= this.#look();
    return this.#known === undefined ? this.#looking : Promise.resolve(this.#known.paths);
  }

  async #look(): Promise<readonly string[]> {
    const { root, now, most = MOST } = this.#options;
    const paths = await gather(root, most);
    this.#known = { paths, at: now() };
    this.#looking = undefined;
    return paths;
  }
}

interface Folder {
  /** "" for the root, otherwise with a trailing slash. */
  readonly path: string;
  /** Nearest first. */
  readonly rules: readonly { readonly from: string; readonly rules: Ignore }[];
}

/** Breadth-first, so that the limit drops deep files. Links are listed, not followed. */
async function gather(root: string, most: number): Promise<readonly string[]> {
  const found: string[] = [];
  let level: Folder[] = [{ path: "", rules: [] }];
  while (level.length > 0 && found.length < most) {
    const next: Folder[] = [];
    for (const folder of level) {
      if (found.length >= most) break;
      const items = await itemsOf(join(root, folder.path));
      const own = await rulesOf(join(root, folder.path), items);
      const rules = own === undefined ? folder.rules : [{ from: folder.path, rules: own }, ...folder.rules];
      for (const item of items) {
        const isFolder = item.isDirectory();
        const path = `${folder.path}${item.name}${isFolder ? "/" : ""}`;
        if (NEVER.has(item.name) || isIgnored(path, rules)) continue;
        found.push(path);
        if (isFolder) next.push({ path, rules });
      }
    }
    level = next;
  }
  return found.slice(0, most);
}

function isIgnored(path: string, rules: Folder["rules"]): boolean {
  for (const set of rules) {
    const { ignored, unignored } = set.rules.test(path.slice(set.from.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}

async function itemsOf(folder: string): Promise<readonly Dirent[]> {
  try {
    const items = await readdir(folder, { withFileTypes: true });
    return items.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    // Gone or unreadable: nothing to offer from there.
    return [];
  }
}

async function rulesOf(folder: string, items: readonly Dirent[]): Promise<Ignore | undefined> {
  let rules: Ignore | undefined;
  for (const name of IGNORE_FILES) {
    if (!items.some((item) => item.name === name && item.isFile())) continue;
    try {
      const text = await readFile(join(folder, name), "utf8");
      rules ??= ignore({ ignorecase: false });
      rules.add(text);
    } catch {
      // Unreadable: nothing is ignored because of it.
    }
  }
  return rules;
}
