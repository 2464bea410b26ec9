/** Structured output: a tool for one run, which the model calls when it is done. */

import { type AssistantMessage, contentText } from "@bough/session/entry/index.js";
import { errorText, isRecord } from "@bough/session/text/index.js";
import { z } from "zod";
import { OUTPUT_TOOL } from "../../model/index.js";
import { type Tool, textResult } from "../../tool/index.js";
import { explicitSchema } from "./explicit-schema.js";

/** A zod schema, made with any copy of zod 4, or a JSON Schema as an object. */
export type OutputSchema = { readonly _zod: { readonly output: unknown } } | Readonly<Record<string, unknown>>;

/** The type of `output`: that of a zod schema; a JSON Schema tells the compiler nothing. */
export type OutputOf<Schema> = Schema extends { readonly _zod: { readonly output: infer Output } } ? Output : unknown;

export const OUTPUT_REMINDER = `Give your answer by calling the tool ${OUTPUT_TOOL}.`;

export interface OutputRequest {
  readonly tool: Tool;
  /** The validated output. */
  readonly taken: () => { readonly value: unknown } | undefined;
  /** Accepts an answer written as JSON instead of a tool call. False if it is not valid. */
  readonly takeText: (message: AssistantMessage) => boolean;
}

/** Throws a TypeError for an invalid schema. */
export function outputRequest(schema: OutputSchema): OutputRequest {
  const form = schema instanceof z.ZodType ? schema : fromJson(schema);
  const json = z.toJSONSchema(form, { io: "input" });
  // Providers take only objects as the input of a tool.
  const isObject = json.type === "object";
  const input = isObject ? form : z.object({ answer: form });
  const { $schema: _, ...parameters } = isObject ? json : z.toJSONSchema(input, { io: "input" });
  let taken: { readonly value: unknown } | undefined;
  const check: Tool["check"] = (given) => {
    const parsed = input.safeParse(given);
    if (!parsed.success) return { ok: false, reason: z.prettifyError(parsed.error) };
    return { ok: true, value: isObject ? parsed.data : (parsed.data as { readonly answer: unknown }).answer };
  };
  const tool: Tool = {
    name: OUTPUT_TOOL,
    description: "Gives the final answer in the form that was asked for. Call it once, when everything else is done.",
    parameters,
    readOnly: true,
    check,
    execute: async (value) => {
      taken = { value };
      return { ...textResult("The answer was received.", undefined), stop: true };
    },
  };
  const takeText = (message: AssistantMessage): boolean => {
    for (const text of jsonTexts(contentText(message.content))) {
      const parsed = form.safeParse(text);
      if (!parsed.success) continue;
      taken = { value: parsed.data };
      return true;
    }
    return false;
  };
  return { tool, taken: () => taken, takeText };
}

/** Throws a TypeError for what is not a JSON Schema that an answer can be checked against. */
export function checkOutputSchema(schema: unknown): void {
  fromJson(schema);
}

/** Refuses a schema that cannot be applied now rather than after the model has answered. */
function fromJson(schema: unknown): z.ZodType {
  if (!isRecord(schema))
    throw new TypeError("The schema of an output must be a zod schema, or a JSON Schema as an object");
  try {
    const form = z.fromJSONSchema(explicitSchema(schema) as Parameters<typeof z.fromJSONSchema>[0]);
    // A schema that only refers to itself is noticed when it is used.
    form.safeParse(null);
    z.toJSONSchema(form, { io: "input" });
    return form;
  } catch (error) {
    const reason = error instanceof RangeError ? "it refers to itself without end" : errorText(error);
    throw new TypeError(`Not a JSON Schema that can be used: ${reason}`, { cause: error });
  }
}

/** The whole text, or the content of its first code fence if that is JSON. */
function jsonTexts(text: string): unknown[] {
  const fenced = /```(?:json)?\s*\n([\s\S]*?)\n```/.exec(text)?.[1];
  return [text, fenced].flatMap((part) => {
    try {
      return part === undefined ? [] : [JSON.parse(part) as unknown];
    } catch {
      return [];
    }
  });
}
