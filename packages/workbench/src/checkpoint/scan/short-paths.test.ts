/** A scan of the process's own working folder uses shorter paths. It must find what the full path names. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { afterTest } from "../../../../../test/support/after-test.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { BlobStore } from "../store/blob-store.js";
import { FolderScanner } from "./folder-scanner.js";
import { ShortPaths } from "./short-paths.js";

beforeEach(() => {
  const before = process.cwd();
  afterTest(() => process.chdir(before));
});

async function scannedFolder(files: Readonly<Record<string, string>>) {
  const root = join(tempFolder(), "project");
  mkdirSync(join(root, "src"), { recursive: true });
  for (const [path, content] of Object.entries(files)) writeFileSync(join(root, path), content);
  process.chdir(root);
  const scanner = new FolderScanner({ root, store: new BlobStore(tempFolder()), largest: 1000 });
  await scanner.scan();
  const changedPaths = async () => (await scanner.scan()).changes.map(({ path }) => path);
  return { root, changedPaths };
}

test("if the working folder is replaced by another, the new one is scanned", async () => {
  const { root, changedPaths } = await scannedFolder({ "src/a": "a", "src/b": "b" });
  expect(await changedPaths()).toEqual([]);
  renameSync(root, `${root}-old`);
  mkdirSync(join(root, "src"), { recursive: true });
  writeFileSync(join(root, "src/a"), "another");
  expect(await changedPaths()).toEqual(["src/a", "src/b"]);
  writeFileSync(join(`${root}-old`, "src/a"), "not looked at");
  expect(await changedPaths()).toEqual([]);
});

test("the folder the process works in is removed: all its files are gone", async () => {
  const { root, changedPaths } = await scannedFolder({ "src/a": "a", b: "b" });
  rmSync(root, { recursive: true });
  expect(await changedPaths()).toEqual(["b", "src/a"]);
});

test("the process goes elsewhere, between two scans and during one", async () => {
  const { root, changedPaths } = await scannedFolder({ "src/a": "a" });
  const paths = new ShortPaths(root);
  expect(paths.start).toBe("");
  process.chdir(tempFolder());
  expect(paths.start).toBe(join(root, "/"));
  writeFileSync(join(root, "src/a"), "changed");
  expect(await changedPaths()).toEqual(["src/a"]);
  process.chdir(root);
  expect(paths.start).toBe("");
});
