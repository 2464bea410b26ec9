/** Generates the TypeScript types of the protocol from its schema: what `bough/rpc` publishes. */
import { z } from "zod";
import type { RpcMethod } from "./methods/rpc-method.js";
import { RPC_METHOD_GROUPS } from "./methods/rpc-methods.js";
import { definitionName, plainSchema, type RpcSchema, rpcSchema, type Schema } from "./rpc-schema.js";
import { page, paged } from "./shape/common-shapes.js";
import { entryBase } from "./shape/entry-shapes.js";
import { moveFiles, moveOptions } from "./shape/outcome-shapes.js";

const NOTE = "// Made by the build from packages/program/src/cli/rpc; not committed.\n";

/** Files in an order in which each imports only earlier ones. */
const SHAPES = [
  { file: "messages", bag: "MessageShapes", roots: ["Message"], says: "Messages and what they are made of." },
  { file: "entries", bag: "EntryShapes", roots: ["Entry", "SessionHeader"], says: "Entries of a session file." },
  { file: "outcomes", bag: "OutcomeShapes", roots: ["Event", "Fault", "Delivery"], says: "How operations end." },
  {
    file: "sessions",
    bag: "SessionShapes",
    roots: [
      "SessionInfo",
      "StoredSession",
      "SessionStats",
      "BranchComparison",
      "Finding",
      "RepairReport",
      "SearchHit",
      "ExportedSession",
    ],
    says: "What is said about whole sessions.",
  },
  {
    file: "files",
    bag: "FileShapes",
    roots: ["PlannedFile", "FileDifference", "FilePreview", "SkippedFile", "BlamedLine"],
    says: "What is said about files.",
  },
  { file: "parts", bag: "PartShapes", roots: [], says: "Fields that many methods have." },
  { file: "answers", bag: "AnswerShapes", roots: [], says: "What methods take and answer." },
] as const;

const ENTRIES = SHAPES[1];
const METHODS = SHAPES[5];
const OTHERS = SHAPES[6];

/**
 * Sets of fields that many shapes share. Each is written once, and shapes that have all of its fields extend it.
 * Longest first.
 */
const ENTRY_PARTS: Readonly<Record<string, Schema>> = {
  EntryBase: plainSchema(z.object(entryBase), "output"),
};
const METHOD_PARTS: Readonly<Record<string, Schema>> = {
  MoveOptions: plainSchema(z.strictObject(moveOptions), "input"),
  MoveFiles: plainSchema(z.strictObject(moveFiles), "input"),
  Page: plainSchema(z.strictObject(page), "input"),
  Paged: plainSchema(z.object(paged), "output"),
};

/** Source by file name, before formatting. */
export function rpcTypes({ $defs }: RpcSchema = rpcSchema()): Map<string, string> {
  const shared = homes($defs);
  const groups = Object.entries<Readonly<Record<string, RpcMethod>>>(RPC_METHOD_GROUPS);
  const names = namesOf($defs, { shared, groups });
  const refer = (name: string) => (names.has(name) ? name : write($defs[name] as Schema));
  const partOf = (parts: Readonly<Record<string, Schema>>): PartOf => {
    const known = Object.entries(parts);
    return (schema) => known.find(([, part]) => part !== schema && hasAll(schema, part));
  };
  const inShapes: TypeWriter = { refer, partOf: partOf({ Problem: $defs.Problem as Schema, ...ENTRY_PARTS }) };
  const inMethods: TypeWriter = { refer, partOf: partOf(METHOD_PARTS) };
  const write = (schema: Schema): string => typeText(schema, inShapes);
  const files = new Map<string, string>();
  const keep = (file: string, says: string, parts: readonly string[]) =>
    files.set(file, withImports({ file, says, body: parts.join("\n\n") }, names));

  for (const { file, says } of SHAPES) {
    const own = [...shared].filter(([, place]) => place.file === file);
    const parts = Object.entries(file === METHODS.file ? METHOD_PARTS : file === ENTRIES.file ? ENTRY_PARTS : {});
    keep(file, says, [
      ...own.map(([name]) => declaration(name, $defs[name] as Schema, inShapes)),
      ...parts.map(([name, schema]) => declaration(name, schema, inShapes)),
    ]);
  }
  const tables: [file: string, name: string][] = [];
  for (const [title, methods] of groups) {
    const file = `${title.toLowerCase().replaceAll(" ", "-")}-methods`;
    const name = `${title.replace(/(?:^| )([a-z])/gi, (_, letter: string) => letter.toUpperCase())}Methods`;
    const own = Object.keys(methods).flatMap((method) => ownNames(method, ["Params", "Result"]));
    const rows = Object.entries(methods).map(([method, { summary }]) => {
      const { params, result } = propertiesOf(propertiesOf($defs.Methods as Schema)[method] as Schema);
      const texts = [params, result].map((schema) => typeText(schema as Schema, inMethods));
      return `/** ${summary} */\nreadonly ${key(method)}: { readonly params: ${texts[0]}; readonly result: ${texts[1]} };`;
    });
    keep(file, `${title}: what the methods take and answer.`, [
      ...own.filter((one) => names.get(one) === file).map((one) => declaration(one, $defs[one] as Schema, inMethods)),
      `/** ${title}. */\nexport interface ${name} {\n${rows.join("\n")}\n}`,
    ]);
    tables.push([file, name]);
  }
  const imports = [...tables].sort().map(([file, name]) => `import type { ${name} } from "./${file}.js";`);
  files.set(
    "methods",
    `${NOTE}${imports.join("\n")}\n\n/** Parameters and results, by method. */\nexport interface RpcMethods extends ${tables.map(([, name]) => name).join(", ")} {}\n`,
  );
  const map = (name: string) => Object.entries(propertiesOf($defs[name] as Schema));
  keep("events", "Events: what the program tells a client without being asked.", [
    ...[...names]
      .filter(([, file]) => file === "events")
      .map(([name]) => declaration(name, $defs[name] as Schema, inShapes)),
    `/** Events, by their type. */\nexport interface RpcEvents {\n${map("Events")
      .map(([type, schema]) => `readonly ${key(type)}: ${write(schema)};`)
      .join("\n")}\n}`,
    EVENT_FIELDS,
  ]);
  keep("questions", "Questions: what the program asks a client.", [
    ...[...names]
      .filter(([, file]) => file === "questions")
      .map(([name]) => declaration(name, $defs[name] as Schema, inShapes)),
    `/** What the program asks the client, by method. */\nexport interface RpcQuestions {\n${map("Questions")
      .map(([type, schema]) => field(type, schema, { write }))
      .join("\n")}\n}`,
  ]);
  keep(
    "shapes",
    "The named types by group, as earlier versions had them.",
    SHAPES.map(({ file, bag }) => {
      const own = [...names].filter(([, place]) => place === file).map(([name]) => `readonly ${name}: ${name};`);
      return `/** @deprecated Import the types by their own names. */\nexport interface ${bag} {\n${own.join("\n")}\n}`;
    }),
  );
  return files;
}

const EVENT_FIELDS = `/** What events say besides their type, which is their name here. */
export type RpcEventFields = { readonly [Type in keyof RpcEvents]: Omit<RpcEvents[Type], "type" | "cut"> };`;

/** All exported names, with their files. What is only a string, a list or an alias needs none. */
function namesOf($defs: RpcSchema["$defs"], { shared, groups }: NamesFrom): Map<string, string> {
  const names = new Map<string, string>([...shared].map(([name, { file }]) => [name, file]));
  const add = (file: string, own: readonly string[]) => {
    for (const name of own) if (isWorthAName($defs[name]) && !names.has(name)) names.set(name, file);
  };
  for (const name of Object.keys(ENTRY_PARTS)) names.set(name, ENTRIES.file);
  for (const name of Object.keys(METHOD_PARTS)) names.set(name, METHODS.file);
  for (const [title, methods] of groups)
    for (const method of Object.keys(methods))
      add(`${title.toLowerCase().replaceAll(" ", "-")}-methods`, ownNames(method, ["Params", "Result"]));
  for (const question of Object.keys(propertiesOf($defs.Questions as Schema)))
    add("questions", ownNames(question, ["Params", "Answer"]));
  add("events", [
    "Event",
    ...Object.keys(propertiesOf($defs.Events as Schema)).flatMap((type) => ownNames(type, ["Event"])),
  ]);
  return names;
}

interface NamesFrom {
  readonly shared: ReadonlyMap<string, (typeof SHAPES)[number]>;
  readonly groups: readonly (readonly [title: string, methods: Readonly<Record<string, RpcMethod>>])[];
}

function ownNames(name: string, endings: readonly string[]): string[] {
  return endings.map((ending) => `${definitionName(name)}${ending}`);
}

function isWorthAName(schema: Schema | undefined): boolean {
  if (schema === undefined) return false;
  return Object.keys(propertiesOf(schema)).length > 0 || (schema.anyOf ?? schema.oneOf) !== undefined;
}

/** A named type. */
function declaration(name: string, schema: Schema, writer: TypeWriter): string {
  const comment = typeof schema.description === "string" ? `/** ${schema.description} */\n` : "";
  if (schema.type !== "object" || Object.keys(propertiesOf(schema)).length === 0)
    return `${comment}export type ${name} = ${typeText(schema, writer)};`;
  const found = writer.partOf(schema);
  if (found === undefined) return `${comment}export interface ${name} ${objectText(schema, writer)}`;
  const [part, of] = found;
  const own = Object.entries(propertiesOf(schema)).filter(([one]) => !(one in propertiesOf(of)));
  if (own.length === 0) return `${comment}export type ${name} = ${part};`;
  const rest = objectText({ ...schema, properties: Object.fromEntries(own) }, { ...writer, partOf: () => undefined });
  return `${comment}export interface ${name} extends ${part} ${rest}`;
}

/** The file of a shape: that of the first root that leads to it. */
function homes($defs: RpcSchema["$defs"]): Map<string, (typeof SHAPES)[number]> {
  const home = new Map<string, (typeof SHAPES)[number]>();
  const shapes = Object.keys($defs).filter((name) => isShared($defs, name));
  const enter = (schema: unknown, place: (typeof SHAPES)[number]): void => {
    for (const [, name] of JSON.stringify(schema).matchAll(/"#\/\$defs\/([^"]+)"/g)) {
      if (name === undefined || home.has(name)) continue;
      if (shapes.includes(name)) home.set(name, place);
      enter($defs[name], place);
    }
  };
  for (const place of SHAPES) {
    for (const name of place.roots) {
      if (shapes.includes(name)) home.set(name, place);
      enter($defs[name], place);
    }
  }
  for (const name of shapes) if (!home.has(name)) home.set(name, OTHERS);
  return home;
}

/** Shapes named for themselves, not for a method, a question or an event. */
function isShared($defs: RpcSchema["$defs"], name: string): boolean {
  const derived = /(?:Params|Request|Result|Answer|Question|Event|Line|Response)$/.test(name);
  if (["Methods", "Questions", "Events"].includes(name)) return false;
  if (!derived) return true;
  // Some shapes are themselves called results or events.
  return ["NavigateResult", "ForkResult", "SwitchResult"].includes(name) && name in $defs;
}

interface TypesFile {
  readonly file: string;
  readonly says: string;
  readonly body: string;
}

function withImports({ file, says, body }: TypesFile, names: ReadonlyMap<string, string>): string {
  const code = body.replaceAll(/\/\*\*[\s\S]*?\*\//g, "").replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  const used = new Map<string, string[]>();
  for (const word of new Set(code.match(/\b[A-Z]\w*/g))) {
    const from = names.get(word);
    if (from !== undefined && from !== file) used.set(from, [...(used.get(from) ?? []), word]);
  }
  const imports = [...used]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([from, words]) =>
        `import type { ${words.sort((a, b) => a.localeCompare(b, "en")).join(", ")} } from "./${from}.js";\n`,
    );
  return `${NOTE}/** ${says} */\n${imports.join("")}\n${body}\n`;
}

interface Writer {
  readonly write: (schema: Schema) => string;
  readonly optional?: boolean;
}

function field(name: string, schema: Schema, { write, optional = false }: Writer): string {
  const comment = typeof schema.description === "string" ? `/** ${schema.description} */\n` : "";
  return `${comment}readonly ${key(name)}${optional ? "?" : ""}: ${write(schema)};`;
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** The shape whose fields are all part of this schema, with its name. */
type PartOf = (schema: Schema) => readonly [name: string, part: Schema] | undefined;

interface TypeWriter {
  readonly refer: (name: string) => string;
  readonly partOf: PartOf;
}

function propertiesOf(schema: Schema): Readonly<Record<string, Schema>> {
  return (schema.properties ?? {}) as Readonly<Record<string, Schema>>;
}

function requiredIn(schema: Schema): readonly string[] {
  return (schema.required ?? []) as readonly string[];
}

function hasAll(schema: Schema, part: Schema): boolean {
  const own = propertiesOf(schema);
  return Object.entries(propertiesOf(part)).every(
    ([name, one]) =>
      JSON.stringify(own[name]) === JSON.stringify(one) &&
      requiredIn(schema).includes(name) === requiredIn(part).includes(name),
  );
}

function typeText(schema: Schema, writer: TypeWriter): string {
  const { refer } = writer;
  const write = (inner: Schema) => typeText(inner, writer);
  if (typeof schema.$ref === "string") return refer(schema.$ref.replace("#/$defs/", ""));
  if ("const" in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((choice) => JSON.stringify(choice)).join(" | ");
  const choices = (schema.anyOf ?? schema.oneOf) as readonly Schema[] | undefined;
  // The compiler cannot tell apart what other programs wrote, so a `switch` needs a `default`.
  if (choices !== undefined)
    return choices
      .filter(({ $ref }) => !/Other(?:Entry|Message)$/.test(String($ref)))
      .map(write)
      .join(" | ");
  switch (schema.type) {
    case "string":
      return "string";
    case "number":
    case "integer":
      return "number";
    case "boolean":
      return "boolean";
    case "null":
      return "null";
    case "array":
      return `readonly (${write((schema.items ?? {}) as Schema)})[]`;
    case "object":
      return objectText(schema, writer);
    default:
      return "unknown";
  }
}

function objectText(schema: Schema, writer: TypeWriter): string {
  const write = (inner: Schema) => typeText(inner, writer);
  const found = writer.partOf(schema);
  if (found !== undefined) {
    const [name, part] = found;
    const inPart = propertiesOf(part);
    const own = Object.entries(propertiesOf(schema)).filter(([key]) => !(key in inPart));
    if (own.length === 0) return name;
    return `${objectText({ ...schema, properties: Object.fromEntries(own) }, writer)} & ${name}`;
  }
  const properties = Object.entries(propertiesOf(schema));
  if (properties.length === 0) {
    const inner = schema.additionalProperties;
    if (inner === false) return "Readonly<Record<string, never>>";
    return `Readonly<Record<string, ${write((inner ?? {}) as Schema)}>>`;
  }
  const required = requiredIn(schema);
  const fields = properties.map(([name, one]) => field(name, one, { write, optional: !required.includes(name) }));
  return `{\n${fields.join("\n")}\n}`;
}
