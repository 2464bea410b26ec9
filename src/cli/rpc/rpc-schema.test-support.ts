/** The published description of the protocol, made from the tables the server works with. */
import { z } from "zod";
import { CLIENT_QUESTIONS } from "./client-questions.js";
import { AGENT_EVENT_TEXTS, FRONT_END_EVENT_TEXTS } from "./rpc-events.js";
import { RPC_METHODS } from "./rpc-methods.js";

type Schema = Readonly<Record<string, unknown>>;

const requestId: Schema = { type: ["string", "number"] };

/** A JSON Schema whose definitions are the lines of both directions. */
export function rpcSchema(): Schema {
  const definitions: Record<string, Schema> = {};
  const shared: Record<string, Schema> = {};
  const jsonSchema = (schema: z.ZodType, io: "input" | "output"): Schema => {
    const { $schema: _same, $defs, ...rest } = z.toJSONSchema(schema, { io });
    // Shapes with a name are once, for all who refer to them.
    for (const [name, definition] of Object.entries($defs ?? {})) {
      const { id: _name, ...fields } = definition as Schema & { readonly id?: unknown };
      shared[name] = fields;
    }
    return rest;
  };
  const requests: Schema[] = [];
  for (const [name, method] of RPC_METHODS) {
    const params = jsonSchema(method.params, "input");
    const needsParams = Array.isArray(params.required) && params.required.length > 0;
    definitions[`request:${name}`] = {
      description: method.summary,
      type: "object",
      properties: { id: requestId, method: { const: name }, params },
      required: needsParams ? ["id", "method", "params"] : ["id", "method"],
    };
    definitions[`result:${name}`] = jsonSchema(method.result, "output");
    requests.push(ref(`request:${name}`));
  }
  const questions: Schema[] = [];
  for (const [name, question] of Object.entries(CLIENT_QUESTIONS)) {
    definitions[`question:${name}`] = {
      description: question.summary,
      type: "object",
      properties: { id: { type: "string" }, method: { const: name }, params: jsonSchema(question.params, "input") },
      required: ["id", "method", "params"],
    };
    definitions[`answer:${name}`] = jsonSchema(question.result, "output");
    questions.push(ref(`question:${name}`));
  }
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Bough RPC",
    description: "Lines of JSON. ClientLine is what a client sends, ServerLine what it receives.",
    anyOf: [ref("ClientLine"), ref("ServerLine")],
    $defs: { ...lines(requests, questions), ...shared, ...definitions },
  };
}

function lines(requests: readonly Schema[], questions: readonly Schema[]): Record<string, Schema> {
  return {
    ClientLine: { anyOf: [...requests, ref("Answer")] },
    ServerLine: { anyOf: [ref("Response"), ref("ErrorResponse"), ref("Event"), ...questions] },
    Answer: {
      description: "The client's answer to a question, with the id of the question; an error counts as no answer.",
      type: "object",
      properties: { id: { type: "string" }, result: {}, error: {} },
      required: ["id"],
    },
    Response: {
      description: "The result of the request with this id; result:<method> describes it.",
      type: "object",
      properties: { id: requestId, result: {} },
      required: ["id", "result"],
    },
    ErrorResponse: {
      description: "Why the request with this id failed; null if the line had no id.",
      type: "object",
      properties: {
        id: { type: ["string", "number", "null"] },
        error: {
          type: "object",
          properties: {
            code: { type: "string" },
            message: { type: "string" },
            hint: { type: "string" },
            data: { type: "object" },
          },
          required: ["code", "message"],
        },
      },
      required: ["id", "error"],
    },
    Event: {
      description: "Something happened; no answer is expected.",
      type: "object",
      properties: {
        event: {
          type: "object",
          properties: { type: { enum: Object.keys({ ...FRONT_END_EVENT_TEXTS, ...AGENT_EVENT_TEXTS }) } },
          required: ["type"],
        },
      },
      required: ["event"],
    },
  };
}

function ref(name: string): Schema {
  return { $ref: `#/$defs/${name}` };
}
