import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { gitIn } from "../checkpoint/files-place.test-support.js";
import { filesRoot } from "../checkpoint/index.js";
import { cleanFolders, listFolders, makeFolders, writeFolderRecord } from "./index.js";
import { attemptPlace } from "./internal.js";

/** Every file and link below a folder, with what it holds. */
function stateOf(root: string, isLeftOut: (path: string) => boolean = () => false): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const item of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = relative(root, join(item.parentPath, item.name));
    if (item.isDirectory() || isLeftOut(path)) continue;
    const at = join(root, path);
    const isLink = lstatSync(at).isSymbolicLink();
    const content = isLink ? readlinkSync(at) : createHash("sha256").update(readFileSync(at)).digest("hex");
    found[path] = `${isLink ? "link" : (statSync(at).mode & 0o777).toString(8)} ${content}`;
  }
  return found;
}

const isGit = (path: string) => path.split("/")[0] === ".git";
const isInstalled = (path: string) => path.split("/").includes(".venv") || path.split("/").includes("dist");

/** A repository in which nothing is tidy. */
function dirtyProject(): string {
  const upstream = join(tempFolder(), "upstream");
  mkdirSync(join(upstream, "lib"), { recursive: true });
  gitIn(upstream, "init", "-q", "-b", "main");
  writeFileSync(join(upstream, "lib/inner.txt"), "inner\n");
  gitIn(upstream, "add", ".");
  gitIn(upstream, "commit", "-qm", "inner");
  const root = join(tempFolder(), "project");
  mkdirSync(join(root, "src"), { recursive: true });
  gitIn(root, "init", "-q", "-b", "main");
  const write = (path: string, text: string) => {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write(".gitignore", "node_modules/\ndist/\n.env*\n.venv/\n*.log\n");
  for (const name of ["a", "b", "c", "d"]) write(`src/${name}.txt`, `${name}\n`);
  write("run.sh", "#!/bin/sh\n");
  chmodSync(join(root, "run.sh"), 0o755);
  gitIn(root, "add", ".");
  gitIn(root, "commit", "-qm", "one");
  gitIn(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", upstream, "vendored");
  gitIn(root, "commit", "-qm", "two");
  gitIn(root, "branch", "other");
  gitIn(root, "tag", "v1");
  gitIn(root, "remote", "add", "origin", "../upstream");
  gitIn(root, "config", "user.name", "Own Name");
  gitIn(root, "config", "core.autocrlf", "true");
  gitIn(root, "config", "core.fsmonitor", "/bin/false");
  gitIn(root, "config", "filter.upper.smudge", "touch /tmp/bough-filter-ran; cat");
  write(".git/hooks/post-checkout", "#!/bin/sh\ntouch hook-ran\n");
  chmodSync(join(root, ".git/hooks/post-checkout"), 0o755);
  write("src/a.txt", "staged\r\n");
  gitIn(root, "add", "src/a.txt");
  write("src/a.txt", "changed again\r\n");
  write("src/b.txt", "changed\n");
  rmSync(join(root, "src/c.txt"));
  gitIn(root, "rm", "-q", "src/d.txt");
  write("new/untracked.txt", "new\n");
  write(".env", "SECRET=1\n");
  write(".env.local", "SECRET=2\n");
  write("build.log", "log\n");
  write("dist/out.js", "out\n");
  write(".venv/bin/python", "#!\n");
  write("vendored/lib/inner.txt", "changed in the submodule\n");
  write("node_modules/dep/index.js", "dep\n");
  symlinkSync(join(root, "src"), join(root, "node_modules/self"));
  symlinkSync("src/a.txt", join(root, "link"));
  symlinkSync("nowhere", join(root, "dangling"));
  return root;
}

async function made(root: string, count: number, options: Partial<Parameters<typeof makeFolders>[0]> = {}) {
  const home = tempFolder();
  const names = Array.from({ length: count }, (_, n) => `attempt-${n + 1}`);
  return { home, ...(await makeFolders({ cwd: root, home, names, ...options })) };
}

describe("folders of attempts", () => {
  test("start as the files of a dirty repository are now, all equal, and nothing in .git is written", async () => {
    const root = dirtyProject();
    const before = stateOf(root);
    const { home, folders, left, withoutDependencies } = await made(root, 5, { include: ["*.log"] });
    expect({ left, withoutDependencies, source: stateOf(root) }).toEqual({
      left: [],
      withoutDependencies: [],
      source: before,
    });
    const isLeftOut = (path: string) => isGit(path) || isInstalled(path) || path === "vendored/.git";
    const expected = { ...stateOf(root, isLeftOut) };
    const states = folders.map(({ path }) => stateOf(path, isGit));
    expected["node_modules/self"] = `link ${join(folders[0]?.path ?? "", "src")}`;
    expect(states[0]).toEqual(expected);
    for (const [at, state] of states.entries()) {
      const own = { ...state, "node_modules/self": expected["node_modules/self"] };
      expect([state["node_modules/self"], own]).toEqual([
        // Links into the first folder are those of each copy.
        `link ${join(folders[at]?.path ?? "", "src")}`,
        expected,
      ]);
    }
    const [first] = folders;
    const git = (...args: readonly string[]) => gitIn(first?.path ?? "", ...args);
    const env = { ...process.env, GIT_OPTIONAL_LOCKS: "0" };
    const status = (cwd: string) =>
      execFileSync("git", ["status", "--porcelain", "--ignore-submodules"], { cwd, env, encoding: "utf8" });
    expect(status(first?.path ?? "")).toBe(status(root));
    expect(git("for-each-ref")).toBe(gitIn(root, "for-each-ref"));
    expect(git("config", "--local", "user.name").trim()).toBe("Own Name");
    expect(git("remote", "get-url", "origin").trim()).toBe(join(root, "../upstream"));
    expect(() => git("push", "origin", "HEAD:refs/heads/pushed")).toThrow(/attempts-cannot-push/);
    expect(() => git("push", root, "HEAD:refs/heads/pushed")).toThrow(/attempts-cannot-push/);
    expect(statSync(join(home, "attempts")).mode & 0o777).toBe(0o700);
    expect(stateOf(root)).toEqual(before);
    // The same project: records and contents are found from both.
    const [here, there] = [await filesRoot(root, home), await filesRoot(first?.path ?? "", home)];
    expect("off" in here || "off" in there ? "off" : here.store).toBe("off" in there ? "" : there.store);
    expect(attemptPlace(join(first?.path ?? "", "src"), home)?.name).toBe("attempt-1");
    expect(attemptPlace(root, home)).toBeUndefined();
  });

  test("leave out an ignored file that a rule denies, and dependencies that a command installs", async () => {
    const root = dirtyProject();
    const isDenied = (path: string) => path.endsWith(".env.local");
    const { folders, withoutDependencies } = await made(root, 1, { isDenied, dependencies: "leave" });
    const state = Object.keys(stateOf(folders[0]?.path ?? "", isGit));
    expect(withoutDependencies).toEqual(["node_modules"]);
    expect(state.filter((path) => path.startsWith(".env") || path.startsWith("node_modules"))).toEqual([".env"]);
  });

  test("do not follow a link that stands where a tracked folder was", async () => {
    const root = dirtyProject();
    const outside = join(tempFolder(), "outside");
    mkdirSync(outside, { mode: 0o750 });
    writeFileSync(join(outside, "a.txt"), "of the person\n", { mode: 0o640 });
    utimesSync(join(outside, "a.txt"), 1_700_000_000.123456, 1_700_000_000.123456);
    const factsOf = (path: string) => {
      const { mode, mtimeMs, ino } = lstatSync(path);
      return { mode: (mode & 0o777).toString(8), mtimeMs, ino };
    };
    rmSync(join(root, "src"), { recursive: true });
    symlinkSync(outside, join(root, "src"));
    const before = [outside, join(outside, "a.txt")].map(factsOf);
    const { folders } = await made(root, 2);
    expect([outside, join(outside, "a.txt")].map(factsOf)).toEqual(before);
    expect(folders.map(({ path }) => readlinkSync(join(path, "src")))).toEqual([outside, outside]);
  });

  test("are made of shallow, partial, linked, detached and empty repositories, and without git", async () => {
    const origin = join(tempFolder(), "origin");
    mkdirSync(origin);
    gitIn(origin, "init", "-q", "-b", "main");
    gitIn(origin, "config", "uploadpack.allowFilter", "true");
    for (const name of ["one", "two"]) {
      writeFileSync(join(origin, "a.txt"), `${name}\n`);
      gitIn(origin, "add", ".");
      gitIn(origin, "commit", "-qm", name);
    }
    const at = tempFolder();
    const clone = (name: string, ...args: readonly string[]) => {
      gitIn(at, "clone", "-q", ...args, `file://${origin}`, name);
      return join(at, name);
    };
    const linked = join(at, "linked");
    gitIn(origin, "worktree", "add", "-q", "--detach", linked, "HEAD~1");
    const empty = join(at, "empty");
    mkdirSync(empty);
    gitIn(empty, "init", "-q");
    const plain = join(at, "plain");
    mkdirSync(join(plain, "kept/empty"), { recursive: true });
    const roots = {
      shallow: clone("shallow", "--depth=1"),
      partial: clone("partial", "--filter=blob:none"),
      linked,
      empty,
      plain,
    };
    for (const [name, root] of Object.entries(roots)) {
      writeFileSync(join(root, "new.txt"), `${name}\n`);
      const { folders } = await made(root, 2);
      for (const { path } of folders) {
        expect([name, stateOf(path, isGit)]).toEqual([name, stateOf(root, (one) => one.split("/")[0] === ".git")]);
        if (name === "plain") {
          expect(readdirSync(join(path, "kept"))).toEqual(["empty"]);
          continue;
        }
        const log = (folder: string) => gitIn(folder, "log", "--all", "--format=%H %D %s").replace(/\(.*\)/, "");
        expect([name, log(path)]).toEqual([name, log(root)]);
        if (name !== "empty")
          expect([name, gitIn(path, "rev-parse", "HEAD")]).toEqual([name, gitIn(root, "rev-parse", "HEAD")]);
        expect([name, gitIn(path, "status", "--porcelain")]).toEqual([name, "?? new.txt\n"]);
      }
    }
  });

  test("are not left behind if the work is stopped", async () => {
    const root = dirtyProject();
    const home = tempFolder();
    const stop = new AbortController();
    const making = makeFolders({
      cwd: root,
      home,
      names: ["attempt-1", "attempt-2"],
      signal: stop.signal,
      onProgress: ({ done }) => done > 2 && stop.abort(new Error("stopped")),
    });
    await expect(making).rejects.toThrow("stopped");
    expect(listFolders(home)).toEqual({ folders: [], damaged: [] });
    expect(readdirSync(join(home, "attempts"))).toEqual([]);
  });

  test("of processes that are gone are removed, those of running ones are not", async () => {
    const root = dirtyProject();
    const { home, folders } = await made(root, 2);
    const [gone, running] = folders;
    if (gone === undefined || running === undefined) throw new Error("bug: two folders were made");
    mkdirSync(join(gone.path, "closed/inner"), { recursive: true });
    chmodSync(join(gone.path, "closed"), 0o500);
    const ended = { pid: 4_000_000, start: "another-boot:1" };
    writeFolderRecord({ ...gone, owner: ended }, home);
    mkdirSync(join(home, "attempts", "0123456789ab"));
    // As a newer version may write it: nothing is known about the folder beside it.
    mkdirSync(join(home, "attempts", "0123456789ac/project"), { recursive: true });
    writeFileSync(join(home, "attempts", "0123456789ac/record.json"), '{"v":2}');
    const outcomes = (await cleanFolders(home)).map(({ name, outcome }) => [name, outcome]);
    expect(outcomes).toEqual([
      ["attempt-1", "removed"],
      ["attempt-2", "busy"],
      ["0123456789ab", "removed"],
      ["0123456789ac", "kept"],
    ]);
    expect(readdirSync(join(home, "attempts")).sort()).toEqual(["0123456789ac", running.id].sort());
  });
});
