/**
 * Which files of a project go into the folder of an attempt: everything that git does not ignore, ignored files that
 * were chosen, and installed dependencies apart, because they are many.
 */
import { lstatSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { isInside } from "@bough/session/log/index.js";
import { attempt } from "@bough/session/text/index.js";
import { anchoredGlobs, ignoredFiles, isPathLeftOut, runGit } from "../checkpoint/internal.js";
import { walkFolder } from "./copy-files.js";
import { FolderError } from "./folder-error.js";

export interface ProjectFiles {
  /** Relative to the root. */
  readonly files: readonly string[];
  /** Folders that exist although no file is in them. Only known without git. */
  readonly folders: readonly string[];
  /** Folders of installed dependencies. */
  readonly dependencies: readonly string[];
}

export interface ProjectFilesOptions {
  readonly root: string;
  readonly isGit: boolean;
  /** The person's index. */
  readonly index: string;
  /** `$BOUGH_HOME`, which may be in the project. */
  readonly home: string;
  /** Globs of ignored files to copy. */
  readonly include: readonly string[];
  /** Whether a rule denies reading this ignored file, by its absolute path. */
  readonly isDenied?: ((path: string) => boolean | Promise<boolean>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Ignored files that a project often cannot run without, and settings of this checkout. */
const CHOSEN = [".env", ".env.*", ".bough/**", ".mcp.json"];
/** What package managers install. An environment of Python names its own folder, so it is never copied. */
const DEPENDENCIES: ReadonlySet<string> = new Set(["node_modules", "bower_components", "vendor", "Pods", "deps"]);
const NEVER: ReadonlySet<string> = new Set([".venv", "venv", "__pycache__", ".tox"]);
/** So many repositories may be inside of each other. */
const MOST_DEPTH = 8;

export async function projectFiles(options: ProjectFilesOptions): Promise<ProjectFiles> {
  const { root, isGit } = options;
  const own = attempt(() => realpathSync(options.home)) ?? options.home;
  const isOwn = (path: string) => isInside(own, join(root, path));
  if (!isGit) return withoutGit(options, isOwn);
  const files: string[] = [];
  await listGit(root, { ...options, prefix: "", depth: 0, onFile: (path) => files.push(path) });
  const globs = anchoredGlobs([...CHOSEN, ...options.include]);
  const chosen = (await ignoredFiles({ root, index: options.index }, globs, options.signal)) ?? [];
  const isDenied = async (path: string) => (await options.isDenied?.(join(root, path))) === true;
  const isInstalled = (path: string) => path.split("/").some((name) => DEPENDENCIES.has(name) || NEVER.has(name));
  const isSettings = (path: string) => path.split("/").includes(".bough");
  for (const path of chosen) {
    if (isInstalled(path) || (isPathLeftOut(path) && !isSettings(path))) continue;
    if (!(await isDenied(path))) files.push(path);
  }
  const dependencies = await installed(root, options.signal);
  return { files: [...new Set(files)].filter((path) => !isOwn(path)), folders: [], dependencies };
}

/** Tracked files, and untracked ones that are not ignored; of submodules and nested repositories too. */
async function listGit(
  folder: string,
  options: {
    readonly prefix: string;
    readonly depth: number;
    readonly onFile: (path: string) => void;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<void> {
  const { prefix, depth, onFile, signal } = options;
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
  const said = await runGit(args, { cwd: folder, ...(signal === undefined ? {} : { signal }) });
  if (said === undefined) {
    signal?.throwIfAborted();
    throw new FolderError("copy-failed", `git could not list the files of ${folder}`, { data: { folder } });
  }
  for (const name of said.toString("utf8").split("\0")) {
    if (name === "") continue;
    const path = name.replace(/\/$/, "");
    const stats = attempt(() => lstatSync(join(folder, path), { throwIfNoEntry: false }));
    if (stats === undefined) continue;
    if (!stats.isDirectory()) {
      onFile(prefix + path);
      continue;
    }
    // A submodule, or another repository: its files, without its own `.git`.
    const hasGit = attempt(() => lstatSync(join(folder, path, ".git"), { throwIfNoEntry: false })) !== undefined;
    if (hasGit && depth < MOST_DEPTH) {
      await listGit(join(folder, path), { ...options, prefix: `${prefix}${path}/`, depth: depth + 1 });
    }
  }
}

/** Ignored folders of dependencies. */
async function installed(root: string, signal: AbortSignal | undefined): Promise<readonly string[]> {
  const args = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"];
  const said = await runGit(args, { cwd: root, ...(signal === undefined ? {} : { signal }) });
  return (said?.toString("utf8") ?? "")
    .split("\0")
    .filter((path) => path.endsWith("/") && DEPENDENCIES.has(basename(path)))
    .map((path) => path.replace(/\/$/, ""))
    .filter((path) => attempt(() => lstatSync(join(root, path)).isDirectory()) === true);
}

function withoutGit({ root, include: _, signal }: ProjectFilesOptions, isOwn: (path: string) => boolean): ProjectFiles {
  const files: string[] = [];
  const folders: string[] = [];
  const dependencies: string[] = [];
  const isLeftOut = (path: string, item: { readonly name: string; isDirectory(): boolean }) => {
    signal?.throwIfAborted();
    if (!item.isDirectory()) return false;
    if (NEVER.has(item.name) || isOwn(path)) return true;
    // Without git, `vendor` and `deps` may be the person's own.
    if (item.name !== "node_modules" && item.name !== "bower_components") return false;
    dependencies.push(path);
    return true;
  };
  for (const { path, isFolder } of walkFolder(root, isLeftOut)) (isFolder ? folders : files).push(path);
  return { files, folders, dependencies };
}
