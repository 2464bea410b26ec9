/** Which types of ours the declarations of a door name without letting anyone import them from it. */
import { readFileSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));

export interface UnexportedType {
  /** Its name, and the declaration file it is in, below dist/. */
  readonly type: string;
  /** An exported name whose declaration names it. */
  readonly namedBy: string;
}

/** The declarations of a published door, as `package.json` names them. */
export function declarationsOf(door: string): string {
  const { exports: published } = JSON.parse(readFileSync(join(dist, "../package.json"), "utf8")) as Manifest;
  return join(dist, "..", published[`./${door}`]?.types ?? "");
}

interface Manifest {
  readonly exports: Readonly<Record<string, { readonly types: string } | undefined>>;
}

/** For each of these doors, with a program that has the declarations of all. */
export function unexportedTypes(
  doors: readonly string[],
  program: ts.Program,
): ReadonlyMap<string, readonly UnexportedType[]> {
  const files = doors.map(declarationsOf);
  const checker = program.getTypeChecker();
  const fileOf = (door: string) => files[doors.indexOf(door)];
  return new Map(
    doors.map((door, i) => {
      const above = fileOf(dirname(door));
      const below = files.filter((_, other) => doors[other]?.startsWith(`${door}/`));
      return [door, ofDoor({ program, checker, file: files[i] as string, above, below })];
    }),
  );
}

interface Door {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  readonly file: string;
  /** The door this one is published below: whoever uses `a/b` has `a` as well. */
  readonly above: string | undefined;
  /** The doors that are published below this one, such as `extension/ui` below `extension`. */
  readonly below: readonly string[];
}

function exportsOf({ program, checker }: Door, file: string): readonly ts.Symbol[] {
  const source = program.getSourceFile(file);
  const door = source && checker.getSymbolAtLocation(source);
  if (door === undefined) throw new Error(`There is no module ${file}`);
  return checker.getExportsOfModule(door);
}

function ofDoor(door: Door): readonly UnexportedType[] {
  const { checker, file, above, below } = door;
  const names = exportsOf(door, file);
  const known = new Set((above === undefined ? [] : exportsOf(door, above)).map((name) => original(checker, name)));
  const narrower = new Set(below.flatMap((path) => exportsOf(door, path).map((name) => original(checker, name))));
  const exported = new Map(names.map((symbol) => [original(checker, symbol), symbol.name]));
  const onlyTypes = new Set(names.filter(isOnlyType).map((symbol) => original(checker, symbol)));
  const missing = new Map<ts.Symbol, UnexportedType>();
  for (const [symbol, namedBy] of exported) {
    for (const declaration of symbol.declarations ?? []) {
      // A type that is here for the sake of another's signature is described by the door of its own room, or by the
      // narrower one that has all of its kind.
      if (narrower.has(symbol) && onlyTypes.has(symbol)) continue;
      const room = relative(dist, declaration.getSourceFile().fileName).split(sep)[0];
      if (room !== basename(dirname(file)) && onlyTypes.has(symbol)) continue;
      for (const named of typesNamedIn(checker, declaration)) {
        if (exported.has(named) || known.has(named) || missing.has(named)) continue;
        const place = named.declarations?.[0]?.getSourceFile().fileName ?? "";
        missing.set(named, { type: `${named.name} (${relative(dist, place).split(sep).join("/")})`, namedBy });
      }
    }
  }
  return [...missing.values()];
}

/**
 * Types that a published door's signatures lead to, through any number of others, and that no published door exports;
 * and constants that such a type is made of: without them its page does not say what is allowed.
 */
export function unreachableTypes(doors: readonly string[], program: ts.Program): UnexportedType[] {
  const checker = program.getTypeChecker();
  const exported = new Set(
    doors.flatMap((door) => {
      const source = program.getSourceFile(declarationsOf(door));
      const module = source && checker.getSymbolAtLocation(source);
      if (module === undefined) throw new Error(`bough/${door} has no declarations`);
      return checker.getExportsOfModule(module).map((name) => original(checker, name));
    }),
  );
  const named = new Set(exported);
  const missing: UnexportedType[] = [];
  // Grows while it is read: what a type names is looked at as well.
  for (const symbol of named) {
    for (const declaration of symbol.declarations ?? []) {
      if (!declaration.getSourceFile().fileName.startsWith(dist)) continue;
      for (const type of typesNamedIn(checker, declaration, { constants: true })) {
        if (named.has(type)) continue;
        named.add(type);
        const place = type.declarations?.[0]?.getSourceFile().fileName ?? "";
        missing.push({ type: `${type.name} (${relative(dist, place).split(sep).join("/")})`, namedBy: symbol.name });
      }
    }
  }
  return missing;
}

/** Exported as a type, or nothing but a type. */
function isOnlyType(symbol: ts.Symbol): boolean {
  return (symbol.declarations ?? []).every((declaration) => {
    if (!ts.isExportSpecifier(declaration)) return !(symbol.flags & ts.SymbolFlags.Value);
    return declaration.isTypeOnly || declaration.parent.parent.isTypeOnly;
  });
}

const CLOSED: ReadonlySet<ts.SyntaxKind> = new Set([ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword]);

/** The types and classes of ours that a declaration mentions. What is private is nobody's business. */
function typesNamedIn(
  checker: ts.TypeChecker,
  declaration: ts.Declaration,
  { constants = false }: { readonly constants?: boolean } = {},
): ReadonlySet<ts.Symbol> {
  const found = new Set<ts.Symbol>();
  const visit = (node: ts.Node): void => {
    if (ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => CLOSED.has(kind))) return;
    // The class that another extends has no use outside, but its members are those of the other.
    if (ts.isHeritageClause(node) && ts.isClassDeclaration(node.parent)) {
      for (const { expression } of node.types) {
        const base = checker.getSymbolAtLocation(expression);
        for (const part of (base && original(checker, base).declarations) ?? [])
          if (ts.isClassDeclaration(part)) visit(part);
      }
      return;
    }
    const name = nameOf(node);
    const symbol = name && checker.getSymbolAtLocation(name);
    if (symbol !== undefined) {
      const real = original(checker, symbol);
      if (isOurs(real) && (constants || !(real.flags & ts.SymbolFlags.Variable))) found.add(real);
    }
    ts.forEachChild(node, visit);
  };
  visit(declaration);
  return found;
}

function nameOf(node: ts.Node): ts.Node | undefined {
  if (ts.isTypeReferenceNode(node)) return node.typeName;
  if (ts.isTypeQueryNode(node)) return node.exprName;
  if (ts.isExpressionWithTypeArguments(node)) return node.expression;
  if (ts.isImportTypeNode(node)) return node.qualifier;
  return undefined;
}

function original(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** Declared at the top of a file of the build: type parameters, and types of packages and of the language, are not. */
function isOurs(symbol: ts.Symbol): boolean {
  return (symbol.declarations ?? []).some((declaration) => {
    const { fileName } = declaration.getSourceFile();
    const top = ts.isVariableDeclaration(declaration) ? declaration.parent.parent.parent : declaration.parent;
    return ts.isSourceFile(top) && dirname(fileName).startsWith(dist.replace(/[/\\]$/, ""));
  });
}
