/** Extensions written for pi, in every form they come in. */
import { expect, test } from "vitest";
import { piAdapter } from "../../src/pi/index.js";

test("only what imports from pi is taken for an extension of pi", () => {
  const { needs } = piAdapter();
  expect(needs(['import type { X } from "@earendil-works/pi-coding-agent";'])).toBe("everything");
  expect(needs(['const x = require("@mariozechner/pi-ai/compat")'])).toBe("everything");
  expect(needs(["export default async (pi) => {}"])).toBe("everything");
  expect(needs(['import { Type } from "typebox";'])).toBe("modules");
  expect(needs(['import type { ExtensionApi } from "bough/extension";', "export default (bough) => {}"])).toBe(
    "nothing",
  );
});
