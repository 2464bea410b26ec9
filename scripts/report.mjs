// npm run report: the largest files and folders, the doors that export the most names, and the modules and doors that
// most files import. Only prints, and never fails: a large number is a reason to look, not a limit.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { packageAliases, roomsIn } from "./build/packages.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const MOST_ROWS = 15;

const sources = roomsIn(root)
  .flatMap(({ folder }) => readdirSync(folder, { recursive: true, withFileTypes: true }))
  .filter((file) => file.isFile() && /\.(ts|tsx|css)$/.test(file.name) && !/\.test(-support)?\.tsx?$/.test(file.name))
  .map((file) => join(file.parentPath, file.name));
const read = new Map(sources.map((path) => [path, readFileSync(path, "utf8")]));

/** @param {string} title @param {Iterable<readonly [string, number]>} rows */
function print(title, rows) {
  console.log(`\n${title}`);
  const largest = [...rows].sort((a, b) => b[1] - a[1]).slice(0, MOST_ROWS);
  for (const [name, count] of largest) console.log(`${String(count).padStart(7)}  ${name}`);
}

/** @param {Iterable<string>} names */
function counted(names) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

const shown = (/** @type {string} */ path) => relative(root, path);
const lines = (/** @type {string} */ text) => text.trimEnd().split("\n").length;

/** @param {string} path */
function exportedNames(path) {
  const { statements } = ts.createSourceFile(path, read.get(path) ?? "", ts.ScriptTarget.Latest);
  const clauses = statements.filter(ts.isExportDeclaration).map(({ exportClause }) => exportClause);
  return clauses
    .filter((clause) => clause !== undefined)
    .filter(ts.isNamedExports)
    .reduce((sum, { elements }) => sum + elements.length, 0);
}

const aliases = Object.entries(packageAliases(root));

/** The file that an import names; undefined for an npm package. @param {string} path @param {string} name */
function importedFile(path, name) {
  if (name.startsWith(".")) return join(dirname(path), name);
  const own = aliases.find(([alias]) => name.startsWith(`${alias}/`));
  return own === undefined ? undefined : join(own[1], name.slice(own[0].length));
}

/** @param {string} path */
function imports(path) {
  const { importedFiles } = ts.preProcessFile(read.get(path) ?? "", true, true);
  return importedFiles
    .map(({ fileName }) => importedFile(path, fileName))
    .filter((file) => file !== undefined)
    .map((file) => shown(file).replace(/\.js$/, ".ts"));
}

let total = 0;
for (const text of read.values()) total += lines(text);
console.log(`${sources.length} source files, ${total} lines, without tests`);
print(
  "The longest files, in lines",
  [...read].map(([path, text]) => [shown(path), lines(text)]),
);
print("The largest folders, in source files", counted(sources.map((path) => shown(dirname(path)))));
const doors = sources.filter((path) =>
  /^packages.\w+.src.\w+.(index|plan|run|ui|door|internal)\.ts$/.test(shown(path)),
);
print(
  "The doors that export the most names",
  doors.map((path) => [shown(path), exportedNames(path)]),
);
const importers = counted(sources.flatMap(imports));
print(
  "Imported by the most files, other than doors",
  [...importers].filter(([file]) => !doors.includes(join(root, file))),
);
print(
  "The doors imported by the most files",
  doors.map((path) => [shown(path), importers.get(shown(path)) ?? 0]),
);
