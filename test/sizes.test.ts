/** Nothing gets so large that it cannot be taken in at once. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const MOST_LINES = 350;
const MOST_FILES = 25;
const MOST_NAMES = 90;

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

test(`no door exports more than ${MOST_NAMES} names, and each says which`, () => {
  const doors = sources.filter((path) =>
    /^src\/[a-z]+\/(index|plan|run|ui|door|internal)\.ts$/.test(relative(root, path).replaceAll("\\", "/")),
  );
  expect(doors.length).toBeGreaterThan(15);
  const names = doors.map((path) => ({ path: relative(root, path), ...exportsOf(path) }));
  expect(names.filter(({ all }) => all)).toEqual([]);
  expect(names.filter(({ count }) => count > MOST_NAMES)).toEqual([]);
});

function exportsOf(path: string): { readonly count: number; readonly all: boolean } {
  const { statements } = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest);
  const clauses = statements.filter(ts.isExportDeclaration).map(({ exportClause }) => exportClause);
  const named = clauses.filter((clause) => clause !== undefined && ts.isNamedExports(clause));
  return {
    count: named.reduce((sum, clause) => sum + clause.elements.length, 0),
    all: named.length < clauses.length,
  };
}
