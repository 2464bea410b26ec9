import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { PACKAGES } from "../scripts/build/packages.mjs";
import { COMPILER_ENVIRONMENT, nativeCompiler } from "../scripts/tsc.mjs";
import { tempFolder } from "./support/temp-folder.js";

const root = join(import.meta.dirname, "..");

/** The packages that each may import, according to its tsconfig.json. */
const below = new Map(
  PACKAGES.map((name) => {
    const { references = [] } = JSON.parse(readFileSync(join(root, "packages", name, "tsconfig.json"), "utf8"));
    return [name, (references as { path: string }[]).map(({ path }) => path.replace("../", ""))];
  }),
);

/** This project's own compiler settings, with one module per package, linked as npm links workspaces. */
function newProject(): { readonly compile: () => string; readonly write: (path: string, text: string) => void } {
  const folder = tempFolder();
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const settings = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8"));
  // No Node types: the modules are empty, and this project's packages are not available.
  write("tsconfig.json", JSON.stringify({ ...settings, compilerOptions: { ...settings.compilerOptions, types: [] } }));
  mkdirSync(join(folder, "node_modules/@bough"), { recursive: true });
  for (const name of PACKAGES) {
    for (const file of ["package.json", "tsconfig.json"]) {
      mkdirSync(join(folder, "packages", name), { recursive: true });
      cpSync(join(root, "packages", name, file), join(folder, "packages", name, file));
    }
    write(`packages/${name}/src/room/index.ts`, "export const room = 1;\n");
    symlinkSync(join("../../packages", name), join(folder, "node_modules/@bough", name));
  }
  const compile = (): string => {
    const words = [nativeCompiler(), "--build", ...PACKAGES.map((name) => join("packages", name))];
    const { stdout, stderr } = spawnSync(process.execPath, words, {
      cwd: folder,
      encoding: "utf8",
      env: COMPILER_ENVIRONMENT,
    });
    return stdout + stderr;
  };
  return { compile, write };
}

const pairs = PACKAGES.flatMap((from) => PACKAGES.filter((to) => to !== from).map((to) => [from, to] as const));

describe("the border between two packages", () => {
  test("is where ARCHITECTURE.md draws it", () => {
    const engine = ["session"];
    const noModel = [...engine, "workbench"];
    expect(Object.fromEntries(below)).toEqual({
      session: [],
      workbench: engine,
      agent: noModel,
      rpc: [],
      pi: [...noModel, "agent"],
      program: [...noModel, "agent", "rpc", "pi"],
    });
  });

  test("is open in the order of the packages", () => {
    const { compile, write } = newProject();
    const right = pairs.filter(([from, to]) => below.get(from)?.includes(to));
    expect(right.length).toBeGreaterThan(8);
    for (const [from, to] of right)
      write(`packages/${from}/src/room/to-${to}.ts`, `export { room } from "@bough/${to}/room/index.js";\n`);
    expect(compile()).toBe("");
  });

  test.each([
    ["by the name of the package", (to: string) => `@bough/${to}/room/index.js`],
    ["by the name of the package and the folder of its sources", (to: string) => `@bough/${to}/src/room/index.js`],
    ["by a relative path", (to: string) => `../../../${to}/src/room/index.js`],
  ])("is closed against it: an import %s does not compile", (_how, specifier) => {
    const { compile, write } = newProject();
    const wrong = pairs.filter(([from, to]) => !below.get(from)?.includes(to));
    for (const [from, to] of wrong)
      write(`packages/${from}/src/room/to-${to}.ts`, `export { room } from "${specifier(to)}";\n`);
    const said = compile();
    expect(wrong.filter(([from, to]) => !said.includes(`packages/${from}/src/room/to-${to}.ts`))).toEqual([]);
  });
});
