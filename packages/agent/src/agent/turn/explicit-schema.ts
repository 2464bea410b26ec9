/**
 * Rewrites a JSON Schema so that zod applies every constraint. On its own, zod accepts anything if there is no `type`, and
 * ignores keywords next to a `$ref` and required properties that are not described.
 */
import { isRecord } from "@bough/session/text/index.js";

type Schema = Readonly<Record<string, unknown>>;

/** Deeper than any real schema; much deeper ones would exhaust the stack. */
const MOST_LEVELS = 200;

/** Where a schema has others: one, a list of them, or a map to them. */
const INNER = {
  one: ["items", "additionalItems", "additionalProperties", "contains", "propertyNames", "not"],
  list: ["items", "prefixItems", "anyOf", "oneOf", "allOf"],
  map: ["properties", "patternProperties", "$defs", "definitions"],
} as const;

/** Keywords that apply to values of one type only. */
const KEYWORDS_OF = {
  object: [
    ...["properties", "required", "additionalProperties", "patternProperties", "propertyNames"],
    ...["minProperties", "maxProperties"],
  ],
  array: ["items", "prefixItems", "additionalItems", "minItems", "maxItems", "uniqueItems", "contains"],
  string: ["minLength", "maxLength", "pattern", "format"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
} as const;

const UNTYPED = ["$ref", "enum", "const", "not"];
const SAYS_SOMETHING = ["type", ...UNTYPED, "anyOf", "oneOf", "allOf", ...Object.values(KEYWORDS_OF).flat()];
const COUNTS = /^(?:min|max)(?:Items|Length|Properties|imum)$|^multipleOf$/;
/** Next to a `$ref`, these constrain nothing. */
const ANNOTATIONS = [
  ...["$ref", "$schema", "$id", "$comment", "$defs", "definitions"],
  ...["title", "description", "default", "examples", "deprecated"],
];

/**
 * Throws an Error for a schema that says nothing about a value, refers to another file, or is nested too deeply. A
 * schema without a `type` whose keywords belong to one type is taken for that type.
 */
export function explicitSchema(schema: Schema): Schema {
  if (!SAYS_SOMETHING.some((name) => Object.hasOwn(schema, name))) {
    throw new Error("it has no keyword of JSON Schema, such as type or properties");
  }
  return explicit(schema, 0) as Schema;
}

function explicit(schema: unknown, level: number): unknown {
  if (!isRecord(schema)) {
    if (typeof schema === "boolean") return schema;
    throw new Error(`it has ${JSON.stringify(schema)?.slice(0, 40)} where a schema should be`);
  }
  if (level > MOST_LEVELS) throw new Error(`it is nested more than ${MOST_LEVELS} levels deep`);
  const inner = (value: unknown) => explicit(value, level + 1);
  const made: Record<string, unknown> = { ...schema };
  for (const name of INNER.one) if (isSchema(schema[name])) made[name] = inner(schema[name]);
  for (const name of INNER.list) {
    const list = schema[name];
    if (Array.isArray(list)) made[name] = list.map(inner);
    else if (list !== undefined && name !== "items") throw new Error(`${name} is not a list`);
  }
  for (const name of INNER.map) {
    const map = schema[name];
    if (map === undefined) continue;
    if (!isRecord(map)) throw new Error(`${name} is not an object`);
    made[name] = Object.fromEntries(Object.entries(map).map(([key, value]) => [key, inner(value)]));
  }
  checkValues(made);
  return besideReference(withRequired(withType(made)));
}

function checkValues(schema: Schema): void {
  for (const [name, value] of Object.entries(schema)) {
    if (COUNTS.test(name) && typeof value !== "number") throw new Error(`${name} is not a number`);
  }
  const { enum: choices, const: only } = schema;
  if (choices !== undefined && !Array.isArray(choices)) throw new Error("enum is not a list");
  const isNested = (value: unknown) => typeof value === "object" && value !== null;
  if (isNested(only) || (choices as readonly unknown[] | undefined)?.some(isNested) === true)
    throw new Error("enum and const take no objects or lists here");
}

function withRequired(schema: Schema): Schema {
  const { required, properties = {} } = schema;
  if (required === undefined) return schema;
  if (!Array.isArray(required) || required.some((name) => typeof name !== "string"))
    throw new Error("required is not a list of names");
  const missing = required.filter((name: string) => !Object.hasOwn(properties as Schema, name)) as string[];
  if (missing.length === 0) return schema;
  return {
    ...schema,
    properties: { ...(properties as Schema), ...Object.fromEntries(missing.map((name) => [name, {}])) },
  };
}

function isSchema(value: unknown): boolean {
  return typeof value === "boolean" || isRecord(value);
}

function withType(schema: Schema): Schema {
  if (schema.type !== undefined || UNTYPED.some((name) => Object.hasOwn(schema, name))) return schema;
  const types = Object.entries(KEYWORDS_OF).filter(([, names]) => names.some((name) => Object.hasOwn(schema, name)));
  if (types.length > 1) throw new Error(`it needs a type next to ${types.map(([, [name]]) => name).join(" and ")}`);
  const [type] = types;
  return type === undefined ? schema : { ...schema, type: type[0] };
}

/** `{ $ref, minLength }` as `{ allOf: [{ $ref }, { minLength }] }`. */
function besideReference(schema: Schema): Schema {
  const { $ref } = schema;
  if ($ref === undefined) return schema;
  if (typeof $ref !== "string") throw new Error("$ref is not a text");
  const others = Object.entries(schema).filter(([name]) => !ANNOTATIONS.includes(name));
  if (others.length === 0) return schema;
  const annotations = Object.entries(schema).filter(([name]) => ANNOTATIONS.includes(name) && name !== "$ref");
  return { ...Object.fromEntries(annotations), allOf: [{ $ref }, withRequired(withType(Object.fromEntries(others)))] };
}
