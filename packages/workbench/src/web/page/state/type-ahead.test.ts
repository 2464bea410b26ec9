import { expect, test } from "vitest";
import { TypeAhead } from "./type-ahead.js";

test("letters belong together until there is a pause, and other keys type nothing", () => {
  const typed = new TypeAhead();
  const keys: [string, number][] = [
    ["P", 0],
    ["r", 300],
    ["ArrowDown", 400],
    ["/", 450],
    ["i", 900],
    ["x", 1700],
  ];
  expect(keys.map(([key, time]) => typed.take(key, time))).toEqual(["p", "pr", undefined, undefined, "pri", "x"]);
});
