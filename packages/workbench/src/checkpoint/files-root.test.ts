/** Which folder is the root, and that its store is found again. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { type FilesRoot, filesRoot, rememberRoot } from "./files-root.js";

afterEach(() => vi.unstubAllEnvs());

const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.com", ...args], { cwd, stdio: "ignore" });

function commit(root: string, text: string): void {
  git(root, "init", "--quiet");
  writeFileSync(join(root, "a.txt"), text);
  git(root, "add", "-A");
  git(root, "commit", "--quiet", "-m", text);
}

async function found(cwd: string, home: string): Promise<FilesRoot> {
  const root = await filesRoot(cwd, home);
  if ("off" in root) throw new Error(root.off);
  rememberRoot(root);
  return root;
}

test("the top of a repository is the root, from any folder in it; without git the working folder is", async () => {
  const [home, repository, plain] = [tempFolder(), tempFolder(), tempFolder()];
  commit(repository, "one");
  mkdirSync(join(repository, "deep"));
  expect(await found(join(repository, "deep"), home)).toMatchObject({ root: repository, isGit: true });
  expect(await found(plain, home)).toMatchObject({ root: plain, isGit: false });
  const link = join(tempFolder(), "link");
  symlinkSync(plain, link);
  expect(await found(link, home)).toMatchObject({ root: plain });
});

test("a repository that keeps its files elsewhere is not recorded", async () => {
  const [home, repository, other] = [tempFolder(), tempFolder(), tempFolder()];
  commit(repository, "one");
  git(repository, "config", "core.worktree", other);
  expect(await filesRoot(repository, home)).toEqual({ off: "worktree" });
  git(repository, "config", "core.worktree", "..");
  expect(await filesRoot(repository, home)).toMatchObject({ root: repository });
});

test("a repository that was moved, copied or cloned has the same store; another one has not", async () => {
  const [home, place] = [tempFolder(), tempFolder()];
  const first = join(place, "first");
  mkdirSync(first);
  commit(first, "one");
  const { store } = await found(first, home);
  renameSync(first, join(place, "moved"));
  git(place, "clone", "--quiet", join(place, "moved"), join(place, "cloned"));
  cpSync(join(place, "moved"), join(place, "copied"), { recursive: true });
  for (const name of ["moved", "cloned", "copied"]) expect((await found(join(place, name), home)).store).toBe(store);
  mkdirSync(first);
  commit(first, "another");
  expect((await found(first, home)).store).not.toBe(store);
});

test("a folder without git is found again when it was moved, and when it became a repository with a commit", async () => {
  const [home, place] = [tempFolder(), tempFolder()];
  const [first, moved] = [join(place, "first"), join(place, "moved")];
  mkdirSync(first);
  const { store } = await found(first, home);
  renameSync(first, moved);
  expect((await found(moved, home)).store).toBe(store);
  git(moved, "init", "--quiet");
  expect((await found(moved, home)).store).toBe(store);
  commit(moved, "one");
  expect((await found(moved, home)).store).toBe(store);
  git(place, "clone", "--quiet", moved, join(place, "cloned"));
  expect((await found(join(place, "cloned"), home)).store).toBe(store);
});

test("in a repository of a whole home folder the working folder is the root, apart from others in it", async () => {
  const [home, person] = [tempFolder(), tempFolder()];
  vi.stubEnv("HOME", person);
  commit(person, "dot files");
  for (const name of ["a", "b"]) mkdirSync(join(person, name));
  const [a, b] = [await found(join(person, "a"), home), await found(join(person, "b"), home)];
  expect([a.root, a.isGit, a.store === b.store]).toEqual([join(person, "a"), false, false]);
  expect(await filesRoot(person, home)).toEqual({ off: "home" });
});

test("a repository's inside, the root of the system and a folder that is gone are never a root", async () => {
  const [home, root, bare] = [tempFolder(), tempFolder(), tempFolder()];
  commit(root, "one");
  git(bare, "init", "--quiet", "--bare");
  expect(await filesRoot(join(root, ".git", "refs"), home)).toEqual({ off: "repository" });
  expect(await filesRoot(join(bare, "objects"), home)).toEqual({ off: "repository" });
  expect(await filesRoot("/", home)).toEqual({ off: "system" });
  rmSync(root, { recursive: true });
  expect(await filesRoot(root, home)).toEqual({ off: "gone" });
});

test("an index with too many files is found out from its first bytes", async () => {
  const [home, root] = [tempFolder(), tempFolder()];
  commit(root, "one");
  const index = Buffer.alloc(12);
  index.write("DIRC");
  index.writeUInt32BE(2, 4);
  index.writeUInt32BE(500_001, 8);
  writeFileSync(join(root, ".git", "index"), index);
  expect(await filesRoot(root, home)).toEqual({ off: "many" });
});
