/**
 * Folders of every kind that files are followed in: repositories, and one without git. Each is made once for a test file,
 * and copied for each test: to make one takes git up to twenty processes.
 */
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { git } from "./files-place.js";
import { tempFolder } from "./temp-folder.js";

export interface GitPlacesOptions {
  /** Writes the files that every place begins with. */
  readonly fill: (root: string) => void;
  /** The folders that the sparse checkout keeps. */
  readonly sparse: readonly string[];
}

export type GitPlace =
  | "git"
  | "a repository without a commit"
  | "a linked worktree"
  | "a sparse checkout"
  | "a repository with a submodule"
  | "no git";

/** Where the place is in the folder that is made and copied. */
const ROOT = "root";

/** Answers a new copy of a place, which is deleted after the test. Call this once in a file, outside its tests. */
export function gitPlaces({ fill, sparse }: GitPlacesOptions): (place: GitPlace) => string {
  const made = new Map<GitPlace, string>();
  const make = (place: GitPlace): string => {
    const folder = mkdtempSync(join(tmpdir(), "bough-git-place-"));
    try {
      MAKE[place](folder, { fill, sparse });
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
    made.set(place, folder);
    return folder;
  };
  afterAll(() => {
    for (const folder of made.values()) rmSync(folder, { recursive: true, force: true });
  });
  return (place) => {
    const folder = realpathSync(tempFolder());
    cpSync(made.get(place) ?? make(place), folder, { recursive: true, verbatimSymlinks: true });
    const root = join(folder, ROOT);
    if (place === "a linked worktree") link(folder, root);
    // Times and numbers of the files are new, and git would read all of them to find out that nothing else is.
    if (place !== "no git" && place !== "a repository without a commit") git(root, "update-index", "-q", "--refresh");
    return root;
  };
}

const MAKE: Readonly<Record<GitPlace, (folder: string, options: GitPlacesOptions) => void>> = {
  git: (folder, { fill }) => commitAll(filled(folder, fill)),
  "a repository without a commit": (folder, { fill }) => git(filled(folder, fill), "init", "--quiet"),
  "a linked worktree": (folder, { fill }) => {
    const main = filled(folder, fill, "main");
    commitAll(main);
    git(main, "worktree", "add", "--quiet", "-b", "linked", join(folder, ROOT));
  },
  "a sparse checkout": (folder, { fill, sparse }) => {
    const root = filled(folder, fill);
    mkdirSync(join(root, "elsewhere"));
    writeFileSync(join(root, "elsewhere/far.txt"), "far");
    commitAll(root);
    git(root, "sparse-checkout", "set", ...sparse);
  },
  "a repository with a submodule": (folder, { fill }) => {
    const inner = filled(folder, (inside) => writeFileSync(join(inside, "inner.txt"), "inner"), "inner");
    commitAll(inner);
    const root = filled(folder, fill);
    commitAll(root);
    git(root, "submodule", "--quiet", "add", inner, "module");
    git(root, "commit", "--quiet", "-m", "module");
  },
  "no git": (folder, { fill }) => filled(folder, fill),
};

function filled(folder: string, fill: (root: string) => void, name = ROOT): string {
  const root = join(folder, name);
  mkdirSync(root);
  fill(root);
  return root;
}

function commitAll(root: string): void {
  git(root, "init", "--quiet");
  git(root, "add", "-A");
  git(root, "commit", "--quiet", "-m", "first");
}

/** The two paths of a linked worktree and its repository to each other, which are absolute. */
function link(folder: string, root: string): void {
  const own = join(folder, "main/.git/worktrees", ROOT);
  writeFileSync(join(root, ".git"), `gitdir: ${own}\n`);
  writeFileSync(join(own, "gitdir"), `${join(root, ".git")}\n`);
}
