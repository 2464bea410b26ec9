import { expect, test, vi } from "vitest";
import { createRunner } from "./create-runner.js";

test("problems go to standard error, even if `onProblem` is undefined", async () => {
  const printed = vi.spyOn(console, "error").mockImplementation(() => {});
  const broken = {
    name: "broken",
    factory: () => {
      throw new Error("no luck");
    },
  };
  await createRunner([broken], { onProblem: undefined });
  expect(printed.mock.calls.flat().join("\n")).toContain("Extension broken");
  expect(printed.mock.calls.flat().join("\n")).toContain("no luck");
  printed.mockRestore();
});
