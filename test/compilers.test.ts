/** The declarations of both packages, compiled by strict projects: with the oldest TypeScript and the newest. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { stepsOf } from "../scripts/guides/run-guide.mjs";
import { COMPILER_ENVIRONMENT, COMPILER_WORDS } from "../scripts/tsc.mjs";
import { sampledCases } from "./support/sampled.js";
import { sdkPrograms } from "./support/sdk-programs.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "bough-compilers-"));
const modules = join(folder, "node_modules");
let configs = 0;

function doorsOf(manifest: string): string[] {
  const { name, exports } = JSON.parse(readFileSync(manifest, "utf8")) as { name: string; exports: object };
  return Object.keys(exports).flatMap((door) => (door === "./package.json" ? [] : [`${name}${door.slice(1)}`]));
}

const doors = [...doorsOf(join(root, "package.json")), ...doorsOf(join(root, "packages", "session", "package.json"))];

const USE = `
import { createAgentSession, defineJsonTool, type Tool } from "bough/agent";
import type { ExtensionApi } from "bough/extension";
import { SessionManager, type SessionEntry } from "@bough/session";

const session: SessionManager = SessionManager.inMemory();
const id: string = session.appendMessage({ role: "user", content: "one", timestamp: 1 });
export const entries: readonly SessionEntry[] = session.getEntries();
// @ts-expect-error: a message needs a known role
session.appendMessage({ role: "nobody", content: "one", timestamp: 1 });
const label = session.getLabel(id);
// @ts-expect-error: a label is not an id
if (label !== undefined) session.getEntry(label);

export const tool: Tool = defineJsonTool({
  name: "now",
  description: "The time",
  parameters: { type: "object", properties: {} },
  readOnly: true,
  execute: async () => ({ content: [{ type: "text", text: "noon" }] }),
});
// What a schema made with zod says about its values.
declare const schema: { readonly _zod: { readonly output: { readonly title: string } } };
export async function ask(): Promise<string> {
  const agent = await createAgentSession();
  const outcome = await agent.prompt("hi", { output: schema });
  if (outcome.kind !== "done") return "";
  const last: string = outcome.message.stopReason;
  const title: string = last + outcome.output.title;
  // @ts-expect-error: the schema has no such field
  return title + outcome.output.body;
}
export default function (bough: ExtensionApi): void {
  bough.on("tool_call", (event) => (event.toolName === "bash" ? { block: true } : undefined));
}
`;

beforeAll(() => {
  mkdirSync(join(modules, "@bough", "session"), { recursive: true });
  mkdirSync(join(modules, "@types"));
  symlinkSync(dirname(dirname(dirname(inject("packedProgram")))), join(modules, "bough"));
  const unpack = ["-xzf", inject("packedEngine"), "--strip-components=1", "-C", join(modules, "@bough", "session")];
  expect(spawnSync("tar", unpack).status).toBe(0);
  symlinkSync(join(root, "node_modules", "@types", "node"), join(modules, "@types", "node"));
  symlinkSync(join(root, "node_modules", "zod"), join(modules, "zod"));
  writeFileSync(join(folder, "package.json"), '{ "name": "user", "private": true, "type": "module" }');
  writeFileSync(join(folder, "doors.ts"), doors.map((door, i) => `export * as door${i} from "${door}";\n`).join(""));
  writeFileSync(join(folder, "use.ts"), USE);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("every door, strict and with skipLibCheck: false", () => {
  const cases = ["oldest", "newest"].flatMap((compiler, number) =>
    sampledCases(["node16", "bundler"], number).map((how) => [compiler, how] as const),
  );

  test.each(cases)("compiles with the %s TypeScript and moduleResolution %s", { timeout: 300_000 }, (compiler, how) => {
    const { version } = JSON.parse(
      readFileSync(join(root, "test", "compilers", compiler, "node_modules", "typescript", "package.json"), "utf8"),
    ) as { version: string };
    expect(Number.parseFloat(version)).toSatisfy((it: number) => (compiler === "oldest" ? it === 5 : it >= 7));
    const options = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
      target: "es2022",
      module: how === "node16" ? "node16" : "esnext",
      moduleResolution: how,
      types: ["node"],
      // The oldest one takes seconds for the declarations of browsers, which a project for Node can do without.
      ...(compiler === "oldest" && process.env.BOUGH_RUNS !== "all" ? { lib: ["es2022"] } : {}),
    };
    expect(compile(compiler, { options, files: ["doors.ts", "use.ts"] })).toEqual(SILENT);
  });
});

/** What a program on that page builds on, if it does not start an agent itself. */
const STARTED = `import { createAgentSession } from "bough/agent";\nconst agent = await createAgentSession();\n`;

test("the programs of docs/sdk.md compile in strict mode as printed", { timeout: 300_000 }, () => {
  const files = sdkPrograms().map((program, number) => {
    const isWhole = /^import /m.test(program);
    writeFileSync(join(folder, `sdk-${number}.ts`), isWhole ? program : `${STARTED}${program}`);
    return `sdk-${number}.ts`;
  });
  expect(files.length).toBeGreaterThan(12);
  const options = {
    ...{ strict: true, noEmit: true, skipLibCheck: true },
    target: "es2022",
    module: "nodenext",
    types: ["node"],
  };
  expect(compile("newest", { options, files })).toEqual(SILENT);
});

test("the programs of the guides compile in strict mode as they are printed", { timeout: 300_000 }, () => {
  const guides = readdirSync(join(root, "docs", "guides")).filter((name) => name !== "README.md");
  const files = [...guides.map((name) => `guides/${name}`), "server.md", "stability.md"].flatMap((name) => {
    const page = readFileSync(join(root, "docs", name), "utf8");
    const place = basename(name, ".md");
    return stepsOf(page).flatMap((step) => {
      if (step.kind !== "file" || !step.path.endsWith(".ts")) return [];
      mkdirSync(join(folder, "guides", place), { recursive: true });
      writeFileSync(join(folder, "guides", place, step.path), step.text);
      return [`guides/${place}/${step.path}`];
    });
  });
  expect(files.length).toBeGreaterThanOrEqual(guides.length + 4);
  const options = {
    ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
    // Node runs them as they are.
    ...{ erasableSyntaxOnly: true, allowImportingTsExtensions: true, verbatimModuleSyntax: true },
    ...{ noEmit: true, skipLibCheck: true, target: "es2022", lib: ["es2023"], module: "nodenext", types: ["node"] },
  };
  expect(compile("newest", { options, files })).toEqual(SILENT);
});

const SILENT = { stdout: "", stderr: "", status: 0 };

function compile(
  compiler: string,
  { options, files }: { readonly options: Readonly<Record<string, unknown>>; readonly files: readonly string[] },
) {
  const config = join(folder, `tsconfig.${++configs}.json`);
  writeFileSync(config, JSON.stringify({ compilerOptions: options, files }));
  const tsc = join(root, "test", "compilers", compiler, "node_modules", "typescript", "bin", "tsc");
  const words = [tsc, "-p", config, ...(compiler === "newest" ? COMPILER_WORDS : [])];
  const { stdout, stderr, status } = spawnSync(process.execPath, words, {
    cwd: folder,
    encoding: "utf8",
    env: COMPILER_ENVIRONMENT,
  });
  return { stdout, stderr, status };
}
