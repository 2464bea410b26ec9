import { existsSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryFolder } from "./temporary-folder.js";

test("a temporary folder is private, and gone when it is removed, with nothing left to do at the end", () => {
  const before = process.listeners("exit");
  const { path, remove } = temporaryFolder("test");
  expect(statSync(path).mode & 0o777).toBe(0o700);
  remove();
  expect(existsSync(path)).toBe(false);
  expect(process.listeners("exit")).toEqual(before);
});

test("a temporary folder is gone where the process ends before it was removed", () => {
  const before = process.listeners("exit");
  const { path, remove } = temporaryFolder("test");
  const atExit = process.listeners("exit").filter((listener) => !before.includes(listener));
  for (const listener of atExit) listener(0);
  expect(existsSync(path)).toBe(false);
  remove();
});
