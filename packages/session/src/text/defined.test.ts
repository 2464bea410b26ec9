import { expect, it } from "vitest";
import { defined } from "./defined.js";

it("keeps every value but undefined, and the object it was given", () => {
  const fields = { a: 1, b: undefined, c: null, d: false, e: "" };
  expect(Object.entries(defined(fields))).toEqual([
    ["a", 1],
    ["c", null],
    ["d", false],
    ["e", ""],
  ]);
  expect(Object.keys(fields)).toHaveLength(5);
});

it("of no options is nothing", () => {
  const options: { readonly a?: number } | undefined = undefined;
  expect(defined(options)).toEqual({});
});
