import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { EVERYDAY_LINES } from "./everyday-lines.test-support.js";

test("there are at least 200 everyday lines, without duplicates", () => {
  expect(EVERYDAY_LINES.length).toBeGreaterThanOrEqual(200);
  expect(new Set(EVERYDAY_LINES).size).toBe(EVERYDAY_LINES.length);
});

test.skipIf(!existsSync("/bin/bash"))("bash can parse each everyday line (skipped if there is no /bin/bash)", () => {
  const broken = EVERYDAY_LINES.filter((line) => spawnSync("/bin/bash", ["-n", "-c", line]).status !== 0);
  expect(broken).toEqual([]);
});
