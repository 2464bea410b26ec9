import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { AGENT_ERROR_CODES } from "@bough/agent/agent/index.js";
import { DRIVER_ERROR_CODES } from "@bough/agent/driver/index.js";
import { INSTALL_ERROR_CODES } from "@bough/agent/extension/internal.js";
import { MCP_ERROR_CODES } from "@bough/agent/mcp/index.js";
import { MODEL_ERROR_CODES } from "@bough/agent/model/index.js";
import {
  DEFAULT_SETTINGS,
  SETTINGS_ERROR_CODES,
  settingsSchema,
  TRUSTED_ONLY,
  USER_ONLY,
} from "@bough/agent/project/index.js";
import { CLI_ERROR_CODES } from "@bough/program/cli/index.js";
import { COMMAND_ERROR_CODES, COMMANDS, commandsByGroup } from "@bough/program/command/index.js";
import { ALL_KEYS } from "@bough/program/tui/keys/all-keys.js";
import { ERROR_CODES, EXPORT_ERROR_CODES, PROBLEM_CODES } from "@bough/session/entry/index.js";
import { CHECKPOINT_ERROR_CODES } from "@bough/workbench/checkpoint/index.js";
import { INTEROP_ERROR_CODES } from "@bough/workbench/interop/index.js";
import { SERVE_ERROR_CODES } from "@bough/workbench/serve/index.js";
import { STORE_ERROR_CODES } from "@bough/workbench/store/index.js";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  renderCommandsPage,
  renderErrorsPage,
  renderKeysPage,
  renderSettingsPage,
} from "../scripts/generate-reference.mjs";

const reference = join(dirname(fileURLToPath(import.meta.url)), "..", "docs", "reference");

function rowsOf(page: string): string[] {
  return page.split("\n").filter((line) => line.startsWith("| `"));
}

// `node scripts/generate-reference.mjs` writes all pages anew, from the build.
describe("the generated reference pages", () => {
  test("docs/reference/errors.md is what the tables of codes give today", () => {
    const tables = {
      session: ERROR_CODES,
      exports: { ...EXPORT_ERROR_CODES, ...SERVE_ERROR_CODES },
      files: CHECKPOINT_ERROR_CODES,
      stores: STORE_ERROR_CODES,
      agent: { ...AGENT_ERROR_CODES, ...SETTINGS_ERROR_CODES, ...MCP_ERROR_CODES, ...DRIVER_ERROR_CODES },
      interop: INTEROP_ERROR_CODES,
      model: MODEL_ERROR_CODES,
      commands: COMMAND_ERROR_CODES,
      commandLine: { ...CLI_ERROR_CODES, ...INSTALL_ERROR_CODES },
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

  test("docs/reference/commands.md is what the table of commands gives today", () => {
    const page = renderCommandsPage({ groups: commandsByGroup(COMMANDS) });
    expect(readFileSync(join(reference, "commands.md"), "utf8")).toBe(page);
    expect(page.match(/^### /gm)).toHaveLength(COMMANDS.length);
  });

  test("docs/reference/keys.md is what the table of keys gives today", () => {
    const page = renderKeysPage({ scopes: ALL_KEYS });
    expect(readFileSync(join(reference, "keys.md"), "utf8")).toBe(page);
    expect(rowsOf(page).length).toBe(ALL_KEYS.flatMap(({ actions }) => actions).length);
  });

  test("the page of commands says what each takes, does, and is also called", () => {
    const command = { name: "quit", aliases: ["exit"], usage: "", summary: "Leave", details: "Saves first." };
    const other = { name: "label", usage: "[name]", summary: "Name a place", details: "Here." };
    const page = renderCommandsPage({ groups: [{ title: "Program", commands: [command, other] }] });
    expect(page).toContain("## Program\n\n### /quit\n\n`/quit`\n\nLeave. Saves first. Also `/exit`.\n");
    expect(page).toContain("### /label\n\n`/label [name]`\n\nName a place. Here.\n");
  });

  test("the page of keys has a row for each action", () => {
    const actions = [{ id: "tree.open", keys: ["right", "|"], help: "open the branch" }];
    expect(rowsOf(renderKeysPage({ scopes: [{ title: "Tree", actions }] }))).toEqual([
      "| `right`, `\\|` | open the branch | `tree.open` |",
    ]);
  });

  test("the page of codes has a row for each, in the order of the tables", () => {
    const page = renderErrorsPage({
      session: { "one-error": "first", "two-error": "a | b" },
      exports: { nine: "ninth" },
      files: { ten: "tenth" },
      stores: { eleven: "eleventh" },
      interop: { eight: "eighth" },
      agent: { three: "third" },
      model: { four: "fourth" },
      commands: { five: "fifth" },
      commandLine: { six: "sixth" },
      problems: { "one-problem": "seventh" },
    });
    expect(rowsOf(page)).toEqual([
      "| `one-error` | first   |",
      "| `two-error` | a \\| b  |",
      "| `eight` | eighth  |",
      "| `nine` | ninth   |",
      "| `ten` | tenth   |",
      "| `eleven` | eleventh |",
      "| `three` | third   |",
      "| `four` | fourth  |",
      "| `five` | fifth   |",
      "| `six` | sixth   |",
      "| `one-problem` | seventh |",
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
      ["`paths`", "list", "", "trusted", ""],
      ["`paths[].share`", "a number above 0", "", "trusted", ""],
    ]);
  });
});
