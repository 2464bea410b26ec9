import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { renderErrorsPage, renderSettingsPage } from "../scripts/generate-reference.mjs";
import { AGENT_ERROR_CODES, DEFAULT_SETTINGS, settingsSchema, TRUSTED_ONLY, USER_ONLY } from "../src/agent/index.js";
import { CLI_ERROR_CODES } from "../src/cli/index.js";
import { ERROR_CODES, PROBLEM_CODES } from "../src/entry/index.js";
import { MODEL_ERROR_CODES } from "../src/model/index.js";

const reference = join(dirname(fileURLToPath(import.meta.url)), "..", "docs", "reference");

function rowsOf(page: string): string[] {
  return page.split("\n").filter((line) => line.startsWith("| `"));
}

// `node scripts/generate-reference.mjs` writes both pages anew, from the build.
describe("the generated reference pages", () => {
  test("docs/reference/errors.md is what the tables of codes give today", () => {
    const tables = {
      session: ERROR_CODES,
      agent: AGENT_ERROR_CODES,
      model: MODEL_ERROR_CODES,
      commandLine: CLI_ERROR_CODES,
      problems: PROBLEM_CODES,
    };
    expect(readFileSync(join(reference, "errors.md"), "utf8")).toBe(renderErrorsPage(tables));
  });

  test("docs/reference/settings.md is what the schema of settings gives today", () => {
    const tables = {
      schema: settingsSchema,
      defaults: DEFAULT_SETTINGS,
      userOnly: USER_ONLY,
      trustedOnly: TRUSTED_ONLY,
    };
    expect(readFileSync(join(reference, "settings.md"), "utf8")).toBe(renderSettingsPage(tables));
  });

  test("the page of codes has a row for each, in the order of the tables", () => {
    const page = renderErrorsPage({
      session: { "one-error": "first", "two-error": "a | b" },
      agent: { three: "third" },
      model: { four: "fourth" },
      commandLine: { five: "fifth" },
      problems: { "one-problem": "sixth" },
    });
    expect(rowsOf(page)).toEqual([
      "| `one-error` | first   |",
      "| `two-error` | a \\| b  |",
      "| `three` | third   |",
      "| `four` | fourth  |",
      "| `five` | fifth   |",
      "| `one-problem` | sixth   |",
    ]);
  });

  test("the page of settings names every field with its values, its default and whose word counts", () => {
    const page = renderSettingsPage({
      schema: z.strictObject({
        level: z.enum(["low", "high"]).optional().describe("How much."),
        limits: z.strictObject({ most: z.int().min(1).max(9).optional() }).optional(),
        servers: z.record(z.string(), z.strictObject({ url: z.url() })).optional(),
        paths: z.array(z.strictObject({ share: z.number().positive() })).optional(),
      }),
      defaults: { limits: { most: 3 } },
      userOnly: ["servers"],
      trustedOnly: ["paths"],
    });
    const cells = rowsOf(page).map((row) => row.split("|").map((cell) => cell.trim()));
    expect(cells.map((row) => row.slice(1, -1))).toEqual([
      ["`level`", "`low`, `high`", "", "any", "How much."],
      ["`limits`", "an object", "", "any", ""],
      ["`limits.most`", "a whole number from 1 to 9", "`3`", "any", ""],
      ["`servers`", "an object", "", "yours", ""],
      ["`servers.<name>.url`", "an address", "", "yours", ""],
      ["`paths`", "a list", "", "trusted", ""],
      ["`paths[].share`", "a number above 0", "", "trusted", ""],
    ]);
  });
});
