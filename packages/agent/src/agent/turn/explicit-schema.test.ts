import { describe, expect, test } from "vitest";
import { outputRequest } from "./structured-output.js";

/** Whether an answer in words has the form; the message if the schema is refused. */
function fits(schema: unknown, value: unknown): boolean | string {
  try {
    const message = { role: "assistant", content: [{ type: "text", text: JSON.stringify(value) }] };
    return outputRequest(schema as Record<string, unknown>).takeText(message as never);
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    return (error as Error).message.replace("Not a JSON Schema that can be used: ", "");
  }
}

describe("a JSON Schema for an answer", () => {
  test.each<[string, object, unknown, unknown]>([
    ["without a type", { properties: { a: { minLength: 2 } } }, { a: "ab" }, { a: "a" }],
    ["a required property that is not described", { type: "object", required: ["a"] }, { a: 1 }, {}],
    [
      "of which one alternative is required",
      { properties: { b: { type: "string" } }, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
      { b: "x" },
      { c: 1 },
    ],
    [
      "with more next to a reference",
      { $defs: { name: { type: "string" } }, $ref: "#/$defs/name", minLength: 2 },
      "ab",
      "a",
    ],
    [
      "that contains itself",
      { type: "object", properties: { kids: { type: "array", items: { $ref: "#" } } }, additionalProperties: false },
      { kids: [{ kids: [] }] },
      { kids: [{ kid: [] }] },
    ],
    ["of a list", { items: { enum: ["a", null] } }, ["a", null], ["b"]],
  ])("%s is applied in full", (_what, schema, right, wrong) => {
    expect([fits(schema, right), fits(schema, wrong)]).toEqual([true, false]);
  });

  const deep = (levels: number) => {
    let schema: object = { type: "string" };
    for (let level = 0; level < levels; level++) schema = { type: "array", items: schema };
    return schema;
  };

  test.each<[unknown, string]>([
    [{ name: "bough", version: "1" }, "it has no keyword of JSON Schema, such as type or properties"],
    [{ type: "banana" }, "Unsupported type: banana"],
    [{ type: "string", minLength: "3" }, "minLength is not a number"],
    [{ type: "object", properties: [] }, "properties is not an object"],
    [{ type: "object", properties: { a: "string" } }, 'it has "string" where a schema should be'],
    [{ type: "object", required: "a" }, "required is not a list of names"],
    [{ enum: "a" }, "enum is not a list"],
    [{ const: { a: 1 } }, "enum and const take no objects or lists here"],
    [{ anyOf: { type: "string" } }, "anyOf is not a list"],
    [{ properties: {}, minLength: 1 }, "it needs a type next to properties and minLength"],
    [{ type: "string", pattern: "(" }, "Invalid regular expression: /(/: Unterminated group"],
    [{ $ref: "https://example.com/schema.json" }, "External $ref is not supported"],
    [{ $ref: "other.json#/a" }, "External $ref is not supported"],
    [{ $ref: "#/$defs/none" }, "Reference not found: #/$defs/none"],
    [{ $ref: "#" }, "it refers to itself without end"],
    [{ $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } }, "it refers to itself without end"],
    [deep(10_000), "it is nested more than 200 levels deep"],
    [{ type: "object", if: {} }, "Conditional schemas (if/then/else) are not supported"],
  ])("that cannot be applied is refused: %#", (schema, reason) => {
    expect(fits(schema, {})).toContain(reason);
  });

  test.each([[[]], [true], ["text"], [null]])("is an object: %j is refused", (schema) => {
    expect(fits(schema, {})).toBe("The schema of an output must be a zod schema, or a JSON Schema as an object");
  });
});
