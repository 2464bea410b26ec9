/** What can go wrong with files that follow a session: each has a result that is known beforehand, and nothing is lost. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FileState } from "@bough/session/entry/index.js";
import { applyFiles, BlobStore, hashOf, planFiles, SessionFiles } from "@bough/workbench/checkpoint/index.js";
import { describe, expect, test } from "vitest";
import { FilesPlace, git } from "./support/files-place.js";
import { hasSmallDisks, smallDisk } from "./support/small-disk.js";
import { damageContent, removeContent } from "./support/stored-contents.js";
import { tempFolder } from "./support/temp-folder.js";

const read = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : undefined);
const stored = async (store: BlobStore, text: string) =>
  (await store.get(hashOf(Buffer.from(text))).catch(() => undefined))?.toString();

/** Two states of two files: `old` before the step, `new` after it; the leaf is after it. */
async function edited(options: ConstructorParameters<typeof FilesPlace>[0] = {}) {
  const place = new FilesPlace(options);
  for (const path of ["a", "folder/b"]) place.write(path, "old");
  const first = place.say("first");
  await place.step("edit", () => {
    for (const path of ["a", "folder/b"]) place.write(path, "new");
  });
  return { place, first };
}

describe("between a plan and its restore", () => {
  test.each<[string, (place: FilesPlace) => void]>([
    ["a file changes", (place) => place.write("folder/b", "mine")],
    ["a file vanishes", (place) => rmSync(place.at("folder/b"))],
    [
      "a file becomes a folder",
      (place) => {
        rmSync(place.at("folder/b"));
        place.write("folder/b/c", "mine");
      },
    ],
    [
      "a file becomes a link",
      (place) => {
        rmSync(place.at("folder/b"));
        symlinkSync("../a", place.at("folder/b"));
      },
    ],
    [
      "a folder becomes a link to a place outside",
      (place) => {
        const outside = tempFolder();
        renameSync(place.at("folder"), join(outside, "folder"));
        symlinkSync(join(outside, "folder"), place.at("folder"));
      },
    ],
  ])("%s: nothing is restored, and it says which file", async (_, change) => {
    const { place, first } = await edited();
    const plan = await place.files.plan(first);
    change(place);
    await expect(applyFiles(plan, { store: place.store })).rejects.toMatchObject({
      code: "files-changed",
      message: expect.stringContaining("folder/b changed while it was about to be restored"),
    });
    expect([read(place.at("a")), readdirSync(place.root)]).toEqual(["new", ["a", "folder"]]);
    const outcome = await place.go(first);
    // Whatever is in the way now is a conflict, and stays.
    expect([outcome.written, outcome.kept, read(place.at("a"))]).toEqual([["a"], ["folder/b"], "old"]);
  });

  test("a read-only file is restored and stays read-only", async () => {
    const { place, first } = await edited();
    chmodSync(place.at("a"), 0o444);
    await place.go(first);
    expect([read(place.at("a")), statSync(place.at("a")).mode & 0o777]).toEqual(["old", 0o444]);
  });

  test("a folder that is closed to us: nothing is restored, and it says so", async () => {
    const { place, first } = await edited();
    const plan = await place.files.plan(first);
    chmodSync(place.at("folder"), 0o555);
    const child = runChild("restore", { store: place.store.folder, plan }, { asNobody: place });
    chmodSync(place.at("folder"), 0o755);
    expect(child).toMatchObject({ code: "restore-failed", message: expect.stringMatching(/permission denied/i) });
    expect([read(place.at("a")), read(place.at("folder/b"))]).toEqual(["new", "new"]);
  });
});

const CHILD = fileURLToPath(new URL("support/restore-child.mjs", import.meta.url));

/** Restores in another process. As root everything is open, so a user without rights does it. */
function runChild(what: string, input: object, { asNobody }: { readonly asNobody?: FilesPlace } = {}) {
  const file = join(tempFolder(), "input.json");
  writeFileSync(file, JSON.stringify(input));
  const isRoot = asNobody !== undefined && process.getuid?.() === 0;
  if (isRoot) spawnSync("chown", ["-R", "65534", asNobody.root, join(asNobody.store.folder, ".."), join(file, "..")]);
  const done = spawnSync(process.execPath, [CHILD, what, file, ...(isRoot ? ["nobody"] : [])], { encoding: "utf8" });
  return done.stdout === "" ? { stderr: done.stderr } : JSON.parse(done.stdout);
}

describe("a full disk", () => {
  async function aboutToRestore() {
    const { place, first } = await edited();
    place.write("a", "unsaved");
    mkdirSync(place.at("new"));
    rmSync(place.at("new"), { recursive: true });
    await place.files.record({ by: "person" });
    const plan = await place.files.plan(first);
    // A folder that is missing has to be made in the second half.
    rmSync(place.at("folder"), { recursive: true });
    const targets = plan.files.map((one) => (one.path === "a" ? one : { ...one, present: null }));
    return { place, plan: { ...plan, files: targets } };
  }

  /** As many are done by one process. */
  const AT_ONCE = 10;

  /** Fails each call that needs space in turn: the n-th one, and all after it until the disk has room again. */
  test("at any call: everything is as before, or the next restore finishes it; what was there is stored", async () => {
    const ends = { "restore-failed": 0, "restore-stopped": 0, done: 0 };
    for (let at = 1; ends.done === 0; at += AT_ONCE) {
      const runs = await Promise.all(Array.from({ length: AT_ONCE }, aboutToRestore));
      const inputs = runs.map(({ place, plan }, n) => ({ store: place.store.folder, plan, failAt: at + n }));
      const ended: { code: keyof typeof ends; message: string }[] = runChild("full", inputs);
      for (const [n, { code, message }] of ended.entries()) {
        const { place } = runs[n] as (typeof runs)[number];
        ends[code] += 1;
        if (code === "restore-failed") {
          expect([at + n, read(place.at("a")), existsSync(place.at("folder"))]).toEqual([at + n, "unsaved", false]);
          expect(message).toMatch(/^Files were not restored: /);
        } else {
          if (code === "restore-stopped") {
            expect(message).toMatch(/^The restore could not be completed: /);
            await new FilesPlace({ root: place.root, store: place.store }).files.begin();
          }
          expect([read(place.at("a")), read(place.at("folder/b"))]).toEqual(["old", "old"]);
        }
        expect([at + n, await stored(place.store, "unsaved")]).toEqual([at + n, "unsaved"]);
        expect([at + n, readdirSync(place.root).filter((name) => name.startsWith(".bough"))]).toEqual([at + n, []]);
      }
    }
    expect(ends["restore-failed"]).toBeGreaterThan(5);
    expect(ends["restore-stopped"]).toBeGreaterThan(0);
  }, 120_000);

  test.skipIf(!hasSmallDisks)(
    hasSmallDisks
      ? "a real one, of a megabyte"
      : "NOT TESTED: a disk that is really full needs root and leave to mount a tmpfs",
    async () => {
      const disk = smallDisk("1m");
      const place = new FilesPlace({ root: disk });
      const large = (sign: string) => sign.repeat(300_000);
      for (const path of ["a", "b", "c"]) place.write(path, large("o"));
      const first = place.say("first");
      await place.step("shrink", () => {
        for (const path of ["a", "b", "c"]) place.write(path, "new");
      });
      place.write("filler", "x".repeat(500_000));
      await expect(place.go(first)).rejects.toMatchObject({
        code: "restore-failed",
        message: expect.stringMatching(/^Files were not restored: .*no space left on device/i),
      });
      expect(["a", "b", "c"].map((path) => read(place.at(path)))).toEqual(["new", "new", "new"]);
      expect(readdirSync(disk).sort()).toEqual(["a", "b", "c", "filler"]);
      rmSync(place.at("filler"));
      expect((await place.go(first)).written).toEqual(["a", "b", "c"]);
      expect(read(place.at("c"))).toBe(large("o"));
    },
  );
});

describe("two processes that restore in one folder", () => {
  test("never mix their files: one waits for the other, or is told that files changed", async () => {
    const root = tempFolder();
    const store = new BlobStore(join(tempFolder(), "store"));
    const paths = Array.from({ length: 60 }, (_, n) => `f${n}`);
    const state = async (text: string): Promise<FileState> => ({
      hash: await store.put(Buffer.from(text)),
      mode: "644",
      size: text.length,
    });
    const [start, one, two] = [await state("start"), await state("one"), await state("two")];
    for (let round = 0; round < 5; round++) {
      for (const path of paths) writeFileSync(join(root, path), "start");
      const runs = await Promise.all(
        [one, two].map(async (wanted) => {
          const targets = paths.map((path) => ({ path, expected: start, wanted, byPerson: false }));
          const plan = await planFiles(targets, { root, store });
          const file = join(tempFolder(), "input.json");
          writeFileSync(file, JSON.stringify({ store: store.folder, plan }));
          const child = spawn(process.execPath, [CHILD, "restore", file], { stdio: ["ignore", "pipe", "inherit"] });
          const [said] = await once(child.stdout, "data");
          return JSON.parse(String(said)).code as string;
        }),
      );
      expect(runs.sort()).toEqual(["done", "files-changed"]);
      const now = new Set(paths.map((path) => read(join(root, path))));
      expect([["one", "two"].includes([...now][0] ?? ""), now.size, readdirSync(root).length]).toEqual([true, 1, 60]);
    }
  });
});

describe("contents that are not there", () => {
  test("a missing and a damaged one are named, and the rest is restored", async () => {
    const place = new FilesPlace();
    for (const path of ["a", "b", "c"]) place.write(path, `old ${path}`);
    const first = place.say("first");
    await place.step("edit", () => {
      for (const path of ["a", "b", "c"]) place.write(path, "new");
    });
    await removeContent(place.store, hashOf(Buffer.from("old a")));
    damageContent(place.store, hashOf(Buffer.from("old b")));
    const again = new FilesPlace({ root: place.root, store: new BlobStore(place.store.folder) });
    const files = new SessionFiles({ ...again, session: place.session });
    const plan = await files.plan(first);
    expect(plan.missing.map(({ path, why }) => [path, why])).toEqual([
      ["a", "missing"],
      ["b", "damaged"],
    ]);
    const outcome = await files.restore(plan);
    expect([outcome.written, outcome.missing]).toEqual([["c"], ["a", "b"]]);
    expect(["a", "b", "c"].map((path) => read(place.at(path)))).toEqual(["new", "new", "old c"]);
  });

  test("a damaged one is mended before the file that still has it is replaced", async () => {
    const { place, first } = await edited();
    damageContent(place.store, hashOf(Buffer.from("new")));
    const store = new BlobStore(place.store.folder);
    await applyFiles(
      await planFiles((await place.files.plan(first)).files.map(asTarget), { root: place.root, store }),
      {
        store,
      },
    );
    expect([read(place.at("a")), await stored(store, "new")]).toEqual(["old", "new"]);
  });

  test("a log from another machine: every file is named and stays, and a long list says what is missing", async () => {
    const { place, first } = await edited();
    const store = new BlobStore(join(tempFolder(), "elsewhere"));
    const files = new SessionFiles({ session: place.session, root: place.root, store, scanner: place.scanner });
    const plan = await files.plan(first);
    expect([plan.files, plan.missing.map(({ path, why }) => [path, why])]).toEqual([
      [],
      [
        ["a", "missing"],
        ["folder/b", "missing"],
      ],
    ]);
    expect(await files.restore(plan)).toMatchObject({ kind: "unchanged", missing: ["a", "folder/b"] });
    await place.step("many", () => {
      for (let n = 0; n < 600; n++) place.write(`many/${n}`, "x");
    });
    await expect(files.plan(first)).rejects.toMatchObject({
      code: "blob-missing",
      message: expect.stringMatching(/^File version [0-9a-f]{12} is not on this machine$/),
    });
  });
});

const asTarget = ({ path, present, wanted }: { path: string; present: FileState; wanted: FileState }) => ({
  path,
  expected: present,
  wanted,
  byPerson: false,
});

describe("commands that do much", () => {
  test("the working folder is deleted, without git: everything is recorded, and comes back", async () => {
    const { place } = await edited();
    const before = place.say("before");
    await place.step("rm", () => rmSync(place.root, { recursive: true }));
    expect(existsSync(place.root)).toBe(false);
    await place.go(before);
    expect([read(place.at("a")), read(place.at("folder/b"))]).toEqual(["new", "new"]);
  });

  test("a folder in a repository is deleted: what git had comes back too", async () => {
    const place = new FilesPlace({ isGit: true });
    for (const path of ["a", "folder/b"]) place.write(path, "committed");
    repository(place.root);
    const before = place.say("before");
    await place.step("rm", () => rmSync(place.at("folder"), { recursive: true }));
    await place.go(before);
    expect(read(place.at("folder/b"))).toBe("committed");
  });

  test("the whole repository is deleted: it says that the folder is gone, and records nothing", async () => {
    const place = new FilesPlace({ isGit: true });
    place.write("a", "committed");
    repository(place.root);
    place.say("before");
    await place.files.begin();
    rmSync(place.root, { recursive: true });
    await expect(place.files.record({ by: "tool", tool: "bash" })).rejects.toMatchObject({
      code: "root-gone",
      message: `${place.root} no longer exists`,
    });
  });

  test("a background process keeps writing: a restore is complete or not done", async () => {
    const { place, first } = await edited();
    const log = place.at("log");
    const writer = spawn(process.execPath, [CHILD, "write", log], { stdio: ["ignore", "pipe", "inherit"] });
    await once(writer.stdout, "data");
    let [done, refused] = [0, 0];
    try {
      for (let round = 0; round < 6; round++) {
        await place.step(`round ${round}`, () => place.write("a", `round ${round}`));
        const plan = await place.files.plan(first);
        try {
          await place.files.restoreHere(plan);
          done += 1;
          expect(read(place.at("a"))).toBe("old");
        } catch (error) {
          expect(error).toMatchObject({ code: "files-changed" });
          refused += 1;
        }
        await place.files.record({ by: "person" });
      }
    } finally {
      writer.kill("SIGKILL");
      await once(writer, "exit");
    }
    expect(done + refused).toBe(6);
    expect(readdirSync(place.root).filter((name) => name.startsWith(".bough"))).toEqual([]);
  });
});

function repository(root: string): void {
  git(root, "init", "--quiet", "--initial-branch=main");
  git(root, "add", "-A");
  git(root, "commit", "--quiet", "-m", "first");
}

describe("repositories in odd states", () => {
  test("files move back and forth in the middle of a rebase, and the rebase can continue", async () => {
    const place = new FilesPlace({ isGit: true });
    place.write("a", "one\n");
    place.write("b", "b\n");
    repository(place.root);
    git(place.root, "checkout", "--quiet", "-b", "side");
    place.write("a", "side\n");
    git(place.root, "commit", "--quiet", "-am", "side");
    git(place.root, "checkout", "--quiet", "main");
    place.write("a", "main\n");
    git(place.root, "commit", "--quiet", "-am", "main");
    git(place.root, "checkout", "--quiet", "side");
    expect(() => git(place.root, "rebase", "main")).toThrow();
    const conflicted = read(place.at("a")) ?? "";
    expect(conflicted).toContain("<<<<<<<");
    const first = place.say("first");
    const resolved = await place.step("resolve", () => {
      place.write("a", "resolved\n");
      place.write("b", "more\n");
    });
    await place.go(first);
    expect([read(place.at("a")), read(place.at("b"))]).toEqual([conflicted, "b\n"]);
    await place.go(resolved);
    git(place.root, "add", "-A");
    git(place.root, "rebase", "--continue");
    expect([read(place.at("a")), git(place.root, "status", "--porcelain")]).toEqual(["resolved\n", ""]);
  });

  test("files behind a filter, as with LFS, are what is on disk and not what git keeps", async () => {
    const place = new FilesPlace({ isGit: true });
    // Keeps a pointer in git and the content in a folder of its own.
    const kept = join(tempFolder(), "kept");
    git(place.root, "init", "--quiet");
    git(place.root, "config", "filter.kept.clean", `tee ${kept} | sha256sum`);
    git(place.root, "config", "filter.kept.smudge", `cat > /dev/null; cat ${kept}`);
    git(place.root, "config", "filter.kept.required", "true");
    place.write(".gitattributes", "*.bin filter=kept\n*.txt text eol=crlf\n");
    place.write("large.bin", "the real content");
    place.write("lines.txt", "one\r\ntwo\r\n");
    repository(place.root);
    expect(git(place.root, "show", ":large.bin")).toMatch(/^[0-9a-f]{64}/);
    expect(git(place.root, "show", ":lines.txt")).toBe("one\ntwo\n");
    const first = place.say("first");
    await place.step("edit", () => {
      rmSync(place.at("large.bin"));
      appendFileSync(place.at("lines.txt"), "three\r\n");
    });
    await place.go(first);
    expect([read(place.at("large.bin")), read(place.at("lines.txt"))]).toEqual(["the real content", "one\r\ntwo\r\n"]);
    expect(git(place.root, "status", "--porcelain")).toBe("");
  });
});

describe("records that name files of another user", () => {
  test("do not read or change them, and restore everything else", ({ skip }) => {
    if (process.getuid?.() !== 0) skip("only root can make files of another user: run this file as root");
    const NOBODY = 65534;
    const [root, home] = [tempFolder(), tempFolder()];
    const at = (...parts: readonly string[]) => join(root, ...parts);
    mkdirSync(at("closed"), { mode: 0o700 });
    for (const name of ["secret.txt", "closed/inner.txt"]) writeFileSync(at(name), "root's", { mode: 0o600 });
    writeFileSync(at("a.txt"), "new");
    for (const path of [root, home, at("a.txt")]) chownSync(path, NOBODY, NOBODY);
    const child = fileURLToPath(new URL("support/others-files-child.mjs", import.meta.url));
    const done = spawnSync(process.execPath, [child, root, home], { encoding: "utf8" });
    expect(done.stderr).toBe("");
    expect(JSON.parse(done.stdout)).toEqual({
      changes: [],
      skipped: ["closed/inner.txt: unreadable", "secret.txt: unreadable"],
      conflicts: ["closed/inner.txt: unreadable", "secret.txt: unreadable"],
      written: ["a.txt"],
    });
    for (const name of ["secret.txt", "closed/inner.txt"]) {
      expect([readFileSync(at(name), "utf8"), statSync(at(name)).uid]).toEqual(["root's", 0]);
    }
    expect(readFileSync(at("a.txt"), "utf8")).toBe("old");
  });
});
