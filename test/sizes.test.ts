/** Nothing gets so large that it cannot be taken in at once. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const MOST_LINES = 350;
const MOST_FILES = 25;

const sources = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
  .filter((file) => file.isFile() && /\.(ts|tsx|css)$/.test(file.name) && !/\.test(-support)?\.tsx?$/.test(file.name))
  .map((file) => join(file.parentPath, file.name));

test(`no source file has more than ${MOST_LINES} lines`, () => {
  expect(sources.length).toBeGreaterThan(500);
  const long = sources.map((path) => ({
    path: relative(root, path),
    lines: readFileSync(path, "utf8").trimEnd().split("\n").length,
  }));
  expect(long.filter(({ lines }) => lines > MOST_LINES)).toEqual([]);
});

test(`no folder has more than ${MOST_FILES} source files`, () => {
  const counts = new Map<string, number>();
  for (const path of sources) {
    const folder = relative(root, dirname(path));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  expect([...counts].filter(([, files]) => files > MOST_FILES)).toEqual([]);
});
