import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder } from "./make-folder.js";

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "bough-make-folder-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("all missing folders are made, and only their owner may enter them", () => {
  const root = scratch();
  makeFolder(join(root, "a/b/c"));
  for (const folder of ["a", "a/b", "a/b/c"]) expect(statSync(join(root, folder)).mode & 0o777).toBe(0o700);
  makeFolder(join(root, "a/b/c"));
});

test("a file in place of a folder is an error", () => {
  const root = scratch();
  writeFileSync(join(root, "file"), "");
  expect(() => makeFolder(join(root, "file"))).toThrow(/EEXIST/);
  expect(() => makeFolder(join(root, "file/below"))).toThrow(/ENOTDIR/);
});

test.skipIf(!existsSync("/proc/self"))(
  "a place where no folder can be made is an error, and not an endless attempt",
  () => {
    expect(() => makeFolder("/proc/bough-nothing/below")).toThrow(/ENOENT|EACCES|EPERM/);
  },
);
