// Writes docs/api/: a page for each door of the package, from its declarations and comments. Run `npm run build` first;
// `--check` only compares.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const dist = join(root, "dist");

/** The doors in package.json, with their declarations. @returns {[door: string, file: string][]} */
function publishedDoors() {
  const { exports: published } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return Object.entries(published)
    .filter(([, door]) => door.types !== undefined)
    .map(([name, door]) => [name.slice(2), join(root, door.types)]);
}

/** The declarations of all doors, loaded once because reading them is slow. @returns {ts.Program} */
export function doorProgram() {
  return ts.createProgram(
    publishedDoors().map(([, file]) => file),
    {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      // Browser declarations are long, and no door uses them.
      lib: ["lib.es2023.d.ts"],
      strict: true,
      types: ["node"],
      typeRoots: [join(root, "node_modules", "@types")],
    },
  );
}

/**
 * Pages by file name, and the exported values without a comment.
 * @param {ts.Program} program
 * @returns {{ pages: Map<string, string>, silent: string[] }}
 */
export function apiPages(program) {
  const doors = publishedDoors();
  const checker = program.getTypeChecker();
  const pages = new Map();
  const silent = [];
  const exported = doors.map(([door, file]) => ({
    door,
    home: relative(dist, file).split(sep)[0],
    names: namesOf(checker, program.getSourceFile(file)),
  }));
  const isAtHome = ({ name, room }) =>
    exported.some((other) => other.home === room && other.names.some((one) => one.name === name));
  for (const { door, home, names } of exported) {
    // Names that no door of their own room exports are explained here. A name from a package has ".." as its room.
    const own = names.filter((name) => name.room === home || (name.room !== ".." && !isAtHome(name)));
    const others = names.filter((name) => !own.includes(name));
    silent.push(
      ...own.filter(({ isValue, comment }) => isValue && comment === "").map(({ name }) => `bough/${door}: ${name}`),
    );
    pages.set(`${door.replace("/", "-")}.md`, page({ door, own, others }));
  }
  pages.set("README.md", indexPage(doors));
  return { pages, silent };
}

/** What most programs and extensions need. @type {readonly (readonly [door: string, name: string, what: string])[]} */
export const MOST_USED = [
  ["agent", "createAgentSession", "an agent, with a default for everything"],
  ["agent", "AgentSession", "prompts, moves, summaries, merges"],
  ["agent", "createTools", "the built-in tools"],
  ["agent", "defineTool", "a tool of your own, with a zod schema"],
  ["agent", "defineJsonTool", "the same with a JSON Schema"],
  ["agent", "Tool", "what a tool is"],
  ["agent", "PermissionsOption", "what tools may do: a mode, rules or a function"],
  ["agent", "createPermissions", "modes, rules and answers that are remembered"],
  ["agent", "LanguageModel", "a model of your own"],
  ["agent", "ModelInfo", "the facts about a model"],
  ["agent", "createModelRegistry", "the catalogue: the models there are, and how to reach them"],
  ["session", "SessionManager", "one session: its file, tree and leaf"],
  ["extension", "ExtensionApi", "what an extension is given"],
  ["testing", "scriptedModel", "a model for tests"],
];

/** The doors, each with the first sentence of its file. */
function indexPage(doors) {
  const rows = doors.map(([door, file]) => {
    const [, says] = /^\/\*\*[\s*]*([\s\S]*?)\s*\*\//.exec(readFileSync(file, "utf8")) ?? [];
    if (says === undefined) throw new Error(`The declarations of bough/${door} do not begin with a comment`);
    const [what] = says.replaceAll(/\s*\n\s*\*?\s*/g, " ").split(/ The door of /);
    return `| [\`bough/${door}\`](${door.replace("/", "-")}.md) | ${what} |`;
  });
  return `# Every signature

Made from the source by \`node scripts/generate-api.mjs\`. [Using Bough as a library](../sdk.md) is the place to start.

| Import | What it has |
| --- | --- |
${rows.join("\n")}

## Used most

| Name | What for |
| --- | --- |
${MOST_USED.map(([door, name, what]) => `| [\`${name}\`](${door.replace("/", "-")}.md#${name.toLowerCase()}) | ${what} |`).join("\n")}
`;
}

function namesOf(checker, source) {
  return checker
    .getExportsOfModule(checker.getSymbolAtLocation(source))
    .map((symbol) => {
      const real = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      const declarations = real.declarations ?? [];
      const room = relative(dist, declarations[0]?.getSourceFile().fileName ?? "").split(sep)[0];
      const comment = ts.displayPartsToString(real.getDocumentationComment(checker)).trim();
      const isValue = (real.flags & ts.SymbolFlags.Value) !== 0;
      const text = declarations
        .flatMap((declaration) => withBases(checker, declaration))
        .map(declared)
        .join("\n");
      return { name: symbol.name, room, comment, isValue, text };
    })
    .sort((a, b) => Number(b.isValue) - Number(a.isValue) || (a.name < b.name ? -1 : 1));
}

/** A class and those it extends, because it inherits their members. */
function withBases(checker, declaration) {
  if (!ts.isClassDeclaration(declaration)) return [declaration];
  const [base] = declaration.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)?.types ?? [];
  const symbol = base && checker.getSymbolAtLocation(base.expression);
  const real = symbol && (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);
  const ours = (real?.declarations ?? []).filter((part) => part.getSourceFile().fileName.startsWith(dist));
  return [declaration, ...ours.flatMap((part) => withBases(checker, part))];
}

/** A declaration without the parts that cannot be used from outside. */
function declared(declaration) {
  const whole = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  return whole
    .getText()
    .split("\n")
    .filter((line) => !/^\s*(private|protected|#private)\b/.test(line))
    .join("\n")
    .replace(/^export /, "")
    .replaceAll(/"[^"\n]+"(?: \| "[^"\n]+")+/g, (choices) => sorted(choices, " | "))
    .replaceAll(/(?<=ZodEnum<\{\n)[^}]+\n(?=\s*\}>)/g, (lines) => `${sorted(lines.trimEnd(), "\n")}\n`);
}

/** Sorts the members of an inferred union, because the compiler writes them in varying order. */
function sorted(choices, separator) {
  return choices.split(separator).sort().join(separator);
}

function page({ door, own, others }) {
  const part = ({ name, comment, text }) =>
    [
      `### \`${name}\``,
      ...(comment === "" ? [] : [comment.replaceAll(/\s*\n(?=\S)(?!\s*[-|])/g, " ")]),
      `\`\`\`ts\n${text}\n\`\`\``,
    ].join("\n\n");
  const section = (title, parts) => (parts.length === 0 ? [] : [`## ${title}`, ...parts.map(part)]);
  const rest = others.map(({ name, room }) => `- \`${name}\`, of \`${room}\``);
  return `${[
    `# \`bough/${door}\``,
    "Made from the source by `node scripts/generate-api.mjs`.",
    ...section(
      "Values",
      own.filter(({ isValue }) => isValue),
    ),
    ...section(
      "Types",
      own.filter(({ isValue }) => !isValue),
    ),
    ...(rest.length === 0 ? [] : ["## From other rooms", rest.join("\n")]),
  ].join("\n\n")}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = join(root, "docs", "api");
  const check = process.argv.includes("--check");
  mkdirSync(folder, { recursive: true });
  const { pages, silent } = apiPages(doorProgram());
  for (const [name, text] of pages) {
    if (!check) writeFileSync(join(folder, name), text);
    else if (readFileSync(join(folder, name), "utf8") !== text) {
      console.error(
        `docs/api/${name} differs from the declarations, run: npm run build && node scripts/generate-api.mjs`,
      );
      process.exitCode = 1;
    }
  }
  for (const name of silent) console.error(`${name} has no comment`);
}
