/** Records describe the bytes on disk, whatever git would have made of them in a checkout. */
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { FileState } from "@bough/session/entry/index.js";
import { describe, expect, test } from "vitest";
import { git } from "../../../../../test/support/files-place.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { BlobStore } from "../store/blob-store.js";
import { FolderScanner } from "./folder-scanner.js";
import { GitScanner } from "./git-scanner.js";

function repository(...init: readonly string[]) {
  const root = tempFolder();
  const at = (path: string) => join(root, path);
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), content);
  };
  const run = (...args: readonly string[]) => git(root, ...args);
  run("init", "--quiet", ...init);
  const commit = () => {
    run("add", "-A");
    run("commit", "--quiet", "-m", "some");
  };
  return { root, at, write, run, commit };
}

function scanned(root: string) {
  const store = new BlobStore(tempFolder());
  const scanner = new GitScanner({ root, store, largest: 1 << 20, index: join(tempFolder(), "index") });
  const text = async (state: FileState) => {
    if (state === null) return "nothing";
    if ("link" in state) return `-> ${state.link}`;
    return `${(await store.get(state.hash)).toString("latin1")}${state.mode === "755" ? " (x)" : ""}`;
  };
  /** Changes as `path: before | after`. */
  const changes = async () => {
    const found = await scanner.scan();
    const lines = found.changes.map(
      async ({ path, before, after }) => `${path}: ${await text(before)} | ${await text(after)}`,
    );
    return [...(await Promise.all(lines)), ...found.skipped.map(({ path, why }) => `${path} skipped: ${why}`)];
  };
  return { scanner, changes };
}

interface Case {
  readonly attributes?: string;
  readonly config?: Readonly<Record<string, string>>;
  /** The content when it is committed and on disk afterwards; git considers both equal. */
  readonly disk: string;
}

const CASES: Readonly<Record<string, Case>> = {
  "CRLF where git normalizes": { attributes: "* text=auto", disk: "one\r\ntwo\r\n" },
  "LF where a checkout writes CRLF by setting": { config: { "core.autocrlf": "true" }, disk: "one\ntwo\n" },
  "LF where a checkout writes CRLF by attribute": { attributes: "*.txt text eol=crlf", disk: "one\ntwo\n" },
  "CRLF where git only takes LF": { config: { "core.autocrlf": "input" }, disk: "one\r\ntwo\r\n" },
  "mixed line endings": { attributes: "* text=auto eol=crlf", disk: "one\r\ntwo\nthree\n" },
  "a keyword that is not expanded": { attributes: "*.txt ident", disk: "$Id$\n" },
  "a keyword that was expanded by someone": { attributes: "*.txt ident", disk: "$Id: mine $\n" },
  "another encoding": { attributes: "*.txt working-tree-encoding=UTF-16LE", disk: "o\0n\0e\0\n\0" },
  "a filter that gives something else back": {
    attributes: "*.txt filter=turn",
    config: { "filter.turn.clean": "tr a-z n-za-m", "filter.turn.smudge": "echo other" },
    disk: "one\n",
  },
};

describe.each(Object.entries(CASES))("%s", (_, { attributes, config = {}, disk }) => {
  function place() {
    const { root, at, write, run, commit } = repository();
    for (const [key, value] of Object.entries(config)) run("config", key, value);
    if (attributes !== undefined) write(".gitattributes", `${attributes}\n`);
    write("a.txt", Buffer.from(disk, "latin1"));
    commit();
    return { at, write, ...scanned(root) };
  }

  test("is what the file was before a change, a deletion, or a change of line endings alone", async () => {
    const { at, write, changes } = place();
    await changes();
    appendFileSync(at("a.txt"), "more\n");
    expect(await changes()).toEqual([`a.txt: ${disk} | ${disk}more\n`]);
    write("a.txt", Buffer.from(disk, "latin1"));
    expect(await changes()).toEqual([`a.txt: ${disk}more\n | ${disk}`]);
    expect(await changes()).toEqual([]);
    const other = disk.includes("\r") ? disk.replaceAll("\r", "") : disk.replaceAll("\n", "\r\n");
    write("a.txt", Buffer.from(other, "latin1"));
    expect(await changes()).toEqual([`a.txt: ${disk} | ${other}`]);
    rmSync(at("a.txt"));
    expect(await changes()).toEqual([`a.txt: ${other} | nothing`]);
  });

  test("line endings that change alone are a change, from what was there at the first look", async () => {
    const { write, changes } = place();
    await changes();
    const other = disk.includes("\r") ? disk.replaceAll("\r", "") : disk.replaceAll("\n", "\r\n");
    write("a.txt", Buffer.from(other, "latin1"));
    expect(await changes()).toEqual([`a.txt: ${disk} | ${other}`]);
    expect(await changes()).toEqual([]);
    write("a.txt", Buffer.from(disk, "latin1"));
    expect(await changes()).toEqual([`a.txt: ${other} | ${disk}`]);
  });
});

test("line endings that a step converts in files git has as they are on disk are a change", async () => {
  const { root, write, commit } = repository();
  write(".gitattributes", "* text=auto\n");
  for (const name of ["a", "b", "c"]) write(name, "one\ntwo\n");
  commit();
  const { changes } = scanned(root);
  await changes();
  write("a", "one\r\ntwo\r\n");
  write("b", "one\ntwo\n");
  expect(await changes()).toEqual(["a: one\ntwo\n | one\r\ntwo\r\n"]);
  write("a", "one\ntwo\n");
  expect(await changes()).toEqual(["a: one\r\ntwo\r\n | one\ntwo\n"]);
});

test("a link is a file where git writes none, and stays what it is", async () => {
  const { root, at, write, run, commit } = repository();
  symlinkSync("target", at("link"));
  symlinkSync("target", at("real"));
  commit();
  run("config", "core.symlinks", "false");
  rmSync(at("link"));
  write("link", "target");
  const { changes } = scanned(root);
  await changes();
  write("link", "other");
  rmSync(at("real"));
  expect(await changes()).toEqual(["link: target | other", "real: -> target | nothing"]);
  expect([lstatSync(at("link")).isFile(), readFileSync(at("link"), "utf8")]).toEqual([true, "other"]);
  symlinkSync("next", at("real"));
  expect(await changes()).toEqual(["real: nothing | -> next"]);
  expect(readlinkSync(at("real"))).toBe("next");
});

test("the executable bit is the one on disk, also where git does not look at it", async () => {
  const { root, write, run, commit } = repository();
  write("run", "one\n");
  commit();
  run("config", "core.fileMode", "false");
  const { execFileSync } = await import("node:child_process");
  execFileSync("chmod", ["+x", join(root, "run")]);
  const { changes } = scanned(root);
  await changes();
  appendFileSync(join(root, "run"), "two\n");
  expect(await changes()).toEqual(["run: one\n (x) | one\ntwo\n (x)"]);
});

describe("files that git was told to skip", () => {
  test.each(["--assume-unchanged", "--skip-worktree"])("with %s they are recorded like all others", async (flag) => {
    const { root, at, write, run, commit } = repository();
    for (const path of ["set.txt", "own.txt", "gone.txt", "plain.txt"]) write(path, "one\n");
    commit();
    run("update-index", flag, "set.txt", "own.txt", "gone.txt");
    write("own.txt", "own\n");
    rmSync(at("gone.txt"));
    const { changes } = scanned(root);
    expect(await changes()).toEqual([]);
    expect(await changes()).toEqual([]);
    write("set.txt", "two\n");
    write("own.txt", "mine\n");
    write("gone.txt", "back\n");
    expect(await changes()).toEqual([
      "gone.txt: nothing | back\n",
      "own.txt: own\n | mine\n",
      "set.txt: one\n | two\n",
    ]);
    rmSync(at("set.txt"));
    rmSync(at("gone.txt"));
    expect(await changes()).toEqual(["gone.txt: back\n | nothing", "set.txt: two\n | nothing"]);
    write("gone.txt", "again\n");
    expect(await changes()).toEqual(["gone.txt: nothing | again\n"]);
    expect(await changes()).toEqual([]);
  });

  test.each(["--no-sparse-index", "--sparse-index"])(
    "outside of a sparse checkout (%s) a file that is written was not there before",
    async (kind) => {
      const { root, at, write, run, commit } = repository();
      for (const path of ["in/a.txt", "out/b.txt", "out/deep/c.txt"]) write(path, "one\n");
      commit();
      run("sparse-checkout", "set", "--cone", kind, "in");
      const { changes } = scanned(root);
      expect(await changes()).toEqual([]);
      write("out/b.txt", "made\n");
      write("in/a.txt", "two\n");
      expect(await changes()).toEqual(["in/a.txt: one\n | two\n", "out/b.txt: nothing | made\n"]);
      expect(await changes()).toEqual([]);
      rmSync(at("out"), { recursive: true });
      expect(await changes()).toEqual(["out/b.txt: made\n | nothing"]);
      run("sparse-checkout", "disable");
      expect(await changes()).toEqual(["out/b.txt: nothing | one\n", "out/deep/c.txt: nothing | one\n"]);
    },
  );
});

test.each([
  ["with short names", ["update-index", "--index-version", "4"], []],
  ["in two files", ["update-index", "--split-index"], []],
  ["with longer hashes", ["status"], ["--object-format=sha256"]],
] as const)("an index %s is read", async (_, args, init) => {
  const { root, write, run, commit } = repository(...init);
  write(".gitattributes", "* text=auto\n");
  write("a.txt", "one\r\n");
  write(`${"long/".repeat(60)}b.txt`, "one\n");
  write("c.txt", "one\n");
  commit();
  run(...args);
  const { changes } = scanned(root);
  expect(await changes()).toEqual([]);
  write("a.txt", "two\r\n");
  write("c.txt", "two\n");
  expect(await changes()).toEqual(["a.txt: one\r\n | two\r\n", "c.txt: one\n | two\n"]);
});

describe.each(["git", "a folder without git"])("in %s, names that cannot be stored", (kind) => {
  test.runIf(process.platform === "linux")("are named when they appear, change or go", async () => {
    const { root, at } = repository();
    if (kind !== "git") rmSync(at(".git"), { recursive: true });
    const look = { root, store: new BlobStore(tempFolder()), largest: 1 << 20 };
    const scanner =
      kind === "git" ? new GitScanner({ ...look, index: join(tempFolder(), "index") }) : new FolderScanner(look);
    const skipped = async () => (await scanner.scan()).skipped.map(({ path, why }) => `${path}: ${why}`).sort();
    const broken = (name: string) => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, "latin1")]);
    const both = ["a\\b: name", "bad\uFFFDname: name"];
    await scanner.scan();
    writeFileSync(at("a\\b"), "one");
    writeFileSync(broken("bad\xffname"), "one");
    expect(await skipped()).toEqual(both);
    expect(await skipped()).toEqual([]);
    appendFileSync(at("a\\b"), "two");
    appendFileSync(broken("bad\xffname"), "two");
    expect(await skipped()).toEqual(both);
    rmSync(at("a\\b"));
    rmSync(broken("bad\xffname"));
    expect(await skipped()).toEqual(both);
    expect(await skipped()).toEqual([]);
  });
});
