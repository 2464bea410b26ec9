import { describe, expect, test } from "vitest";
import { piTui } from "./pi-tui.js";
import { HStack, VStack } from "./stacks.js";

const drawn = (...lines: string[]) => ({ render: () => lines, invalidate: () => {} });

describe("stacks", () => {
  test.each([
    ["start", ["a", "bbb"]],
    ["center", [" a", "bbb"]],
    ["end", ["  a", "bbb"]],
  ] as const)("one below the other, aligned to %s", (align, lines) => {
    expect(new VStack([drawn("a"), drawn("bbb")], { align }).render(3)).toEqual(lines);
  });

  test.each([
    ["start", ["ax", " y", " z"]],
    ["center", [" x", "ay", " z"]],
    ["end", [" x", " y", "az"]],
  ] as const)("side by side, aligned to %s", (align, lines) => {
    const columns = [drawn("a"), drawn("x", "y", "z")].map((component) => ({ component, basis: 1 }));
    expect(new HStack(columns, { align }).render(2)).toEqual(lines);
  });

  test("what may shrink does where there is too little room, down to its smallest size", () => {
    const widths: number[] = [];
    const seen = {
      render: (width: number) => {
        widths.push(width);
        return [""];
      },
      invalidate: () => {},
    };
    const entries = [{ shrink: 1 }, { shrink: 1, minSize: 9 }, {}].map((entry) => ({
      ...entry,
      component: seen,
      basis: 10,
    }));
    new HStack(entries).render(24);
    expect(widths).toEqual([7, 9, 10]);
  });
});

test("a line is laid over another one", () => {
  const { compositeTuiLine } = piTui as { compositeTuiLine: (...values: unknown[]) => string };
  const over = compositeTuiLine("\x1b[31mabcdefgh\x1b[0m", "XY", 2, 3, 8);
  expect(over.replace(/\x1b\[[0-9;]*m/g, "")).toBe("abXY fgh");
});
