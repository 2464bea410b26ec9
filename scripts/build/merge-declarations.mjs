// Merges the declarations of each room into one file: 140 small files take up twice their size on disk.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript";

/**
 * The declarations of a room, whether exported or not.
 *
 * @typedef {object} Room
 * @property {string} name
 * @property {Set<string>} packages import statements
 * @property {Map<string, Set<string>>} rooms what is imported from other rooms
 * @property {Map<string, string>} owners each declared name with its file
 * @property {Set<string>} renamed `One as Other`
 * @property {string[]} texts
 */

/**
 * Doors re-export from `types.d.ts` of their room, and rooms import from each other's. Names must be unique within a
 * room, otherwise the build stops.
 *
 * @param {{ made: string, folder: string, doors: readonly string[], files: Iterable<string> }} places the output of the
 *   compiler, the destination, the files of the doors, and all files behind them, including the doors
 */
export function mergeDeclarations({ made, folder, doors, files }) {
  /** @type {Map<string, Room>} */
  const rooms = new Map();
  for (const path of files) {
    const name = roomOf(made, path);
    const room = rooms.get(name) ?? emptyRoom(name);
    rooms.set(name, room);
    const file = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.ES2022, true);
    for (const statement of file.statements) {
      if (ts.isImportDeclaration(statement)) addImport({ room, made, path, statement });
      else if (!ts.isExportDeclaration(statement)) addDeclaration({ room, path, statement });
      else if (!doors.includes(path)) for (const one of renamesIn(statement)) room.renamed.add(one);
    }
  }
  for (const room of rooms.values()) write(join(folder, room.name, "types.d.ts"), linesOf(room));
  for (const door of doors) {
    const text = readFileSync(door, "utf8").replaceAll(/from "(\.[^"]+)"/g, (_, from) => {
      const other = roomOf(made, join(dirname(door), from));
      return `from "${other === roomOf(made, door) ? "." : `../${other}`}/types.js"`;
    });
    write(join(folder, relative(made, door)), [text.trimEnd()]);
  }
}

/** @param {string} made @param {string} path */
function roomOf(made, path) {
  return /** @type {string} */ (relative(made, path).split(/[/\\]/)[0]);
}

/** @param {string} name @returns {Room} */
function emptyRoom(name) {
  return { name, packages: new Set(), rooms: new Map(), owners: new Map(), renamed: new Set(), texts: [] };
}

/** @param {{ room: Room, made: string, path: string, statement: import("typescript").ImportDeclaration }} found */
function addImport({ room, made, path, statement }) {
  const { text: from } = /** @type {import("typescript").StringLiteral} */ (statement.moduleSpecifier);
  if (!from.startsWith(".")) return room.packages.add(statement.getText());
  const names = statement.importClause?.namedBindings;
  if (names === undefined || !ts.isNamedImports(names) || names.elements.some((one) => one.propertyName !== undefined))
    throw new Error(`bug: ${path} renames what it imports: ${statement.getText()}`);
  const other = roomOf(made, join(dirname(path), from));
  if (other === room.name) return;
  const known = room.rooms.get(other) ?? new Set();
  room.rooms.set(other, known);
  for (const { name } of names.elements) known.add(name.text);
}

/** @param {{ room: Room, path: string, statement: import("typescript").Statement }} found */
function addDeclaration({ room, path, statement }) {
  for (const name of namesOf(statement)) {
    const owner = room.owners.get(name) ?? path;
    if (owner !== path) throw new Error(`bug: ${name} is declared in ${owner} and in ${path}`);
    room.owners.set(name, path);
  }
  room.texts.push(withoutExport(statement));
}

/** `One as Other`. @param {import("typescript").ExportDeclaration} statement @returns {string[]} */
function renamesIn({ exportClause }) {
  if (exportClause === undefined || !ts.isNamedExports(exportClause)) return [];
  return exportClause.elements.flatMap(({ propertyName, name }) =>
    propertyName === undefined ? [] : [`${propertyName.getText()} as ${name.getText()}`],
  );
}

/** @param {import("typescript").Statement} statement @returns {string[]} */
function namesOf(statement) {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  const { name } = /** @type {{ name?: import("typescript").Node }} */ (/** @type {unknown} */ (statement));
  if (name === undefined) throw new Error(`bug: a declaration without a name: ${statement.getText().slice(0, 80)}`);
  return [name.getText()];
}

/** Keeps the comment above it. @param {import("typescript").Statement} statement */
function withoutExport(statement) {
  const start = statement.getFullStart();
  const text = statement.getFullText();
  const word = ts.canHaveModifiers(statement)
    ? ts.getModifiers(statement)?.find(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    : undefined;
  const bare =
    word === undefined ? text : text.slice(0, word.getStart() - start) + text.slice(word.getEnd() + 1 - start);
  if (/import\("\./.test(bare)) throw new Error(`bug: an import inside of a type: ${bare.trim().slice(0, 200)}`);
  return bare.trim();
}

/** @param {Room} room */
function linesOf({ packages, rooms, owners, renamed, texts }) {
  const others = [...rooms].map(
    ([name, names]) => `import type { ${[...names].join(", ")} } from "../${name}/types.js";`,
  );
  const exported = `export { ${[...owners.keys(), ...renamed].sort().join(", ")} };`;
  return [...packages, ...others, ...texts, exported];
}

/** @param {string} path @param {readonly string[]} lines */
function write(path, lines) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${lines.join("\n")}\n`);
}
