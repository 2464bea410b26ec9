import { parseSync } from "rolldown/utils";
import ts from "typescript";

export interface FileImport {
  readonly specifier: string;
  /** First line is 1. */
  readonly line: number;
}

const NODE_GLOBALS: ReadonlySet<string> = new Set([
  "Buffer",
  "process",
  "require",
  "setImmediate",
  "NodeJS",
  "__dirname",
  "__filename",
]);

/** What the fast parser does not list: `import()`, as a value and as a type, `require`, and a re-export of nothing. */
const UNLISTED = /\bimport\s*[(/]|\brequire\b|\{\s*\}\s*from\b/;
const NODE_GLOBAL = new RegExp(`\\b(?:${[...NODE_GLOBALS].join("|")})\\b`);

/**
 * The modules a source file imports: by `import … from`, `import type`, `export … from`, bare imports, `import()` and
 * `import("…")` as a type. Parses the text, so words in comments and strings are never mistaken for code. An `import()` of
 * something computed is reported as the module `<computed>`: nobody can check where such an arrow points.
 */
export function importsIn(file: string, text: string): readonly FileImport[] {
  if (!UNLISTED.test(text)) return listedImports(file, text);
  return inTree(file, text, specifierOf).map(({ found, line }) => ({ specifier: found, line }));
}

/** The Node-only globals it uses. */
export function nodeGlobalsIn(file: string, text: string): readonly { readonly name: string; readonly line: number }[] {
  if (!NODE_GLOBAL.test(text)) return [];
  return inTree(file, text, nodeGlobalOf).map(({ found, line }) => ({ name: found, line }));
}

/** The imports of a file that has only statements, from a native parser: most files, in a fraction of the time. */
function listedImports(file: string, text: string): readonly FileImport[] {
  // Behind the last word of an import there is none, so most of a file need not be parsed.
  const last = [...text.matchAll(/\bimport\b|\bfrom\s*["']/g)].at(-1);
  if (last === undefined) return [];
  const end = text.indexOf("\n", last.index + last[0].length);
  const head = parseSync(file, text.slice(0, end < 0 ? text.length : end));
  const { module, errors } = head.errors.length > 0 ? parseSync(file, text) : head;
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  // By where the statement starts: what one imports and another exports is listed as an export where it is imported.
  const found = new Map(module.staticImports.map(({ start, moduleRequest }) => [start, moduleRequest.value]));
  for (const { start, entries } of module.staticExports) {
    const from = entries[0]?.moduleRequest;
    if (from) found.set(start, from.value);
  }
  return [...found]
    .sort(([a], [b]) => a - b)
    .map(([start, specifier]) => ({ specifier, line: text.slice(0, start).split("\n").length }));
}

/** What `look` finds in the nodes of the syntax tree, in the order of the text. */
function inTree(file: string, text: string, look: (node: ts.Node) => string | undefined) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
  const all: { readonly found: string; readonly line: number }[] = [];
  const visit = (node: ts.Node): void => {
    const found = look(node);
    if (found !== undefined) all.push({ found, line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1 });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return all;
}

function specifierOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return textOf(node.moduleSpecifier);
  if (ts.isExternalModuleReference(node)) return textOf(node.expression);
  if (ts.isImportTypeNode(node)) {
    return ts.isLiteralTypeNode(node.argument) ? textOf(node.argument.literal) : "<computed>";
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return textOf(node.arguments[0]) ?? "<computed>";
  }
  return undefined;
}

function textOf(node: ts.Node | undefined): string | undefined {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined;
}

/** `process` and `globalThis.process` count; `entry.process` and `{ process: 1 }` are somebody else's word. */
function nodeGlobalOf(node: ts.Node): string | undefined {
  if (!ts.isIdentifier(node) || !NODE_GLOBALS.has(node.text)) return undefined;
  const parent = node.parent;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) {
    return ts.isIdentifier(parent.expression) && parent.expression.text === "globalThis" ? node.text : undefined;
  }
  const isMemberName =
    ts.isPropertyAssignment(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isMethodSignature(parent);
  return isMemberName && parent.name === node ? undefined : node.text;
}
