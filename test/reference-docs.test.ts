import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { renderErrorsPage } from "../scripts/generate-reference.mjs";
import { ERROR_CODES, PROBLEM_CODES } from "../src/entry/index.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

describe("the generated reference pages", () => {
  test("docs/reference/errors.md is what the tables of codes give today", () => {
    const page = readFileSync(join(root, "docs", "reference", "errors.md"), "utf8");
    expect(page).toBe(renderErrorsPage(ERROR_CODES, PROBLEM_CODES));
  });

  test("the page has a row for each code, in the order of the table", () => {
    const page = renderErrorsPage({ "one-error": "first", "two-error": "a | b" }, { "one-problem": "third" });
    const rows = page.split("\n").filter((line) => line.startsWith("| `"));
    expect(rows).toEqual(["| `one-error` | first   |", "| `two-error` | a \\| b  |", "| `one-problem` | third   |"]);
  });
});
