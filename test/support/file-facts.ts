import ts from "typescript";

/** What a source file reaches for: the modules it imports and the Node-only globals it uses, each with its line. */
export interface FileFacts {
  readonly imports: readonly FileImport[];
  readonly nodeGlobals: readonly { readonly name: string; readonly line: number }[];
}

export interface FileImport {
  readonly specifier: string;
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

/**
 * Sees `import … from`, `import type`, `export … from`, bare imports, `import()` and `import("…")` as a type. Reads the
 * syntax tree, so words in comments and strings are never mistaken for code. An `import()` of something computed is
 * reported as the module `<computed>`: nobody can check where such an arrow points.
 */
export function readFileFacts(file: string, text: string): FileFacts {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
  const imports: FileImport[] = [];
  const nodeGlobals: { name: string; line: number }[] = [];
  const lineOf = (node: ts.Node): number => source.getLineAndCharacterOfPosition(node.getStart()).line + 1;

  const waiting: ts.Node[] = [source];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const specifier = specifierOf(node);
    if (specifier !== undefined) imports.push({ specifier, line: lineOf(node) });
    const name = nodeGlobalOf(node);
    if (name !== undefined) nodeGlobals.push({ name, line: lineOf(node) });
    const children: ts.Node[] = [];
    ts.forEachChild(node, (child) => {
      children.push(child);
    });
    waiting.push(...children.reverse());
  }
  return { imports, nodeGlobals };
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
