import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { diskFolder, fastFolder, tempFolder } from "../../../../../test/support/temp-folder.js";
import { moveFile, moveFolder } from "./move-file.js";

it("moves a file into a folder that is made for it", () => {
  const [from, to] = [tempFolder(), tempFolder()];
  writeFileSync(join(from, "a"), "text", { mode: 0o600 });
  expect(moveFile(join(from, "a"), join(to, "deep", "b"))).toEqual({ kind: "moved" });
  expect([readdirSync(from), readFileSync(join(to, "deep", "b"), "utf8")]).toEqual([[], "text"]);
});

it("leaves both files where the name is taken", () => {
  const folder = tempFolder();
  writeFileSync(join(folder, "a"), "mine");
  writeFileSync(join(folder, "b"), "theirs");
  expect(moveFile(join(folder, "a"), join(folder, "b"))).toEqual({ kind: "taken" });
  expect(readFileSync(join(folder, "a"), "utf8")).toBe("mine");
  expect(readFileSync(join(folder, "b"), "utf8")).toBe("theirs");
});

it("says that another process was faster, and leaves nothing behind", () => {
  const folder = tempFolder();
  expect(moveFile(join(folder, "gone"), join(folder, "there"))).toEqual({ kind: "missing" });
  expect(readdirSync(folder)).toEqual([]);
});

it("says why where the target cannot be made, and keeps the file", () => {
  const folder = tempFolder();
  writeFileSync(join(folder, "a"), "mine");
  writeFileSync(join(folder, "blocked"), "");
  expect(moveFile(join(folder, "a"), join(folder, "blocked", "a")).kind).toBe("failed");
  expect(readFileSync(join(folder, "a"), "utf8")).toBe("mine");
});

const apart = statSync(fastFolder()).dev !== statSync(diskFolder()).dev;

it.runIf(apart)("moves to another disk byte for byte, and takes nothing that is there", () => {
  const [from, to] = [fastFolder(), diskFolder()];
  writeFileSync(join(from, "a"), "text", { mode: 0o600 });
  writeFileSync(join(to, "taken"), "theirs");
  expect(moveFile(join(from, "a"), join(to, "taken"))).toEqual({ kind: "taken" });
  expect(moveFile(join(from, "a"), join(to, "b"))).toEqual({ kind: "moved" });
  expect(existsSync(join(from, "a"))).toBe(false);
  expect([readFileSync(join(to, "b"), "utf8"), statSync(join(to, "b")).mode & 0o777]).toEqual(["text", 0o600]);
  mkdirSync(join(from, "folder"));
  expect(moveFolder(join(from, "folder"), join(to, "folder"))).toBe(false);
  expect(existsSync(join(from, "folder"))).toBe(true);
});
