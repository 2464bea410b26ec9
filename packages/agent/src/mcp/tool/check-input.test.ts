import { expect, test } from "vitest";
import { inputProblems } from "./check-input.js";

const schema = {
  type: "object",
  properties: {
    path: { type: "string", minLength: 1 },
    limit: { type: "integer", minimum: 1, maximum: 10 },
    order: { enum: ["up", "down"] },
    edits: { type: "array", items: { $ref: "#/$defs/edit" }, minItems: 1 },
    either: { anyOf: [{ type: "string" }, { type: "object", required: ["id"] }] },
    maybe: { type: ["string", "null"] },
  },
  required: ["path"],
  additionalProperties: false,
  $defs: { edit: { type: "object", properties: { from: { type: "string" } }, required: ["from", "to"] } },
};

test.each([
  [{ path: "a" }, []],
  [{}, ["path is missing"]],
  [{ path: "" }, ["path should have a length of at least 1"]],
  [{ path: 5 }, ["path should be a string, not 5"]],
  [{ path: "a", limit: "5" }, ['limit should be an integer, not "5"']],
  [{ path: "a", limit: 11 }, ["limit should be at most 10"]],
  [{ path: "a", order: "left" }, ['order should be one of "up", "down", not "left"']],
  [{ path: "a", pth: 1 }, ["pth is not a field; the fields are path, limit, order, edits, either, maybe"]],
  [{ path: "a", edits: [{ from: 1 }] }, ["edits[0].to is missing", "edits[0].from should be a string, not 1"]],
  [{ path: "a", edits: [] }, ["edits should have a length of at least 1"]],
  [{ path: "a", either: {} }, ["either.id is missing"]],
  [{ path: "a", either: "x", maybe: null }, []],
])("%j: %j", (input, problems) => {
  expect(inputProblems(schema, input)).toEqual(problems);
});

test.each([
  ["types that do not exist", { type: "wish", properties: { a: { type: ["x"] } } }],
  [
    "keywords with values of other types",
    { required: "a", properties: [], enum: "x", items: 5, anyOf: {}, minimum: "1" },
  ],
  ["a reference that leads nowhere", { properties: { a: { $ref: "#/$defs/gone" }, b: { $ref: "https://x.test/y" } } }],
  ["a reference to itself", { $ref: "#" }],
  ["a circle of references", { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } }],
  ["names of the prototype", { properties: { a: { $ref: "#/__proto__/x" } }, required: ["a"] }],
])("%s refuse nothing", (_name, odd) => {
  expect(inputProblems(odd, { a: 1, b: "x" })).toEqual([]);
});

test("a pattern of a server is never run, and a schema made to take forever is given up", () => {
  const slow = "^(a+)+$";
  const text = `${"a".repeat(60)}!`;
  expect(
    inputProblems({ properties: { a: { pattern: slow } }, patternProperties: { [slow]: false } }, { a: text }),
  ).toEqual([]);
  const $defs: Record<string, unknown> = { x0: { type: "string" } };
  for (let at = 1; at < 50; at++) {
    const ref = { $ref: `#/$defs/x${at - 1}` };
    $defs[`x${at}`] = { anyOf: [ref, ref] };
  }
  expect(inputProblems({ $ref: "#/$defs/x49", $defs }, { a: 1 })).toEqual([]);
});
