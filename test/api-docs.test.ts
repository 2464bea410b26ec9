import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { apiPages } from "../scripts/generate-api.mjs";

const folder = join(dirname(fileURLToPath(import.meta.url)), "..", "docs", "api");
const { pages, silent } = apiPages();

test("docs/api is what the declarations give today: a change of the library is seen in review", () => {
  expect(readdirSync(folder).sort()).toEqual([...pages.keys()].sort());
  const differing = [...pages].filter(([name, text]) => readFileSync(join(folder, name), "utf8") !== text);
  expect(
    differing.map(([name]) => name),
    "run: npm run build && node scripts/generate-api.mjs",
  ).toEqual([]);
});

test("every exported value says what it is for", () => {
  expect(silent).toEqual([]);
});
