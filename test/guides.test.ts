/** docs/guides, and pages with a whole program: each does what it says, from the packed package in an empty folder. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, inject, test } from "vitest";
import { runGuide, stepsOf } from "../scripts/guides/run-guide.mjs";
import { tempFolder } from "./support/temp-folder.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "docs", "guides");
const names = readdirSync(folder).filter((name) => name !== "README.md");
const withPrograms = ["../server.md", "../stability.md"];
const pages = [...names, ...withPrograms].map((name) => [name, readFileSync(join(folder, name), "utf8")] as const);

describe("the guides", () => {
  test("are ten, and every page that lists them links to each", () => {
    expect(names.sort()).toEqual([
      "branches.md",
      "extension.md",
      "many-sessions.md",
      "other-agents.md",
      "own-model.md",
      "own-tool.md",
      "rpc-client.md",
      "structured-output.md",
      "sub-agent.md",
      "testing.md",
    ]);
    const index = readFileSync(join(folder, "README.md"), "utf8");
    expect(names.filter((name) => !index.includes(`](${name})`))).toEqual([]);
  });

  test.each(pages)("%s runs as printed, and its output is as printed", (_name, page) => {
    const place = tempFolder();
    const modules = join(place, "node_modules");
    mkdirSync(join(modules, ".bin"), { recursive: true });
    const program = inject("packedProgram");
    symlinkSync(dirname(dirname(dirname(program))), join(modules, "bough"));
    symlinkSync(join(root, "node_modules", "zod"), join(modules, "zod"));
    writeFileSync(join(place, "package.json"), '{ "private": true, "type": "module" }');
    writeFileSync(join(modules, ".bin", "bough"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, {
      mode: 0o755,
    });
    const home = { HOME: place, BOUGH_HOME: join(place, "home") };
    const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, ...home };
    expect(runGuide({ page, folder: place, runtime: [process.execPath], env })).toBeUndefined();
    // Every block of code is a file that was saved; every command has its output.
    const steps = stepsOf(page);
    const blocks = [...page.matchAll(/^```(?:js|ts)$/gm)];
    expect(page).not.toMatch(/^```js$/m);
    expect(steps.filter(({ kind }) => kind === "file").length).toBeGreaterThanOrEqual(blocks.length);
    expect(steps.map(({ kind }) => kind)).toContain("output");
  });
});
