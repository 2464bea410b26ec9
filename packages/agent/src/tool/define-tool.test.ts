import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createTools, TOOL_NAMES } from "./create-tools.js";
import { defineJsonTool } from "./define-json-tool.js";
import { defineTool, textResult } from "./define-tool.js";
import type { ToolContext } from "./tool.js";

const context: ToolContext = {
  cwd: "/",
  callId: "c",
  signal: new AbortController().signal,
  onUpdate: () => undefined,
  permit: async () => ({ allowed: true }),
  outputDir: "/nowhere",
};

const sum = defineTool({
  name: "sum",
  description: "Adds.",
  input: z.strictObject({ numbers: z.array(z.number()).min(1), unit: z.string().optional().describe("A unit.") }),
  readOnly: true,
  run: async ({ numbers, unit = "" }) => textResult(`${numbers.reduce((a, b) => a + b, 0)}${unit}`, { numbers }),
});

describe("a tool made from a schema", () => {
  test("tells the model its parameters as JSON Schema", () => {
    expect(sum.parameters).toEqual({
      type: "object",
      properties: {
        numbers: { type: "array", minItems: 1, items: { type: "number" } },
        unit: { type: "string", description: "A unit." },
      },
      required: ["numbers"],
      additionalProperties: false,
    });
  });

  test("says in a sentence what is wrong with an input", () => {
    const reasons = [{}, "x", { numbers: [] }, { numbers: [1, "2"] }, { numbers: [1], units: "m", u: 1 }].map((input) =>
      sum.check(input),
    );
    expect(reasons).toEqual([
      { ok: false, reason: "Invalid input for sum: numbers is missing" },
      {
        ok: false,
        reason: "Invalid input for sum: invalid input: expected object, received string. The fields are: numbers, unit",
      },
      { ok: false, reason: "Invalid input for sum: numbers: too small: expected array to have >=1 items" },
      { ok: false, reason: "Invalid input for sum: numbers[1]: invalid input: expected number, received string" },
      { ok: false, reason: 'Invalid input for sum: unknown field "units", "u". The fields are: numbers, unit' },
    ]);
  });

  test("runs, and gives a failure as a result when the input is wrong, the work throws or the signal came first", async () => {
    const broken = defineTool({
      name: "broken",
      description: "",
      input: z.strictObject({}),
      readOnly: true,
      run: () => Promise.reject(new Error("it broke")),
    });
    const stopped = { ...context, signal: AbortSignal.abort() };
    expect([
      await sum.execute({ numbers: [1, 2], unit: "m" }, context),
      await sum.execute({ numbers: 3 }, context),
      await broken.execute({}, context),
      await sum.execute({ numbers: [1] }, stopped),
    ]).toEqual([
      { content: [{ type: "text", text: "3m" }], details: { numbers: [1, 2] } },
      {
        content: [
          { type: "text", text: "Invalid input for sum: numbers: invalid input: expected array, received number" },
        ],
        isError: true,
      },
      { content: [{ type: "text", text: "it broke" }], isError: true },
      { content: [{ type: "text", text: "Stopped before it started." }], isError: true },
    ]);
  });

  test("hands session events through to the tool's state", async () => {
    const heard: string[] = [];
    const spec = {
      name: "s",
      description: "",
      readOnly: true,
      onSession: ({ reason }: { reason: string }) => void heard.push(reason),
    };
    const tools = [
      defineTool({ ...spec, input: z.strictObject({}), run: async () => textResult("", {}) }),
      defineJsonTool({ ...spec, parameters: { type: "object" }, execute: async () => textResult("", {}) }),
    ];
    for (const tool of tools) await tool.onSession?.({ reason: "move", path: [] });
    expect(heard).toEqual(["move", "move"]);
    expect(sum.onSession).toBeUndefined();
  });
});

describe("a tool made from a JSON Schema", () => {
  const greet = defineJsonTool({
    name: "greet",
    description: "Greets.",
    parameters: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    execute: async (input) => {
      const { name } = input as { name: string };
      if (name === "") throw new Error("nobody to greet");
      return textResult(`Hello ${name}`, {});
    },
  });

  test("checks its input, changes things unless it says otherwise, and turns a throw into a failure", async () => {
    expect([
      greet.readOnly,
      greet.check({ name: "Ada" }),
      greet.check({}),
      await greet.execute({ name: "" }, context),
    ]).toEqual([
      false,
      { ok: true, value: { name: "Ada" } },
      { ok: false, reason: "Invalid input for greet: name is missing" },
      { content: [{ type: "text", text: "nobody to greet" }], isError: true },
    ]);
  });

  test("the error for an invalid schema names the tool", () => {
    expect(() => defineJsonTool({ ...greet, parameters: { type: "nonsense" } })).toThrow(
      /The parameters of the tool greet are not a usable JSON Schema/,
    );
  });
});

test("the built-in tools come in a fixed order and say which of them change nothing", () => {
  const tools = createTools();
  expect(tools.map((tool) => tool.name)).toEqual(TOOL_NAMES);
  expect(tools.filter((tool) => tool.readOnly).map((tool) => tool.name)).toEqual([
    "read",
    "grep",
    "find",
    "ls",
    "todo",
  ]);
  expect(tools.map((tool) => tool.parameters.additionalProperties)).toEqual(tools.map(() => false));
});
