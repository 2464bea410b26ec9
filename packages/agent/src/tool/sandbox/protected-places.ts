/**
 * The places in a project that decide what runs later: which exist, so that a sandbox closes them, and which appeared
 * while a command ran.
 */
import {
  type BigIntStats,
  type Dirent,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isInside } from "@bough/session/log/index.js";
import { attempt, protectionOf } from "@bough/session/text/index.js";
import { changeOf, isUnchanged, type ReadFolder } from "./folder-change.js";
import { isHarmlessGitConfig } from "./harmless-git-config.js";

/** Identifies a file or folder beyond its path. */
export type PlaceId = string;

export interface Places {
  /** What decides what runs, with what it is now. */
  readonly closed: ReadonlyMap<string, PlaceId>;
  /** Folders of git, with those of worktrees and submodules. */
  readonly gitFolders: readonly string[];
  /** Of these, what is written by every commit but not replaced: what is closed in it would go with it. */
  readonly pinned: readonly string[];
  /** Where a link led, for places that are links. */
  readonly links: ReadonlyMap<string, string>;
  /** Sockets in the project. */
  readonly sockets: readonly string[];
  /** The configuration of each repository. */
  readonly configs: ReadonlyMap<string, string>;
  /** False if there were too many folders to look at all. */
  readonly isComplete: boolean;
}

interface KnownFolder extends ReadFolder {
  readonly folders: readonly string[];
  readonly places: readonly string[];
  readonly sockets: readonly string[];
  /** A repository of git without files of its own. */
  readonly isBare: boolean;
}

/** Installed and built files: nobody opens an editor or an agent there, and they are most of the tree. */
const SKIPPED = new Set([
  "node_modules",
  ".venv",
  "venv",
  "__pycache__",
  ".tox",
  "target",
  ".cache",
  ".next",
  ".turbo",
]);

/** Version control and package managers write in these folders all the time; only these parts decide what runs. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  ".hg": ["hgrc"],
  ".sl": ["config"],
  ".jj": ["repo/config.toml", "repo/store/git/config", "repo/store/git/hooks"],
  ".yarn": ["releases", "plugins", "sdks"],
};

/** Git takes a folder with these for a repository. */
const BARE = ["HEAD", "objects", "refs"];
const CONFIGS = ["config", "config.worktree"];
const GIT_PARTS = [...CONFIGS, "hooks", "commondir"];
/** A folder with more files is not Bough's own. */
const MOST_OWN = 100;
const MOST_CONFIG_BYTES = 1024 * 1024;

/** More folders than this are not looked through before every command. */
const MOST_FOLDERS = 20_000;
/** So many are, if a command made so many. */
const MOST_MADE = 1_000_000;
export class ProtectedPlaces {
  readonly #root: string;
  readonly #most: number;
  #known = new Map<string, KnownFolder>();

  constructor(root: string, most = MOST_FOLDERS) {
    this.#root = root;
    this.#most = most;
  }

  /**
   * What is there now, and in folders of git elsewhere that belong to the project. Only folders that changed since the
   * last time are read again.
   */
  now(outsideGit: readonly string[] = []): Places {
    return this.#look(outsideGit, this.#most);
  }

  /** What is there after a command, which may have made any number of folders. */
  after(before: Places, outsideGit: readonly string[]): Places {
    const places = this.#look(outsideGit, this.#most);
    return before.isComplete && !places.isComplete ? this.#look(outsideGit, MOST_MADE) : places;
  }

  #look(outsideGit: readonly string[], most: number): Places {
    const closed = new Map<string, PlaceId>();
    const links = new Map<string, string>();
    const configs = new Map<string, string>();
    const gitFolders: string[] = [];
    const pinned: string[] = [];
    const add = (path: string) => {
      const stats = statsOf(path);
      if (stats === undefined) return;
      closed.set(path, idOf(stats));
      if (stats.isSymbolicLink()) links.set(path, attempt(() => readlinkSync(path)) ?? "");
    };
    const addGit = (git: string, { isBare }: { readonly isBare: boolean }) => {
      for (const folder of gitFoldersIn(git)) {
        gitFolders.push(folder);
        // Those of worktrees are many, and a new one in the place of one of them is found when the command has ended.
        if (!isBare && basename(dirname(folder)) !== "worktrees") pinned.push(folder);
        for (const part of GIT_PARTS) add(join(folder, part));
        for (const name of CONFIGS) {
          const text = configText(join(folder, name));
          if (text !== undefined) configs.set(join(folder, name), text);
        }
      }
    };
    for (const git of outsideGit) addGit(git, { isBare: false });
    const known = new Map<string, KnownFolder>();
    const waiting = [this.#root];
    for (let at = 0; at < waiting.length && at < most; at++) {
      const folder = waiting[at] as string;
      const read = this.#folder(folder);
      if (read === undefined) continue;
      known.set(folder, read);
      waiting.push(...read.folders);
      if (read.isBare) addGit(folder, { isBare: true });
      for (const path of read.places) {
        const parts = PARTS[basename(path)];
        const isFolder = statsOf(path)?.isDirectory() === true;
        if (basename(path) === ".git" && isFolder) {
          addGit(path, { isBare: false });
        } else if (parts !== undefined && isFolder) for (const part of parts) add(join(path, part));
        else add(path);
      }
    }
    this.#known = known;
    const sockets = [...known.values()].flatMap((one) => one.sockets);
    return { closed, gitFolders, pinned, links, configs, sockets, isComplete: waiting.length <= most };
  }

  #folder(folder: string): KnownFolder | undefined {
    const changed = changeOf(folder);
    if (changed === undefined) return undefined;
    const before = this.#known.get(folder);
    if (before !== undefined && isUnchanged(before, changed)) return before;
    const readAt = Date.now();
    const folders: string[] = [];
    const places: string[] = [];
    const sockets: string[] = [];
    const items = itemsOf(folder);
    for (const item of items) {
      const path = join(folder, item.name);
      if (protectionOf(item.name) !== undefined) places.push(path);
      else if (item.isSocket()) sockets.push(path);
      else if (item.isDirectory() && !SKIPPED.has(item.name)) folders.push(path);
    }
    const isBare = BARE.every((name) => items.some((item) => item.name === name));
    return { changed, readAt, folders, places, sockets, isBare };
  }
}

/** A place that a command made or replaced. */
export interface Appeared {
  readonly path: string;
  /** What was here before, if it can be put back. */
  readonly before?: { readonly kind: "link" | "text"; readonly value: string };
}

/**
 * What is new since `before` and decides what runs. A new repository stays as long as it configures nothing: its samples
 * of hooks and the configuration that git itself writes run no program.
 */
export function appearedPlaces(before: Places, after: Places, { isOwn, open }: Exceptions): readonly Appeared[] {
  const known = new Set(before.closed.values());
  const appeared: Appeared[] = [];
  for (const [path, id] of after.closed) {
    if (known.has(id) || open.some((one) => isInside(path, one))) continue;
    const link = before.links.get(path);
    const text = before.configs.get(path);
    for (const one of runningIn(path, { before, after }).flatMap((found) => othersIn(found, isOwn))) {
      if (link !== undefined) appeared.push({ path: one, before: { kind: "link", value: link } });
      else if (text !== undefined) appeared.push({ path: one, before: { kind: "text", value: text } });
      else appeared.push({ path: one });
    }
  }
  return appeared;
}

export interface Exceptions {
  /** Whether Bough wrote a file itself. */
  readonly isOwn: (path: string) => boolean;
  /** What rules open for writing. */
  readonly open: readonly string[];
}

/** The path, without the files in it that Bough wrote itself. */
function othersIn(path: string, isOwn: Exceptions["isOwn"]): readonly string[] {
  const files: string[] = [];
  const waiting = [path];
  for (let at = waiting.pop(); at !== undefined && files.length < MOST_OWN; at = waiting.pop()) {
    if (statsOf(at)?.isDirectory() === true) for (const item of itemsOf(at)) waiting.push(join(at, item.name));
    else files.push(at);
  }
  const others = files.filter((file) => !isOwn(file));
  return others.length === files.length ? [path] : others;
}

/** The parts of a new place that can run something. */
function runningIn(
  path: string,
  { before, after: { gitFolders, configs } }: { readonly before: Places; readonly after: Places },
): readonly string[] {
  const isOfGit = gitFolders.includes(dirname(path));
  const name = basename(path);
  if (isOfGit && name === "hooks") {
    if (statsOf(path)?.isDirectory() !== true) return [path];
    return itemsOf(path)
      .filter((item) => !item.name.endsWith(".sample"))
      .map((item) => join(path, item.name));
  }
  if (isOfGit && CONFIGS.includes(name)) {
    const text = configs.get(path);
    return text !== undefined && isHarmlessGitConfig(text, before.configs.get(path)) ? [] : [path];
  }
  if (isOfGit && name === "commondir") {
    // Git writes one for each of its own worktrees, next to the repository's folder `worktrees`.
    const common = attempt(() => resolve(dirname(path), readFileSync(path, "utf8").trim()));
    return common !== undefined && gitFolders.includes(common) && isInside(join(common, "worktrees"), path)
      ? []
      : [path];
  }
  if (name === ".git") {
    const target = gitFileTarget(path);
    return target !== undefined && gitFolders.includes(target) ? [] : [path];
  }
  return [path];
}

/** The folder that a `.git` file names, as of worktrees and submodules. */
export function gitFileTarget(path: string): string | undefined {
  const text = attempt(() => (lstatSync(path).isFile() ? readFileSync(path, "utf8") : undefined));
  const named = /^gitdir: (.+?)\r?\n?$/.exec(text ?? "")?.[1];
  return named === undefined ? undefined : attempt(() => realpathSync(resolve(dirname(path), named)));
}

/** A folder of git, and those of its worktrees and submodules. */
export function gitFoldersIn(git: string): readonly string[] {
  const found = [git];
  const waiting = [git];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const item of itemsOf(join(folder, "worktrees"))) {
      if (item.isDirectory()) found.push(join(folder, "worktrees", item.name));
    }
    // Names of submodules may have several parts.
    const modules = [join(folder, "modules")];
    for (let at = modules.pop(); at !== undefined; at = modules.pop()) {
      for (const item of itemsOf(at)) {
        if (!item.isDirectory()) continue;
        const path = join(at, item.name);
        if (statsOf(join(path, "HEAD")) === undefined) modules.push(path);
        else {
          found.push(path);
          waiting.push(path);
        }
      }
    }
  }
  return found;
}

function configText(path: string): string | undefined {
  const stats = statsOf(path);
  if (stats?.isFile() !== true || stats.size > MOST_CONFIG_BYTES) return undefined;
  return attempt(() => readFileSync(path, "utf8"));
}

function statsOf(path: string): BigIntStats | undefined {
  return attempt(() => lstatSync(path, { bigint: true }));
}

function idOf(stats: BigIntStats): PlaceId {
  return `${stats.dev}:${stats.ino}:${stats.birthtimeNs}`;
}

function itemsOf(folder: string): readonly Dirent[] {
  return attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [];
}
