/** Types that another program makes from the published schema compile, and say the same as ours. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compile } from "json-schema-to-typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMPILER_ENVIRONMENT, COMPILER_WORDS, nativeCompiler } from "../scripts/tsc.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "bough-rpc-types-"));
const OPTIONS = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--skipLibCheck", "false"];

const USE = `import type { ClientLine, Entry, Events, Methods, Questions } from "./rpc-schema.js";
  export const right: ClientLine[] = [
    { id: 1, method: "prompt", params: { text: "hello" } },
    { id: "2", method: "tree.path" },
    { id: "ui-1", result: "once" },
  ];
  // @ts-expect-error: a number is not a text
  export const wrong: Methods["prompt"]["params"] = { text: 5 };
  // @ts-expect-error: a parameter that does not exist
  export const misspelt: Methods["tree.path"]["params"] = { ofset: 1 };
  export const outcome = (result: Methods["prompt"]["result"]): string =>
    result.kind === "failed" ? result.failure.message : result.kind;
  export const next = (page: Methods["getContext"]["result"]): number | null => page.next;
  export const leaf = (event: Events["moved"]): string | null => event.newLeafId;
  export const asked = (question: Questions["ui.select"]): string[] => question.params.options;
  export const kind = (entry: Entry): string => entry.type;
`;

/** What the compiler says about the two files, all in one run; nothing if all is right. */
function compiled(): readonly string[] {
  const args = [...OPTIONS, "--noEmit", "--module", "nodenext", "--target", "es2023", "rpc-schema.ts", "use.ts"];
  try {
    const words = [nativeCompiler(), ...COMPILER_WORDS, ...args];
    const options = { cwd: folder, encoding: "utf8", env: COMPILER_ENVIRONMENT } as const;
    return execFileSync(process.execPath, words, options).split("\n");
  } catch (error) {
    return (error as { readonly stdout: string }).stdout.split("\n");
  }
}

let said: readonly string[];

beforeAll(async () => {
  const { $schema, $defs } = JSON.parse(readFileSync(join(root, "docs/reference/rpc-schema.json"), "utf8"));
  // Generators follow references from the root, so the root names what is wanted: docs/rpc.md says so.
  const wanted = ["ClientLine", "ServerLine", "Methods", "Questions", "Events"];
  const properties = Object.fromEntries(wanted.map((name) => [name, { $ref: `#/$defs/${name}` }]));
  const types = await compile({ $schema, type: "object", properties, $defs }, "Rpc", { additionalProperties: false });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "rpc-schema.ts"), types);
  writeFileSync(join(folder, "use.ts"), USE);
  said = compiled();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("types generated from docs/reference/rpc-schema.json", () => {
  it("compile in a strict project, libraries checked", () => {
    expect(said.filter((line) => line !== "" && !line.startsWith("use.ts"))).toEqual([]);
  });

  it("distinguish valid requests from invalid ones, and type the answers", () => {
    expect(said.filter((line) => line.startsWith("use.ts"))).toEqual([]);
  });
});
