/**
 * Checks the input of a call against the schema of a server's tool.
 *
 * Schemas come from servers, so this never runs their patterns, follows only references inside the schema, and gives up
 * after a number of steps. What it does not understand, it accepts: the server checks its input itself.
 */
import { isRecord } from "@bough/session/text/index.js";

const MOST_STEPS = 20_000;
const DEEPEST = 60;
const MOST_PROBLEMS = 8;
/** More than any number of problems. */
const OTHER_TYPE = 1_000_000;

type Schema = Readonly<Record<string, unknown>>;

/** What is wrong, such as `path is missing`; empty if nothing is, or if it cannot be decided. */
export function inputProblems(schema: Schema, input: unknown): readonly string[] {
  try {
    return new InputCheck(schema).problems(schema, { value: input, path: "", depth: 0 }).slice(0, MOST_PROBLEMS);
  } catch (error) {
    if (error instanceof Undecided) return [];
    throw error;
  }
}

class Undecided extends Error {}

interface Place {
  readonly value: unknown;
  readonly path: string;
  readonly depth: number;
}

class InputCheck {
  readonly #root: Schema;
  #steps = 0;

  constructor(root: Schema) {
    this.#root = root;
  }

  problems(schema: unknown, at: Place): string[] {
    this.#steps += 1;
    if (this.#steps > MOST_STEPS || at.depth > DEEPEST) throw new Undecided();
    if (schema === false) return [`${named(at.path)} is not allowed`];
    if (!isRecord(schema)) return [];
    const { $ref } = schema;
    const target = typeof $ref === "string" ? this.#resolve($ref) : undefined;
    const found = target === undefined ? [] : this.problems(target, { ...at, depth: at.depth + 1 });
    const wrongType = typeProblem(schema, at);
    if (wrongType !== undefined) return [...found, wrongType];
    const { value } = at;
    found.push(...valueProblems(schema, at));
    if (isRecord(value)) found.push(...this.#fields(schema, value, at));
    if (Array.isArray(value)) found.push(...this.#items(schema, value, at));
    for (const one of list(schema.allOf)) found.push(...this.problems(one, { ...at, depth: at.depth + 1 }));
    for (const forms of [list(schema.anyOf), list(schema.oneOf)]) found.push(...this.#oneOf(forms, at));
    return found;
  }

  #fields(schema: Schema, value: Readonly<Record<string, unknown>>, { path, depth }: Place): string[] {
    const properties = isRecord(schema.properties) ? schema.properties : {};
    const found: string[] = [];
    for (const name of list(schema.required)) {
      if (typeof name === "string" && !Object.hasOwn(value, name)) found.push(`${joined(path, name)} is missing`);
    }
    const { additionalProperties: others } = schema;
    // Which names a pattern covers is not known here.
    const isOpen = schema.patternProperties !== undefined || others === undefined;
    const known = Object.keys(properties);
    for (const [name, item] of Object.entries(value)) {
      const at = { value: item, path: joined(path, name), depth: depth + 1 };
      if (Object.hasOwn(properties, name)) found.push(...this.problems(properties[name], at));
      else if (others === false && !isOpen) {
        const fields = known.length === 0 ? "it has no fields" : `the fields are ${known.slice(0, 30).join(", ")}`;
        found.push(`${at.path} is not a field; ${fields}`);
      } else if (!isOpen) found.push(...this.problems(others, at));
    }
    return found;
  }

  #items(schema: Schema, value: readonly unknown[], { path, depth }: Place): string[] {
    const first = list(schema.prefixItems);
    const found: string[] = [];
    for (const [index, item] of value.entries()) {
      const at = { value: item, path: `${path}[${index}]`, depth: depth + 1 };
      found.push(...this.problems(index < first.length ? first[index] : schema.items, at));
      if (found.length >= MOST_PROBLEMS) break;
    }
    return found;
  }

  /** Says what is wrong with the form that comes closest: rather one of the same type with a mistake inside. */
  #oneOf(forms: readonly unknown[], at: Place): readonly string[] {
    let closest: { readonly found: readonly string[]; readonly distance: number } | undefined;
    for (const form of forms) {
      const found = this.problems(form, { ...at, depth: at.depth + 1 });
      if (found.length === 0) return [];
      const isOtherType = isRecord(form) && typeProblem(form, at) !== undefined;
      const distance = found.length + (isOtherType ? OTHER_TYPE : 0);
      if (closest === undefined || distance < closest.distance) closest = { found, distance };
    }
    return closest?.found ?? [];
  }

  #resolve(reference: string): unknown {
    if (reference === "#") return this.#root;
    if (!reference.startsWith("#/")) return undefined;
    let value: unknown = this.#root;
    for (const part of reference.slice(2).split("/")) {
      const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
      value = (value as Readonly<Record<string, unknown>>)[key];
    }
    return value;
  }
}

const KINDS: Readonly<Record<string, readonly [words: string, is: (value: unknown) => boolean]>> = {
  string: ["a string", (value) => typeof value === "string"],
  number: ["a number", (value) => typeof value === "number"],
  integer: ["an integer", (value) => Number.isInteger(value)],
  boolean: ["true or false", (value) => typeof value === "boolean"],
  array: ["an array", Array.isArray],
  object: ["an object", isRecord],
  null: ["null", (value) => value === null],
};

function typeProblem({ type }: Schema, { value, path }: Place): string | undefined {
  const kinds = (Array.isArray(type) ? type : [type]).map((name) =>
    typeof name === "string" && Object.hasOwn(KINDS, name) ? KINDS[name] : undefined,
  );
  // An unknown type says nothing.
  if (kinds.length === 0 || kinds.includes(undefined)) return undefined;
  if (kinds.some((kind) => kind?.[1](value))) return undefined;
  return `${named(path)} should be ${kinds.map((kind) => kind?.[0]).join(" or ")}, not ${shown(value)}`;
}

function valueProblems(schema: Schema, { value, path }: Place): string[] {
  const found: string[] = [];
  const say = (words: string) => found.push(`${named(path)} ${words}`);
  const { enum: choices } = schema;
  if (Array.isArray(choices) && !choices.some((choice) => isSame(choice, value))) {
    const some = choices.slice(0, 20).map((choice) => JSON.stringify(choice));
    say(`should be one of ${some.join(", ")}${choices.length > 20 ? ", ..." : ""}, not ${shown(value)}`);
  }
  if (Object.hasOwn(schema, "const") && !isSame(schema.const, value)) say(`should be ${shown(schema.const)}`);
  const limit = (name: string) => (typeof schema[name] === "number" ? (schema[name] as number) : undefined);
  const atLeast = (size: number, name: string, what: string) => {
    const least = limit(name);
    if (least !== undefined && size < least) say(`should ${what} at least ${least}`);
  };
  const atMost = (size: number, name: string, what: string) => {
    const most = limit(name);
    if (most !== undefined && size > most) say(`should ${what} at most ${most}`);
  };
  if (typeof value === "number") {
    atLeast(value, "minimum", "be");
    atMost(value, "maximum", "be");
    const [above, below] = [limit("exclusiveMinimum"), limit("exclusiveMaximum")];
    if (above !== undefined && value <= above) say(`should be more than ${above}`);
    if (below !== undefined && value >= below) say(`should be less than ${below}`);
  } else if (typeof value === "string") {
    atLeast([...value].length, "minLength", "have a length of");
    atMost([...value].length, "maxLength", "have a length of");
  } else if (Array.isArray(value)) {
    atLeast(value.length, "minItems", "have a length of");
    atMost(value.length, "maxItems", "have a length of");
  }
  return found;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || (typeof one === "object" && JSON.stringify(one) === JSON.stringify(other));
}

function joined(path: string, name: string): string {
  const plain = /^[\w$-]+$/.test(name) ? name : JSON.stringify(name.slice(0, 60));
  return path === "" ? plain : `${path}.${plain}`;
}

function named(path: string): string {
  return path === "" ? "the input" : path;
}

function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length <= 60 ? text : Array.isArray(value) ? "an array" : `${text.slice(0, 60)}...`;
}
