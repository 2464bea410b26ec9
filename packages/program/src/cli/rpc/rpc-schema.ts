/** The published description of the protocol, generated from the server's own tables. */
import { z } from "zod";
import { CLIENT_QUESTIONS } from "./client-questions.js";
import { RPC_METHODS } from "./methods/rpc-methods.js";
import { fault } from "./shape/common-shapes.js";
import { EVENTS } from "./shape/event-shapes.js";
import { cut } from "./shape/message-shapes.js";

export type Schema = Readonly<Record<string, unknown>>;
export interface RpcSchema extends Schema {
  readonly $defs: Readonly<Record<string, Schema>>;
}

const requestId: Schema = { anyOf: [{ type: "string" }, { type: "number" }] };

/** `tree.children` is TreeChildren. */
export function definitionName(name: string): string {
  return name.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** A JSON Schema that defines the lines of both directions and everything in them. */
export function rpcSchema(): RpcSchema {
  const defs: Record<string, Schema> = {};
  const shared: Record<string, Schema> = {};
  const jsonSchema = (schema: z.ZodType, io: "input" | "output"): Schema => {
    const { $schema: _same, $defs, ...rest } = plainSchema(schema, io);
    // Named shapes are defined once and referenced.
    for (const [name, definition] of Object.entries($defs ?? {})) {
      const { id: _name, ...fields } = definition as Schema;
      shared[name] = fields;
    }
    return rest;
  };
  const define = (name: string, schema: Schema): Schema => {
    // A shape that already has a name needs no other.
    if (typeof schema.$ref === "string" && Object.keys(schema).length === 1) return schema;
    if (name in defs) throw new Error(`Two definitions are called ${name}`);
    defs[name] = schema;
    return ref(name);
  };

  const methods: Record<string, Schema> = {};
  const requests: Schema[] = [];
  for (const [name, method] of RPC_METHODS) {
    const title = definitionName(name);
    const params = define(`${title}Params`, jsonSchema(method.params, "input"));
    const result = define(`${title}Result`, jsonSchema(method.result, "output"));
    const { required } = defs[`${title}Params`] as Schema;
    methods[name] = { description: method.summary, ...object({ params, result }) };
    const needs = Array.isArray(required) && required.length > 0 ? [] : ["params"];
    const request = object({ id: requestId, method: { const: name }, params }, needs);
    requests.push(define(`${title}Request`, { description: method.summary, ...request }));
  }
  const questions: Record<string, Schema> = {};
  const asked: Schema[] = [];
  for (const [name, question] of Object.entries(CLIENT_QUESTIONS)) {
    const title = definitionName(name);
    const params = define(`${title}Params`, jsonSchema(question.params, "output"));
    const result = define(`${title}Answer`, jsonSchema(question.result, "output"));
    questions[name] = { description: question.summary, ...object({ params, result }) };
    const line = object({ id: { type: "string" }, method: { const: name }, params, cut: ref("Cut") }, ["cut"]);
    asked.push(define(`${title}Question`, { description: question.summary, ...line }));
  }
  const events: Record<string, Schema> = {};
  for (const [type, { summary, fields }] of Object.entries(EVENTS)) {
    const shape = z.object({ type: z.literal(type), ...fields, cut: cut.optional() });
    const schema = { description: summary, ...jsonSchema(shape, "output") };
    events[type] = define(`${definitionName(type)}Event`, schema);
  }
  jsonSchema(fault, "output");
  const maps = {
    Methods: { description: "Parameters and results, by method.", ...object(methods) },
    Questions: { description: "Parameters and answers of what the program asks, by method.", ...object(questions) },
    Events: { description: "Events, by their type.", ...object(events) },
  };
  for (const name of Object.keys(shared)) if (name in defs) throw new Error(`Two definitions are called ${name}`);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Bough RPC",
    description:
      "Lines of JSON. ClientLine is what a client sends, ServerLine what it receives. Methods, Questions and Events say what belongs together. More fields may be added.",
    anyOf: [ref("ClientLine"), ref("ServerLine")],
    $defs: { ...lines({ requests, asked, events, methods }), ...maps, ...sorted(shared), ...defs },
  };
}

interface Lines {
  readonly requests: readonly Schema[];
  readonly asked: readonly Schema[];
  readonly events: Readonly<Record<string, Schema>>;
  readonly methods: Readonly<Record<string, Schema>>;
}

function lines({ requests, asked, events, methods }: Lines): Record<string, Schema> {
  const results = Object.values(methods).map(({ properties }) => (properties as { readonly result: Schema }).result);
  return {
    ClientLine: { anyOf: [...requests, ref("Answer")] },
    ServerLine: { anyOf: [ref("Response"), ref("ErrorResponse"), ref("EventLine"), ...asked] },
    Answer: {
      description: "The client's answer to a question, with the id of the question; an error counts as no answer.",
      ...object({ id: { type: "string" }, result: {}, error: {} }, ["result", "error"]),
    },
    Response: {
      description: "The result of the request with this id; Methods says which result belongs to which method.",
      ...object({ id: requestId, result: { anyOf: unique(results) }, cut: ref("Cut") }, ["cut"]),
    },
    ErrorResponse: {
      description: "Why the request with this id failed; null if the line had no id.",
      ...object({ id: { anyOf: [{ type: "string" }, { type: "number" }, { type: "null" }] }, error: ref("Fault") }),
    },
    EventLine: {
      description: "Something happened; no answer is expected.",
      ...object({ event: ref("Event"), cut: ref("Cut") }, ["cut"]),
    },
    Event: { anyOf: Object.values(events) },
  };
}

function object(properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema {
  return { type: "object", properties, required: Object.keys(properties).filter((name) => !optional.includes(name)) };
}

function unique(schemas: readonly Schema[]): Schema[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}

function sorted(named: Readonly<Record<string, Schema>>): Record<string, Schema> {
  return Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function plainSchema(schema: z.ZodType, io: "input" | "output"): Schema {
  return plain(z.toJSONSchema(schema, { io }), io) as Schema;
}

/**
 * Uses only keywords that every validator and generator knows: no lists of types. What the program sends may get more
 * fields later, so only what a client sends is closed.
 */
function plain(value: unknown, io: "input" | "output"): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item, io));
  if (typeof value !== "object" || value === null) return value;
  const schema = Object.fromEntries(Object.entries(value).map(([key, field]) => [key, plain(field, io)]));
  const isShape = schema.type === "object" && schema.properties !== undefined;
  if (isShape && (io === "output" || schema.additionalProperties !== false)) delete schema.additionalProperties;
  // Field names are strings anyway.
  if (schema.propertyNames !== undefined) delete schema.propertyNames;
  if (!Array.isArray(schema.type)) return schema;
  const { type, ...rest } = schema;
  return { ...rest, anyOf: (type as string[]).map((one) => ({ type: one })) };
}

function ref(name: string): Schema {
  return { $ref: `#/$defs/${name}` };
}
