/** TypeScript types of the protocol, made from its schema: what `bough/rpc` publishes. */
import { z } from "zod";
import type { RpcMethod } from "./methods/rpc-method.js";
import { RPC_METHOD_GROUPS } from "./methods/rpc-methods.js";
import { definitionName, plainSchema, type RpcSchema, type Schema } from "./rpc-schema.test-support.js";
import { page, paged } from "./shape/common-shapes.js";
import { entryBase } from "./shape/entry-shapes.js";
import { moveFiles, moveOptions } from "./shape/outcome-shapes.js";

const NOTE = "// Made from the schema by `npx vitest run --project rooms src/cli/rpc/rpc-docs.test.ts --update`.\n";

/** Files in an order in which each knows only those before it. */
const SHAPES = [
  { file: "messages", name: "MessageShapes", roots: ["Message"], says: "Messages and what they are made of." },
  { file: "entries", name: "EntryShapes", roots: ["Entry", "SessionHeader"], says: "Entries of a session file." },
  { file: "outcomes", name: "OutcomeShapes", roots: ["Event", "Fault", "Delivery"], says: "How operations end." },
  {
    file: "sessions",
    name: "SessionShapes",
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
    name: "FileShapes",
    roots: ["PlannedFile", "FileDifference", "FilePreview", "SkippedFile", "BlamedLine"],
    says: "What is said about files.",
  },
  { file: "parts", name: "PartShapes", roots: [], says: "Fields that many methods have." },
  { file: "answers", name: "AnswerShapes", roots: [], says: "What methods take and answer." },
] as const;

const ENTRIES = SHAPES[1];
const METHODS = SHAPES[5];
const OTHERS = SHAPES[6];

/** Fields that many shapes have. They are written once, and what has all of them refers to it. The longest is first. */
const ENTRY_PARTS: Readonly<Record<string, Schema>> = {
  EntryBase: plainSchema(z.object(entryBase), "output"),
};
const METHOD_PARTS: Readonly<Record<string, Schema>> = {
  MoveOptions: plainSchema(z.strictObject(moveOptions), "input"),
  MoveFiles: plainSchema(z.strictObject(moveFiles), "input"),
  Page: plainSchema(z.strictObject(page), "input"),
  Paged: plainSchema(z.object(paged), "output"),
};

/** Text by file name, before it is formatted. */
export function rpcTypes({ $defs }: RpcSchema): Map<string, string> {
  const home = homes($defs);
  const files = new Map<string, string>();
  const shapeOf = (name: string) => `${(home.get(name) ?? OTHERS).name}["${name}"]`;
  const refer = (name: string) => (home.has(name) ? shapeOf(name) : write($defs[name] as Schema));
  const partOf = (parts: Readonly<Record<string, Schema>>): PartOf => {
    const known = Object.entries(parts);
    return (schema) => known.find(([, part]) => part !== schema && hasAll(schema, part));
  };
  const inShapes = partOf({ Problem: $defs.Problem as Schema, ...ENTRY_PARTS });
  const inMethods = partOf(METHOD_PARTS);
  const write = (schema: Schema): string => typeText(schema, { refer, partOf: inShapes });
  const writeForMethod = (schema: Schema): string => typeText(schema, { refer, partOf: inMethods });
  for (const [at, { file, name, says }] of SHAPES.entries()) {
    const own = [...home].filter(([, place]) => place.file === file).map(([shape]) => shape);
    const parts = Object.entries(file === METHODS.file ? METHOD_PARTS : file === ENTRIES.file ? ENTRY_PARTS : {});
    const fields = [
      ...own.map((shape) => field(shape, $defs[shape] as Schema, { write })),
      ...parts.map(([shape, schema]) => field(shape, schema, { write })),
    ];
    const body = `/** ${says} */\nexport interface ${name} {\n${fields.join("\n")}\n}\n`;
    files.set(file, withImports(body, SHAPES.slice(0, at)));
  }
  const groups = Object.entries<Readonly<Record<string, RpcMethod>>>(RPC_METHOD_GROUPS);
  const names: [string, string][] = [];
  for (const [title, methods] of groups) {
    const file = `${title.toLowerCase().replaceAll(" ", "-")}-methods`;
    const name = `${title.replace(/(?:^| )([a-z])/gi, (_, letter: string) => letter.toUpperCase())}Methods`;
    const fields = Object.entries(methods).map(([method, { summary }]) => {
      const result = resultOf($defs, method);
      const params = $defs[`${definitionName(method)}Params`] as Schema;
      return `/** ${summary} */\nreadonly ${key(method)}: { readonly params: ${writeForMethod(params)}; readonly result: ${writeForMethod(result)} };`;
    });
    const body = `/** ${title}. */\nexport interface ${name} {\n${fields.join("\n")}\n}\n`;
    files.set(file, withImports(body, SHAPES));
    names.push([file, name]);
  }
  const imports = [...names].sort().map(([file, name]) => `import type { ${name} } from "./${file}.js";`);
  const all = names.map(([, name]) => name).join(", ");
  files.set(
    "methods",
    `${NOTE}${imports.join("\n")}\n\n/** Parameters and results, by method. */\nexport interface RpcMethods extends ${all} {}\n`,
  );
  const map = (name: string) =>
    Object.entries(($defs[name] as { readonly properties: Readonly<Record<string, Schema>> }).properties);
  const events = map("Events").map(([type, schema]) => field(type, withoutTypeAndCut(deref($defs, schema)), { write }));
  const questions = map("Questions").map(([type, schema]) => field(type, schema, { write }));
  const told = `/** What events say besides their type, which is their name here. */\nexport interface RpcEventFields {\n${events.join("\n")}\n}\n\n${EVERY_EVENT}`;
  const asked = `/** What the program asks the client, by method. */\nexport interface RpcQuestions {\n${questions.join("\n")}\n}\n`;
  files.set("events", withImports(told, SHAPES));
  files.set("questions", withImports(asked, SHAPES));
  return files;
}

const EVERY_EVENT = `/** Events, by their type. */
export type RpcEvents = {
  readonly [Type in keyof RpcEventFields]: RpcEventFields[Type] & { readonly type: Type; readonly cut?: MessageShapes["Cut"] };
};
`;

/** Every event has both. */
function withoutTypeAndCut(event: Schema): Schema {
  const { type, cut, ...properties } = propertiesOf(event);
  if (type === undefined || cut === undefined) throw new Error(`No type or cut in ${JSON.stringify(event)}`);
  // Of an event that says nothing more, `unknown` adds nothing to what every event has.
  return Object.keys(properties).length === 0 ? { description: event.description } : { ...event, properties };
}

/** Which file a shape is in: that of the first root that leads to it. */
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

/** What has a name of its own, and not that of a method, a question or an event. */
function isShared($defs: RpcSchema["$defs"], name: string): boolean {
  const derived = /(?:Params|Request|Result|Answer|Question|Event|Line|Response)$/.test(name);
  if (["Methods", "Questions", "Events"].includes(name)) return false;
  if (!derived) return true;
  // Some shapes are called results themselves.
  return ["NavigateResult", "ForkResult", "SwitchResult"].includes(name) && name in $defs;
}

function resultOf($defs: RpcSchema["$defs"], method: string): Schema {
  const { properties } = $defs.Methods as {
    readonly properties: Readonly<Record<string, { readonly properties: { readonly result: Schema } }>>;
  };
  return properties[method]?.properties.result as Schema;
}

function deref($defs: RpcSchema["$defs"], schema: Schema): Schema {
  return typeof schema.$ref === "string" ? ($defs[schema.$ref.replace("#/$defs/", "")] as Schema) : schema;
}

function withImports(body: string, places: readonly (typeof SHAPES)[number][]): string {
  const used = places.filter(({ name }) => body.includes(`${name}[`)).sort((a, b) => (a.file < b.file ? -1 : 1));
  const imports = used.map(({ file, name }) => `import type { ${name} } from "./${file}.js";\n`);
  return `${NOTE}${imports.join("")}\n${body}`;
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

/** The part whose fields a schema has among its own, with its name. */
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
  // What other programs wrote cannot be told apart by the compiler: a `switch` needs its `default`.
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
    const home = name in METHOD_PARTS ? METHODS : name in ENTRY_PARTS ? ENTRIES : undefined;
    const reference = home === undefined ? writer.refer(name) : `${home.name}["${name}"]`;
    if (own.length === 0) return reference;
    return `${objectText({ ...schema, properties: Object.fromEntries(own) }, writer)} & ${reference}`;
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
