/** What git says of a working folder, compared with an index of ours that was copied from the person's once. */
import { copyFileSync, existsSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { makeFolder } from "../../log/index.js";
import { runGit } from "./run-git.js";

export interface GitPlace {
  /** The top of the working folder. */
  readonly root: string;
  /** The index of ours. */
  readonly index: string;
}

/** The top level above a folder, or undefined outside of git. */
export async function gitRoot(cwd: string): Promise<string | undefined> {
  const top = await runGit(["rev-parse", "--show-toplevel"], { cwd });
  return top === undefined ? undefined : lineOf(top);
}

/** Copies the person's index, in place of the one there was. False if git does not answer. */
export async function copyIndex({ root, index }: GitPlace): Promise<boolean> {
  const path = await runGit(["rev-parse", "--git-path", "index"], { cwd: root });
  if (path === undefined) return false;
  makeFolder(dirname(index));
  const from = resolve(root, lineOf(path));
  // A repository without a commit has none.
  if (existsSync(from)) copyFileSync(from, index);
  else rmSync(index, { force: true });
  return true;
}

/** Whether a path is in the index, is not, or is in conflict there. */
export type IndexState = "indexed" | "untracked" | "unmerged";

/**
 * Paths that differ from the index, or are not in it. Neither ignored ones nor what is in repositories inside of this one.
 * Undefined if git does not answer.
 */
export async function differingFiles(
  { root, index }: GitPlace,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, IndexState> | undefined> {
  const args = ["status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=all"];
  const said = await runGit(args, { cwd: root, index, ...(signal === undefined ? {} : { signal }) });
  if (said === undefined) return undefined;
  const differing = new Map<string, IndexState>();
  for (const line of said.toString().split("\0")) {
    const found = fileIn(line);
    // A repository inside ends with a slash.
    if (found !== undefined && !found[0].endsWith("/")) differing.set(...found);
  }
  return differing;
}

/** `1 XY sub mH mI mW hH hI path`, `u XY sub m1 m2 m3 mW h1 h2 h3 path`, `? path`. */
function fileIn(line: string): [path: string, state: IndexState] | undefined {
  if (line.startsWith("? ")) return [line.slice(2), "untracked"];
  // A change that is only staged: the file is as in the index.
  if (line.startsWith("1 ") && line[3] !== ".") return [afterFields(line, 8), "indexed"];
  return line.startsWith("u ") ? [afterFields(line, 10), "unmerged"] : undefined;
}

function afterFields(line: string, count: number): string {
  let at = 0;
  for (let field = 0; field < count; field++) at = line.indexOf(" ", at) + 1;
  return line.slice(at);
}

/**
 * Writes what the index has for these paths into a folder, with filters, links and modes, as a checkout would. Paths that
 * are not in it, or that a filter fails for, are not written.
 */
export async function checkOutIndexed(
  { root, index }: GitPlace,
  paths: readonly string[],
  folder: string,
): Promise<void> {
  if (paths.length === 0) return;
  const args = ["checkout-index", "--quiet", "-z", "--stdin", `--prefix=${folder}/`];
  await runGit(args, { cwd: root, index, input: paths.map((path) => `${path}\0`).join("") });
}

function lineOf(output: Buffer): string {
  return output.toString().replace(/\r?\n$/, "");
}
