import { realpathSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import type { PermissionAnswer, PermissionRequest } from "../tool.js";
import { createPermissions } from "./permissions.js";
import { serverToolName } from "./rule/server-tool-name.js";

const cwd = realpathSync(tempFolder());

/** The offer for a request, and whether other requests are allowed once it is accepted. */
async function accepted(request: PermissionRequest) {
  let offered: string | undefined;
  let asked = 0;
  const ask = async ({ project }: { readonly project?: string }): Promise<PermissionAnswer> => {
    asked++;
    offered ??= project;
    return asked === 1 ? "project" : "no";
  };
  const { permit } = createPermissions({ mode: "ask", cwd, ask, keepRules: () => ({ kind: "local" }) });
  await permit(request);
  return { offered, allows: async (other: PermissionRequest) => (await permit(other)).allowed };
}

/** Names with a special meaning in rules, shells or paths. */
const sign = fc.constantFrom(..."ab*?[]{}!~\\'\" .:-()$`#;&|<>=,@^%_é".split(""));
const name = fc
  .array(sign, { minLength: 1, maxLength: 6 })
  .map((signs) => signs.join(""))
  .filter((text) => text !== "." && text !== "..");

describe("what is offered for the project allows what was asked about, and nothing else", () => {
  test("a file in a folder of any name", async () => {
    await fc.assert(
      fc.asyncProperty(name, name, async (folder, other) => {
        const write = (target: string): PermissionRequest => ({
          tool: "write",
          action: "write",
          target: join(cwd, target),
        });
        const { offered, allows } = await accepted(write(`${folder}/a.txt`));
        if (offered === undefined) return;
        expect(offered).toBe(`change any file in ${folder}`);
        expect(await allows(write(`${folder}/b/c.txt`))).toBe(true);
        if (other !== folder) expect(await allows(write(`${other}/a.txt`))).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  test("a command with any word", async () => {
    const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
    await fc.assert(
      fc.asyncProperty(name, name, async (word, other) => {
        const run = (text: string): PermissionRequest => ({
          tool: "bash",
          action: "run",
          target: `deploy ${quoted(text)}`,
        });
        const { offered, allows } = await accepted(run(word));
        if (offered === undefined) return;
        expect(await allows(run(word))).toBe(true);
        if (other !== word) expect(await allows(run(other))).toBe(false);
        expect(await allows({ ...run(word), target: `deploy ${quoted(word)} more` })).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  test("a tool of an MCP server", async () => {
    await fc.assert(
      fc.asyncProperty(name, name, async (tool, other) => {
        const use = (named: string): PermissionRequest => ({
          tool: serverToolName("docs", named),
          action: "use",
          target: "{}",
          server: { name: "docs", tool: named },
        });
        const { offered, allows } = await accepted(use(tool));
        if (offered === undefined) return;
        expect(await allows(use(tool))).toBe(true);
        // The model uses the same name for both, so only a plain one can be offered.
        if (other !== tool && serverToolName("docs", other) !== serverToolName("docs", tool)) {
          expect(await allows(use(other))).toBe(false);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("a host that looks like a pattern", async () => {
    const fetch = (host: string): PermissionRequest => ({
      tool: "web_fetch",
      action: "fetch",
      target: `https://${host}/`,
    });
    const { offered, allows } = await accepted(fetch("*.com"));
    expect([offered, await allows(fetch("*.com")), await allows(fetch("example.com"))]).toEqual([
      "reach *.com",
      true,
      false,
    ]);
  });

  test("a folder, a tool and a command that are called by a wildcard", async () => {
    const write = (target: string): PermissionRequest => ({
      tool: "write",
      action: "write",
      target: join(cwd, target),
    });
    const folder = await accepted(write("*/a"));
    const home = await accepted(write("~/a"));
    const spaced = await accepted(write(" b/a"));
    expect([await folder.allows(write("*/b")), await folder.allows(write("src/a"))]).toEqual([true, false]);
    expect([await home.allows(write("~/b")), await home.allows({ ...write(""), target: "~/a" })]).toEqual([
      true,
      false,
    ]);
    expect([await spaced.allows(write(" b/c")), await spaced.allows(write("b/c"))]).toEqual([true, false]);
  });
});
