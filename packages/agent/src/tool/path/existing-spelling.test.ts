import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { existingSpelling } from "./existing-spelling.js";

test.each([
  [
    "a narrow space before PM",
    "Screenshot 2026-01-01 at 1.02.03\u202fPM.png",
    "Screenshot 2026-01-01 at 1.02.03 PM.png",
  ],
  ["decomposed accents", "re\u0301sume\u0301.txt", "résumé.txt"],
  ["composed accents", "résumé.txt", "re\u0301sume\u0301.txt"],
  ["curly quotes", "Anna\u2019s \u201cplan\u201d.md", `Anna's "plan".md`],
  ["straight quotes", "Anna's plan.md", "Anna\u2019s plan.md"],
  ["a no-break space that was typed", "two words.md", "two\u00a0words.md"],
])("a file with %s is found by the name that reads the same", (_what, real, typed) => {
  const folder = join(tempFolder(), "Bj\u00f6rn");
  mkdirSync(folder);
  writeFileSync(join(folder, real), "");
  expect(existingSpelling(join(folder, typed))).toBe(join(folder, real));
  expect(existingSpelling(join(folder.normalize("NFD"), typed))).toBe(join(folder, real));
});

test("the exact name wins, and two that read the same are not chosen between", () => {
  const folder = tempFolder();
  writeFileSync(join(folder, "a\u202fb"), "");
  writeFileSync(join(folder, "a b"), "");
  expect(existingSpelling(join(folder, "a b"))).toBe(join(folder, "a b"));
  expect(existingSpelling(join(folder, "a\u00a0b"))).toBe(join(folder, "a\u00a0b"));
  expect(existingSpelling(join(folder, "missing", "x"))).toBe(join(folder, "missing", "x"));
});
