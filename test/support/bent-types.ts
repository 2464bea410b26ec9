/** Types in public declarations that a reader cannot name: `object`, what is inside of another's option, results without a name. */
import ts from "typescript";

/** Where they are: "bough/agent: AgentSession: getPins(): { … }[]". */
export function bentTypes(doors: readonly Door[], program: ts.Program): string[] {
  const checker = program.getTypeChecker();
  const seen = new Set<ts.Symbol>();
  const found: string[] = [];
  for (const { door, file } of doors) {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`There is no module ${file}`);
    for (const name of checker.getExportsOfModule(module)) {
      const symbol = name.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(name) : name;
      if (seen.has(symbol)) continue;
      seen.add(symbol);
      for (const declaration of symbol.declarations ?? []) {
        if (declaration.getSourceFile().fileName.includes("/node_modules/")) continue;
        for (const node of bentIn(checker, declaration))
          found.push(`bough/${door}: ${name.name}: ${node.getText().replaceAll(/\s+/g, " ").slice(0, 120)}`);
      }
    }
  }
  return found;
}

export interface Door {
  readonly door: string;
  /** Its declarations. */
  readonly file: string;
}

const CLOSED: ReadonlySet<ts.SyntaxKind> = new Set([ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword]);

function bentIn(checker: ts.TypeChecker, declaration: ts.Declaration): ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => CLOSED.has(kind))) return;
    // Members of a class that is extended are those of the one that extends it.
    if (ts.isHeritageClause(node) && ts.isClassDeclaration(node.parent)) {
      for (const { expression } of node.types) {
        const base = checker.getSymbolAtLocation(expression);
        const real = base && base.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(base) : base;
        for (const part of real?.declarations ?? []) if (ts.isClassDeclaration(part)) visit(part);
      }
    }
    if (node.kind === ts.SyntaxKind.ObjectKeyword) found.push(node.parent);
    if (isReference(node, "NonNullable")) found.push(node.parent);
    if (ts.isFunctionLike(node) && node.type !== undefined && hasNoName(node.type)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(declaration);
  return found;
}

function isReference(node: ts.Node, ...names: readonly string[]): node is ts.TypeReferenceNode {
  return ts.isTypeReferenceNode(node) && names.includes(node.typeName.getText());
}

/** Fields in braces, as they are or anywhere inside: in a list, a promise, a map, a choice, an intersection. */
function hasNoName(type: ts.Node): boolean {
  if (ts.isTypeLiteralNode(type)) return type.members.length > 0;
  // A function that is returned is looked at on its own.
  return !ts.isFunctionLike(type) && ts.forEachChild(type, hasNoName) === true;
}
