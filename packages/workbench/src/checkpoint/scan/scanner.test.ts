/** One contract for all scanners: in git, a linked worktree, a sparse one, with submodules, and without git. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { FileState } from "@bough/session/entry/index.js";
import { temporaryNameFor } from "@bough/session/log/index.js";
import { describe, expect, test } from "vitest";
import { afterTest } from "../../../../../test/support/after-test.js";
import { git } from "../../../../../test/support/files-place.js";
import { type GitPlace, gitPlaces } from "../../../../../test/support/git-places.js";
import { sampledCases } from "../../../../../test/support/sampled.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { BlobStore, hashOf } from "../store/blob-store.js";
import { FolderScanner } from "./folder-scanner.js";
import { GitScanner } from "./git-scanner.js";
import type { ScannerOptions } from "./scanner.js";
import { isSettled } from "./signature.js";

const LARGEST = 1000;

/** The files that every place starts with. */
function fill(root: string): void {
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "src/a.ts"), "one\n");
  writeFileSync(join(root, "src/b.ts"), "two\n");
  writeFileSync(join(root, "crlf.txt"), "one\r\ntwo\r\n");
  writeFileSync(join(root, "binary"), Buffer.from([0, 1, 2, 255]));
  writeFileSync(join(root, "run.sh"), "#!/bin/sh\n");
  symlinkSync("src/a.ts", join(root, "link"));
  writeFileSync(join(root, ".gitignore"), "ignored.txt\nout/\n");
  writeFileSync(join(root, ".gitattributes"), "crlf.txt text eol=crlf\n");
}

const newPlace = gitPlaces({ fill, sparse: ["src"] });

const RARE: readonly GitPlace[] = [
  "a repository without a commit",
  "a linked worktree",
  "a sparse checkout",
  "a repository with a submodule",
];
const PLACES: Readonly<Record<string, () => string>> = {
  ...Object.fromEntries((["git", ...RARE, "no git"] as const).map((name) => [name, () => newPlace(name)])),
  "no git, where the process works": () => {
    const root = newPlace("no git");
    workIn(root);
    return root;
  },
};

function workIn(folder: string): void {
  const before = process.cwd();
  afterTest(() => process.chdir(before));
  process.chdir(folder);
}

const file = (text: string | Buffer, mode: "644" | "755" = "644"): FileState => {
  const bytes = Buffer.from(text);
  return { hash: hashOf(bytes), mode, size: bytes.length };
};

/** Every byte below `.git`, by name, none of which may change. */
function gitBytes(root: string): readonly string[] {
  const folder = join(root, ".git");
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((item) => item.isFile())
      .map((item) => join(item.parentPath, item.name))
      .sort()
      .map((path) => `${path} ${hashOf(readFileSync(path))}`);
  } catch {
    return [];
  }
}

describe.each(Object.entries(PLACES))("in %s", (name, make) => {
  const isWithoutGit = name.startsWith("no git");
  let number = 0;
  /**
   * For tests that do not depend on the layout of the repository: each runs in one rare layout, or all with
   * BOUGH_RUNS=all.
   */
  const testInSome = (title: string, run: () => Promise<void>): void => {
    const rare: readonly string[] = sampledCases(RARE, number++);
    if (isWithoutGit || name === "git" || rare.includes(name)) test(title, run);
  };
  async function place(more: Partial<ScannerOptions> = {}) {
    const root = make();
    const store = new BlobStore(tempFolder());
    const options = { root, store, largest: LARGEST, ...more };
    const scanner = isWithoutGit
      ? new FolderScanner(options)
      : new GitScanner({ ...options, index: join(store.folder, "index") });
    const at = (path: string) => join(root, path);
    return { root, store, scanner, at };
  }

  test("reading ahead finds nothing itself and hides nothing", async () => {
    const { scanner, at } = await place();
    const never = new AbortController().signal;
    await scanner.warm(never);
    await scanner.scan();
    appendFileSync(at("src/a.ts"), "more\n");
    await scanner.warm(never);
    unlinkSync(at("src/b.ts"));
    await scanner.warm(AbortSignal.abort());
    expect((await scanner.scan()).changes.map(({ path }) => path)).toEqual(["src/a.ts", "src/b.ts"]);
  });

  test("what changed, appeared, went, moved, or got another mode or target is found, with what it was", async () => {
    const { store, scanner, at } = await place();
    expect(await scanner.scan()).toEqual({ changes: [], skipped: [] });
    expect(await scanner.scan()).toEqual({ changes: [], skipped: [] });
    appendFileSync(at("src/a.ts"), "more\n");
    writeFileSync(at("new\nname.txt"), "new");
    renameSync(at("src/b.ts"), at("src/c.ts"));
    chmodSync(at("run.sh"), 0o755);
    unlinkSync(at("link"));
    symlinkSync("elsewhere", at("link"));
    writeFileSync(at("binary"), Buffer.from([9, 0]));
    writeFileSync(at("crlf.txt"), "one\r\n");
    const { changes, skipped } = await scanner.scan();
    expect(skipped).toEqual([]);
    expect(changes).toEqual([
      { path: "binary", before: file(Buffer.from([0, 1, 2, 255])), after: file(Buffer.from([9, 0])) },
      { path: "crlf.txt", before: file("one\r\ntwo\r\n"), after: file("one\r\n") },
      { path: "link", before: { link: "src/a.ts" }, after: { link: "elsewhere" } },
      { path: "new\nname.txt", before: null, after: file("new") },
      { path: "run.sh", before: file("#!/bin/sh\n"), after: file("#!/bin/sh\n", "755") },
      { path: "src/a.ts", before: file("one\n"), after: file("one\nmore\n") },
      { path: "src/b.ts", before: file("two\n"), after: null },
      { path: "src/c.ts", before: null, after: file("two\n") },
    ]);
    for (const { before, after } of changes) {
      for (const state of [before, after]) {
        if (state !== null && "hash" in state) expect((await store.get(state.hash)).length).toBe(state.size);
      }
    }
    expect(await scanner.scan()).toEqual({ changes: [], skipped: [] });
  });

  testInSome("a change that is taken back is found as one, and one within a moment too", async () => {
    const { scanner, at } = await place();
    await scanner.scan();
    writeFileSync(at("src/a.ts"), "two\n");
    expect((await scanner.scan()).changes).toEqual([{ path: "src/a.ts", before: file("one\n"), after: file("two\n") }]);
    // The same size, within the same tick of the clock.
    writeFileSync(at("src/a.ts"), "one\n");
    expect((await scanner.scan()).changes).toEqual([{ path: "src/a.ts", before: file("two\n"), after: file("one\n") }]);
  });

  testInSome("what is ignored is left out, and what is too large is named", async () => {
    const { scanner, at } = await place();
    await scanner.scan();
    writeFileSync(at("ignored.txt"), "x");
    mkdirSync(at("out"));
    writeFileSync(at("out/x"), "x");
    writeFileSync(at("large"), "x".repeat(LARGEST + 1));
    expect(await scanner.scan()).toEqual({
      changes: [],
      skipped: [{ path: "large", why: "too-large", size: LARGEST + 1 }],
    });
    expect((await scanner.scan()).skipped).toEqual([]);
    rmSync(at("large"));
    expect((await scanner.scan()).skipped).toEqual([{ path: "large", why: "too-large", size: LARGEST + 1 }]);
  });

  testInSome(
    "a first scan stores only so much; what is beyond it is named when it changes, and followed from then on",
    async () => {
      const { store, scanner, at } = await place({ firstBytes: 500 });
      for (const name of ["x1", "x2"]) writeFileSync(at(name), name.repeat(200));
      await scanner.scan();
      expect(["x1", "x2"].filter((name) => store.has(hashOf(Buffer.from(name.repeat(200)))))).toHaveLength(1);
      for (const name of ["x1", "x2"]) writeFileSync(at(name), "changed\n");
      const { changes, skipped } = await scanner.scan();
      expect([changes.length, skipped]).toMatchObject([1, [{ why: "not-stored" }]]);
      for (const name of ["x1", "x2"]) writeFileSync(at(name), "again\n");
      expect((await scanner.scan()).changes.map(({ path }) => path)).toEqual(["x1", "x2"]);
    },
  );

  testInSome("ignored files that a glob names are recorded anyway", async () => {
    const { scanner, at } = await place({ include: [".env", "out/kept/*.txt", "node_modules/mine/**"] });
    writeFileSync(at(".gitignore"), ".env\nout/\nnode_modules/\n");
    for (const folder of ["out/kept", "out/other", "node_modules/mine/deep", "node_modules/theirs"]) {
      mkdirSync(at(folder), { recursive: true });
    }
    await scanner.scan();
    const kept = [".env", "node_modules/mine/deep/x", "out/kept/a.txt", "src/.env"];
    const left = ["node_modules/theirs/x", "out/kept/a.bin", "out/other/a.txt"];
    for (const path of [...kept, ...left]) writeFileSync(at(path), "x");
    expect((await scanner.scan()).changes.map(({ path }) => path)).toEqual(kept);
    for (const path of [...kept, ...left]) appendFileSync(at(path), "y");
    expect((await scanner.scan()).changes).toEqual(
      kept.map((path) => ({ path, before: file("x"), after: file("xy") })),
    );
  });

  testInSome(
    "a file that becomes ignored is not taken for gone, and one that is not ignored any more is new",
    async () => {
      const { scanner, at } = await place();
      writeFileSync(at("notes.txt"), "notes");
      await scanner.scan();
      writeFileSync(at(".gitignore"), "ignored.txt\nout/\nnotes.txt\n");
      expect((await scanner.scan()).changes.map(({ path }) => path)).toEqual([".gitignore"]);
      writeFileSync(at("notes.txt"), "more");
      expect((await scanner.scan()).changes).toEqual([]);
      writeFileSync(at(".gitignore"), "ignored.txt\nout/\n");
      expect((await scanner.scan()).changes.map(({ path }) => path)).toEqual([".gitignore", "notes.txt"]);
    },
  );

  testInSome("a repository that appears inside is not recorded, and its files do not count as deleted", async () => {
    const { root, scanner, at } = await place();
    mkdirSync(at("inner"));
    writeFileSync(at("inner/x"), "x");
    // The folder above has not changed for a long time, so it is not listed again.
    utimesSync(root, 1, 1);
    await scanner.scan();
    await scanner.scan();
    git(at("inner"), "init", "--quiet");
    writeFileSync(at("inner/y"), "y");
    expect((await scanner.scan()).changes).toEqual([]);
    writeFileSync(at("inner/z"), "z");
    expect((await scanner.scan()).changes).toEqual([]);
    rmSync(at("inner/.git"), { recursive: true });
    await scanner.scan();
    writeFileSync(at("inner/z"), "other");
    expect((await scanner.scan()).changes.map(({ path }) => path)).toEqual(["inner/z"]);
  });

  testInSome("what happens in a folder in which nothing happened for a while is found", async () => {
    const { root, scanner, at } = await place();
    const settled = async (folder: string) => {
      while (!isSettled(lstatSync(folder))) await setImmediate();
    };
    mkdirSync(at("quiet"));
    for (const name of ["changed", "gone", "moved"]) writeFileSync(at(`quiet/${name}`), name);
    for (const folder of [root, at("quiet")]) await settled(folder);
    await scanner.scan();
    await scanner.scan();
    writeFileSync(at("quiet/changed"), "other");
    expect((await scanner.scan()).changes.map(({ path }) => path)).toEqual(["quiet/changed"]);
    rmSync(at("quiet/gone"));
    renameSync(at("quiet/moved"), at("quiet/new"));
    expect((await scanner.scan()).changes.map(({ path }) => path)).toEqual(["quiet/gone", "quiet/moved", "quiet/new"]);
    await settled(at("quiet"));
    expect((await scanner.scan()).changes).toEqual([]);
    writeFileSync(at("quiet/new"), "new");
    writeFileSync(at("quiet/newer"), "newer");
    expect((await scanner.scan()).changes.map(({ path }) => path)).toEqual(["quiet/new", "quiet/newer"]);
  });

  testInSome("too many files are found out before any is read", async () => {
    const { store, scanner } = await place({ most: 3 });
    await expect(scanner.scan()).rejects.toMatchObject({ code: "too-many-files" });
    expect(readdirSync(store.folder).filter((folder) => /^[0-9a-f]{2}$/.test(folder))).toEqual([]);
  });

  testInSome("a scan that fails half way finds everything again", async () => {
    const { store, scanner, at } = await place();
    await scanner.scan();
    writeFileSync(at("src/a.ts"), "changed\n");
    writeFileSync(at("src/new.ts"), "new\n");
    const real = store.put.bind(store);
    store.put = async (content) => {
      if (content.toString() === "new\n") throw new Error("full");
      return real(content);
    };
    await expect(scanner.scan()).rejects.toThrow("full");
    store.put = real;
    expect((await scanner.scan()).changes.map(({ path }) => path)).toEqual(["src/a.ts", "src/new.ts"]);
  });

  testInSome("what a tool said itself is not said again", async () => {
    const { store, scanner, at } = await place();
    await scanner.scan();
    writeFileSync(at("src/a.ts"), "edited\n");
    await store.put(Buffer.from("edited\n"));
    scanner.note("src/a.ts", file("edited\n"));
    expect((await scanner.scan()).changes).toEqual([]);
    writeFileSync(at("src/a.ts"), "edited again\n");
    expect((await scanner.scan()).changes).toEqual([
      { path: "src/a.ts", before: file("edited\n"), after: file("edited again\n") },
    ]);
  });

  testInSome("a file that becomes a folder, and a folder that becomes a file", async () => {
    const { scanner, at } = await place();
    await scanner.scan();
    rmSync(at("run.sh"));
    mkdirSync(at("run.sh"));
    writeFileSync(at("run.sh/inner"), "inner");
    expect((await scanner.scan()).changes).toEqual([
      { path: "run.sh", before: file("#!/bin/sh\n"), after: null },
      { path: "run.sh/inner", before: null, after: file("inner") },
    ]);
    rmSync(at("run.sh"), { recursive: true });
    writeFileSync(at("run.sh"), "back");
    expect((await scanner.scan()).changes).toEqual([
      { path: "run.sh", before: null, after: file("back") },
      { path: "run.sh/inner", before: file("inner"), after: null },
    ]);
  });

  testInSome(
    "a folder that becomes a link takes its files along; what the link leads to is not looked at",
    async () => {
      const { scanner, at } = await place();
      await scanner.scan();
      writeFileSync(at("src/a.ts"), "changed\n");
      await scanner.scan();
      const outside = tempFolder();
      writeFileSync(join(outside, "a.ts"), "outside\n");
      rmSync(at("src"), { recursive: true });
      symlinkSync(outside, at("src"));
      expect((await scanner.scan()).changes).toEqual([
        { path: "src", before: null, after: { link: outside } },
        { path: "src/a.ts", before: file("changed\n"), after: null },
        { path: "src/b.ts", before: file("two\n"), after: null },
      ]);
    },
  );

  testInSome("what changed between a record and the first scan is found by the next one", async () => {
    const { scanner, at } = await place();
    writeFileSync(at("src/new.ts"), "new\n");
    scanner.recall("src/a.ts", file("by a record\n"));
    scanner.recall("src/b.ts", file("two\n"));
    scanner.recall("src/new.ts", null);
    scanner.recall("src/gone.ts", file("gone\n"));
    scanner.recall("src/ignored.txt", null);
    scanner.note("run.sh", file("by a tool\n"));
    scanner.note("nowhere.ts", file("by a tool\n"));
    expect(await scanner.scan()).toEqual({ changes: [], skipped: [] });
    expect((await scanner.scan()).changes).toEqual([
      { path: "nowhere.ts", before: file("by a tool\n"), after: null },
      { path: "run.sh", before: file("by a tool\n"), after: file("#!/bin/sh\n") },
      { path: "src/a.ts", before: file("by a record\n"), after: file("one\n") },
      { path: "src/gone.ts", before: file("gone\n"), after: null },
      { path: "src/new.ts", before: null, after: file("new\n") },
    ]);
    expect(await scanner.scan()).toEqual({ changes: [], skipped: [] });
  });

  testInSome("a file that `write` of another session is about to move into place is not found", async () => {
    const { scanner, at } = await place();
    await scanner.scan();
    const name = temporaryNameFor("src/a.ts", { pid: 4711, token: "toolu_01/x" }, 0);
    writeFileSync(at(`src/${name}`), "half of it");
    expect(await scanner.scan()).toEqual({ changes: [], skipped: [] });
    unlinkSync(at(`src/${name}`));
    expect(await scanner.scan()).toEqual({ changes: [], skipped: [] });
  });

  testInSome("a folder that becomes a link to itself takes its files along", async () => {
    const { scanner, at } = await place();
    await scanner.scan();
    rmSync(at("src"), { recursive: true });
    symlinkSync("src", at("src"));
    expect((await scanner.scan()).changes).toEqual([
      { path: "src", before: null, after: { link: "src" } },
      { path: "src/a.ts", before: file("one\n"), after: null },
      { path: "src/b.ts", before: file("two\n"), after: null },
    ]);
    unlinkSync(at("src"));
    expect((await scanner.scan()).changes).toEqual([{ path: "src", before: { link: "src" }, after: null }]);
  });

  testInSome("a store that cannot be written is a failure, not a file that cannot be read", async () => {
    const { store, scanner, at } = await place();
    await scanner.scan();
    rmSync(store.folder, { recursive: true });
    writeFileSync(store.folder, "a file");
    writeFileSync(at("src/a.ts"), "changed\n");
    await expect(scanner.scan()).rejects.toThrow();
  });

  test("not a byte below .git changes", async () => {
    const { root, scanner, at } = await place();
    const before = gitBytes(root);
    await scanner.scan();
    writeFileSync(at("src/a.ts"), "changed\n");
    await scanner.scan();
    expect(gitBytes(root)).toEqual(before);
  });

  if (isWithoutGit) return;

  test("a commit, a checkout and a staged change are what they do to files, and nothing else", async () => {
    const { root, scanner, at } = await place();
    await scanner.scan();
    writeFileSync(at("src/a.ts"), "second\n");
    git(root, "add", "src/a.ts");
    git(root, "commit", "--quiet", "-m", "second");
    expect((await scanner.scan()).changes).toEqual([
      { path: "src/a.ts", before: file("one\n"), after: file("second\n") },
    ]);
    if (name === "a repository without a commit") return;
    git(root, "checkout", "--quiet", "HEAD~1", "--", "src/a.ts");
    expect((await scanner.scan()).changes).toEqual([
      { path: "src/a.ts", before: file("second\n"), after: file("one\n") },
    ]);
    writeFileSync(at("src/b.ts"), "staged\n");
    git(root, "add", "src/b.ts");
    expect((await scanner.scan()).changes).toEqual([
      { path: "src/b.ts", before: file("two\n"), after: file("staged\n") },
    ]);
  });

  testInSome(
    "thousands of differing files, committed: the index is taken over, and nothing is found twice or lost",
    async () => {
      const { root, scanner, at } = await place();
      await scanner.scan();
      mkdirSync(at("src/many"));
      for (let n = 0; n < 1100; n++) writeFileSync(at(`src/many/${n}`), `${n % 7}`);
      expect((await scanner.scan()).changes).toHaveLength(1100);
      git(root, "add", "src/many");
      git(root, "commit", "--quiet", "-m", "many");
      expect((await scanner.scan()).changes).toEqual([]);
      writeFileSync(at("src/many/1"), "changed");
      rmSync(at("src/many/2"));
      expect((await scanner.scan()).changes).toEqual([
        { path: "src/many/1", before: file("1"), after: file("changed") },
        { path: "src/many/2", before: file("2"), after: null },
      ]);
    },
  );

  test("no hook runs, and a split or sparse index of the person is not written", async () => {
    const { root, scanner, at } = await place();
    const hooks = git(root, "rev-parse", "--git-path", "hooks").trim();
    const hook = join(hooks.startsWith("/") ? "" : root, hooks, "post-index-change");
    mkdirSync(join(hook, ".."), { recursive: true });
    writeFileSync(hook, `#!/bin/sh\ntouch ${at("hooked")}\n`, { mode: 0o755 });
    git(root, "config", "core.splitIndex", "true");
    git(root, "update-index", "--split-index");
    rmSync(at("hooked"), { force: true });
    const before = gitBytes(root);
    await scanner.scan();
    writeFileSync(at("src/a.ts"), "changed\n");
    expect((await scanner.scan()).changes.map(({ path }) => path)).toEqual(["src/a.ts"]);
    expect([existsSync(at("hooked")), gitBytes(root)]).toEqual([false, before]);
  });

  test("a file whose filter fails is known by its bytes on disk, and no filter is run", async () => {
    const { root, scanner, at } = await place();
    git(root, "add", "-A");
    writeFileSync(at(".gitattributes"), "src/b.ts filter=broken\n");
    git(root, "config", "filter.broken.clean", `touch ${join(root, ".git/ran")}; false`);
    git(root, "config", "filter.broken.smudge", "false");
    git(root, "config", "filter.broken.required", "true");
    await scanner.scan();
    writeFileSync(at("src/b.ts"), "changed\n");
    expect(await scanner.scan()).toEqual({
      changes: [{ path: "src/b.ts", before: file("two\n"), after: file("changed\n") }],
      skipped: [],
    });
    expect(existsSync(at(".git/ran"))).toBe(false);
  });
});
