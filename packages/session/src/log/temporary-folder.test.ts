import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { ownerMark } from "./owner-mark.js";
import { removeLeftFolders, temporaryFolder, temporaryFolderInSlices } from "./temporary-folder.js";

test("a temporary folder is private, and gone when it is removed, with nothing left to do at the end", () => {
  const before = process.listeners("exit");
  const { path, remove } = temporaryFolder("test");
  expect(statSync(path).mode & 0o777).toBe(0o700);
  remove();
  expect(existsSync(path)).toBe(false);
  expect(process.listeners("exit")).toEqual(before);
});

test("a temporary folder is gone where the process ends before it was removed", () => {
  const { path, remove } = temporaryFolder("test");
  // Other folders may be open already and have registered it.
  const atExit = process.listeners("exit").filter(({ name }) => name === "removeAll");
  expect(atExit).toHaveLength(1);
  for (const listener of atExit) listener(0);
  expect(existsSync(path)).toBe(false);
  remove();
});

test("a folder that a killed process left behind is removed, and no other", () => {
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  const dead = ownerMark().replace(/^\d+/, String(pid));
  const make = (name: string) => {
    const path = mkdtempSync(join(tmpdir(), name));
    writeFileSync(join(path, "session.jsonl"), "what was said");
    return path;
  };
  const left = make(`bough-foreign-${dead}-`);
  const others = [make(`bough-foreign-${ownerMark()}-`), make("bough-foreign-"), make(`other-${dead}-`)];
  const elsewhere = make("bough-elsewhere-");
  const link = join(tmpdir(), `bough-foreign-${dead}-link00`);
  symlinkSync(elsewhere, link);
  try {
    removeLeftFolders();
    expect([left, link, ...others, elsewhere].map((path) => existsSync(path))).toEqual([
      ...[false, true, true, true, true, true],
    ]);
  } finally {
    rmSync(link, { force: true });
    for (const path of [...others, elsewhere]) rmSync(path, { recursive: true, force: true });
  }
});

test("the name of a folder says which process it belongs to", () => {
  const { path, remove } = temporaryFolder("test");
  expect(basename(path).startsWith(`bough-test-${ownerMark()}-`)).toBe(true);
  remove();
});

test("leftovers are searched for once in each temporary folder, without blocking other work", async () => {
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  const dead = ownerMark().replace(/^\d+/, String(pid));
  const elsewhere = mkdtempSync(join(tmpdir(), "elsewhere-"));
  const usual = process.env.TMPDIR;
  process.env.TMPDIR = elsewhere;
  try {
    const left = mkdtempSync(join(elsewhere, `bough-export-${dead}-`));
    let turns = 0;
    setImmediate(() => {
      turns += 1;
    });
    const made = await temporaryFolderInSlices("test");
    expect([turns, existsSync(left), existsSync(made.path)]).toEqual([1, false, true]);
    made.remove();
    const later = mkdtempSync(join(elsewhere, `bough-export-${dead}-`));
    (await temporaryFolderInSlices("test")).remove();
    expect(existsSync(later)).toBe(true);
  } finally {
    if (usual === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = usual;
    rmSync(elsewhere, { recursive: true, force: true });
  }
});
